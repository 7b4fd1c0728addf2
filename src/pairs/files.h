/* The two files that pairs of frames come from: opened, found unchanged, opened again. */
#pragma once

#include "input/source.h"

typedef struct FvPairFiles {
    FvSourceParams params[2]; /* copies; path NULL: this side has no file */
    FvSource *source[2];
    FvFileFacts first[2]; /* when the files were first opened; */
    FvFormat format[2];   /* then too */
} FvPairFiles;

/* The reference may be NULL. FV_ERROR_INPUT for a file that can be read only once. To be closed after a failure too.
 */
FvStatus fv_pair_files_open(FvPairFiles *files, const FvSourceParams *reference, const FvSourceParams *distorted,
                            FvError *error);

/* FV_ERROR_INPUT when a file has changed since it was first opened. */
FvStatus fv_pair_files_check(FvPairFiles *files, FvError *error);

/* Opens the files again; FV_ERROR_INPUT when a file or the format of its pictures has changed. */
FvStatus fv_pair_files_reopen(FvPairFiles *files, FvError *error);

void fv_pair_files_close(FvPairFiles *files);
