/* Failure codes: stable words by which programs recognise failures, beside the sentence for people. */
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
 * FV_FAIL_RATE and the other failures, which fv_fail() accepts in place of a status. The low 8 bits are the status.
 * The higher bits are 1 + the index of the row; 0 there selects the first row of the status.
 */
enum {
#define FAILURE(name, code, status, meaning) FV_FAIL_##name = (FV_ROW_##name + 1) << 8 | (status),
#include "failure_rows-inl.h"
#undef FAILURE
};

#define FV_FAILURE_STATUS(failure) ((failure) % 256)

/* Bytes of FvError.message for text. The last 8 bytes store the row, so that a copy of the structure keeps it. */
#define FV_FAILURE_TEXT (sizeof((FvError *)0)->message - 8)

/* Stores the failure in an error whose message is already written. */
void fv_failure_note(FvError *error, int failure);

/* Fails with FV_ERROR_MEMORY: "out of memory for ...". */
FvStatus fv_failure_memory(FvError *error, const char *what);

/*
 * Returns the failure of an error, to fail in the same way with another message; the status if the error has no
 * failure.
 */
int fv_failure_of(const FvError *error);

/* Returns the word for a failure or a status, such as "usage"; "" for FV_OK and FV_END. */
const char *fv_failure_code(int failure);

/*
 * Returns the failure for the errno `reason` of a system call on an input or output. Returns `status`, which is
 * FV_ERROR_INPUT or FV_ERROR_OUTPUT, if no row fits.
 */
int fv_failure_of_system(int status, int reason);

/*
 * Returns where the remedy begins in a message of one sentence, before or after fv_remedy_spell(); NULL: no remedy.
 */
const char *fv_failure_remedy(const char *message);
