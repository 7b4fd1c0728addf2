/* Failure codes: stable words for programs, beside the sentence for people. */
#pragma once

#include "fovea/fovea.h"

/* The rows of failure_rows-inl.h, in its order. */
enum {
#define FAILURE(name, code, status, meaning) FV_ROW_##name,
#include "failure_rows-inl.h"
#undef FAILURE
    FV_FAILURE_ROWS
};

/*
 * FV_FAIL_RATE and its like: what functions that fail take in place of a status. The low 8 bits are the status, the
 * others are 1 more than the row; 0: the first row of the status.
 */
enum {
#define FAILURE(name, code, status, meaning) FV_FAIL_##name = (FV_ROW_##name + 1) << 8 | (status),
#include "failure_rows-inl.h"
#undef FAILURE
};

#define FV_FAILURE_STATUS(failure) ((failure) % 256)

/* Bytes of a message of FvError. The others hold the row: a copy of the structure has it, too. */
#define FV_FAILURE_TEXT (sizeof((FvError *)0)->message - 8)

/* Stores in an error, whose message is already written, the failure code. */
void fv_failure_note(FvError *error, int failure);

/*
 * Returns the failure code of an error, for failing in the same way with another message. Without one it is the
 * status.
 */
int fv_failure_of(const FvError *error);

/* Returns the word for a failure or a status, such as "usage"; "" for FV_OK and FV_END. */
const char *fv_failure_code(int failure);

/*
 * Returns the failure of a system call on an input or output, by errno. `status` is FV_ERROR_INPUT or
 * FV_ERROR_OUTPUT, and the result if no row fits.
 */
int fv_failure_of_system(int status, int reason);

/*
 * Returns the place where the remedy begins in a message of one sentence, with or without spelt parameters; NULL: it
 * has none.
 */
const char *fv_failure_remedy(const char *message);
