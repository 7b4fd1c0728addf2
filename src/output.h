/* Outputs inside: what may not be overwritten is known by identity. The public part is in fovea.h. */
#ifndef FV_OUTPUT_H
#define FV_OUTPUT_H

#include "file_id.h"
#include "fovea/fovea.h"

/* A file that is read, and the name that messages give it. */
typedef struct FvGuarded {
    FvFileId id;
    const char *name;
} FvGuarded;

#define FV_MAX_GUARDED 32

/* As fv_output_open, with the files themselves, at most FV_MAX_GUARDED, in place of their sources. */
FvStatus fv_output_open_guarded(FvOutput **output, const char *path, const FvGuarded *guarded, int count,
                                const FvCancel *cancel, FvError *error);

#endif
