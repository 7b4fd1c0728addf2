/* A source read ahead by a thread of its own, a few frames at most, so that two inputs decode side by side. */
#ifndef FV_READER_H
#define FV_READER_H

#include "fovea/fovea.h"

typedef struct FvReader FvReader;

/* Without `threaded` every call reads in the caller's thread. The source stays the caller's. */
FvStatus fv_reader_open(FvReader **reader, FvSource *source, bool threaded, FvError *error);

/* As fv_source_read. */
FvStatus fv_reader_next(FvReader *reader, FvFrame **frame, FvError *error);

/* Stops reading; frames read ahead are dropped. */
void fv_reader_close(FvReader **reader);

#endif
