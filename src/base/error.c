#include "base/error.h"

#include <stdarg.h>

FvStatus fv_fail(FvError *error, FvStatus status, const char *format, ...)
{
    if (error) {
        va_list args;
        va_start(args, format);
        error->status = status;
        vsnprintf(error->message, sizeof error->message, format, args);
        va_end(args);
    }
    return status;
}

FvStatus fv_fail_memory(FvError *error, size_t bytes)
{
    return fv_fail(error, FV_ERROR_MEMORY, "out of memory: %zu bytes could not be allocated", bytes);
}

FvStatus fv_fail_null(FvError *error, const char *function, const char *parameter)
{
    return fv_fail(error, FV_ERROR_USAGE, "%s: %s is NULL but required", function, parameter);
}
