/* The two files whose frames are pairs: opens them, checks that they have not changed, and opens them again. */
#pragma once

#include "input/source.h"

typedef struct FvPairFiles {
    FvSourceParams params[2]; /* copies of the parameters; path NULL: this side has no file */
    FvSource *source[2];
    FvFileFacts first[2]; /* facts about the files when they were first opened */
    FvFormat format[2];   /* formats when the files were first opened */
} FvPairFiles;

/*
 * Opens both files; the reference may be NULL. The caller closes *files, also after a failure. FV_ERROR_INPUT: a file
 * can be read only once.
 */
FvStatus fv_pair_files_open(FvPairFiles *files, const FvSourceParams *reference, const FvSourceParams *distorted,
                            FvError *error);

/* Checks both files. FV_ERROR_INPUT: one has changed since it was first opened. */
FvStatus fv_pair_files_check(FvPairFiles *files, FvError *error);

/* Checks the file of another source of one side. FV_ERROR_INPUT: it is not the file that was first opened. */
FvStatus fv_pair_files_check_source(const FvPairFiles *files, int side, const FvSource *source, FvError *error);

/* Opens the files again. FV_ERROR_INPUT: a file or the format of its frames has changed. */
FvStatus fv_pair_files_reopen(FvPairFiles *files, FvError *error);

void fv_pair_files_close(FvPairFiles *files);
