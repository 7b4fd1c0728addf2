/*
 * Errors: checks of required pointers at the beginning of public functions, and one way to fail, which fills the
 * caller's FvError and returns its status.
 */
#pragma once

#include "failure.h"
#include "float_mode.h"
#include "fovea/fovea.h"

/*
 * Formats the message and returns the status, so that a call reads `return fv_fail(error, FV_ERROR_INPUT, ...)`.
 * `failure` is a status, or one of failure.h where programs tell this failure from others.
 */
__attribute__((format(printf, 3, 4), cold)) FvStatus fv_fail(FvError *error, int failure, const char *format, ...);

__attribute__((cold)) FvStatus fv_fail_memory(FvError *error, size_t bytes);

/* Fails with FV_ERROR_USAGE because the public function was called with NULL for a parameter that it requires. */
__attribute__((cold)) FvStatus fv_fail_null(FvError *error, const char *function, const char *parameter);

/* Makes the calling public function return fv_fail_null() if the pointer is NULL. */
#define FV_REQUIRE(error, pointer)                                                                                   \
    do {                                                                                                             \
        if (!(pointer))                                                                                              \
            return fv_fail_null(error, __func__, #pointer);                                                          \
    } while (0)
