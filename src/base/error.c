#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

FvStatus fv_fail(FvError *error, int failure, const char *format, ...)
{
    const FvStatus status = (FvStatus)FV_FAILURE_STATUS(failure);
    if (error) {
        va_list args;
        va_start(args, format);
        error->status = status;
        vsnprintf(error->message, FV_FAILURE_TEXT, format, args);
        va_end(args);
        fv_failure_note(error, failure);
    }
    return status;
}

const char *fv_error_code(const FvError *error)
{
    /* FV_END is not a failure, although a failed gate ends the command with the same number. */
    return error && error->status > FV_END ? fv_failure_code(fv_failure_of(error)) : "";
}

FvStatus fv_fail_memory(FvError *error, size_t bytes)
{
    return fv_fail(error, FV_ERROR_MEMORY, "out of memory: %zu bytes could not be allocated", bytes);
}

FvStatus fv_fail_null(FvError *error, const char *function, const char *parameter)
{
    return fv_fail(error, FV_ERROR_USAGE, "%s: %s is NULL but required", function, parameter);
}
