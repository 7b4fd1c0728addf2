/* Opens outputs, which must not replace the inputs of a session or other sources. */
#include "os/output.h"
#include "base/error.h"
#include "input/source.h"
#include "session/state.h"

#define MAX_SOURCES 8 /* maximum number of sources of one output */
#define MAX_FILES 32

static FvStatus check_params(const FvOutputParams *params, const char *function, FvGuard *guard, FvError *error)
{
    const char *missing = !params                                    ? "params"
                          : !params->path                            ? "params->path"
                          : params->source_count && !params->sources ? "params->sources"
                          : params->file_count && !params->files     ? "params->files"
                                                                     : NULL;
    if (missing)
        return fv_fail_null(error, function, missing);
    if (!*params->path)
        return fv_fail(error, FV_ERROR_USAGE, "the name of the output is empty; - is standard output");
    if (params->source_count < 0 || params->source_count > MAX_SOURCES)
        return fv_fail(error, FV_ERROR_USAGE, "%s: %d sources are outside 0 to %d", function, params->source_count,
                       MAX_SOURCES);
    if (params->file_count < 0 || params->file_count > MAX_FILES)
        return fv_fail(error, FV_ERROR_USAGE, "%s: %d files are outside 0 to %d", function, params->file_count,
                       MAX_FILES);
    for (int i = 0; i < params->source_count; i++)
        if (params->sources[i])
            fv_guard_add_all(guard, &params->sources[i]->files);
    for (int i = 0; i < params->file_count; i++)
        if (params->files[i])
            fv_guard_add_path(guard, params->files[i]);
    if (params->session)
        fv_guard_add_all(guard, &params->session->facts.read);
    return FV_OK;
}

FvStatus fv_output_check(const FvOutputParams *params, FvError *error)
{
    FV_FLOAT_MODE;
    FvGuard guard = {.count = 0};
    FvStatus status = check_params(params, "fv_output_check", &guard, error);
    if (!status)
        status = fv_output_check_guarded(params->path, &guard, error);
    fv_guard_free(&guard);
    return status;
}

FvStatus fv_output_open(FvOutput **output, const FvOutputParams *params, FvError *error)
{
    FV_FLOAT_MODE;
    FvGuard guard = {.count = 0};
    FV_REQUIRE(error, output);
    *output = NULL;
    FvStatus status = check_params(params, "fv_output_open", &guard, error);
    if (!status)
        status = fv_output_open_guarded(output, params->path, &guard, params->cancel, error);
    fv_guard_free(&guard);
    return status;
}
