/* Outputs that never replace the inputs of a session or other sources. */
#include "base/error.h"
#include "input/source.h"
#include "os/output.h"
#include "session/session.h"

#define MAX_SOURCES 8 /* of one output */
#define MAX_FILES 32

void fv_session_guard(const FvSession *session, FvGuard *guard)
{
    const FvInput *inputs[] = {&session->facts.reference, &session->facts.distorted};
    for (int side = 0; side < 2; side++)
        fv_guard_add(guard, inputs[side]->id, inputs[side]->path);
    for (int m = 0; m < session->metrics.count; m++) {
        const FvMetricRun *run = &session->metrics.run[m];
        const FvOptions *table = &run->metric->options;
        for (int i = 0; run->files && i < table->count; i++)
            fv_guard_add(guard, run->files[i].id, fv_option_path(run->options, table, i));
    }
}

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
    guard->count = 0;
    for (int i = 0; i < params->source_count; i++)
        if (params->sources[i])
            fv_guard_add(guard, params->sources[i]->stream.id, fv_source_info(params->sources[i])->path);
    for (int i = 0; i < params->file_count; i++)
        if (params->files[i])
            fv_guard_add_path(guard, params->files[i]);
    if (params->session)
        fv_session_guard(params->session, guard);
    return FV_OK;
}

FvStatus fv_output_check(const FvOutputParams *params, FvError *error)
{
    FvGuard guard;
    FvStatus status = check_params(params, "fv_output_check", &guard, error);
    return status ? status : fv_output_check_guarded(params->path, &guard, error);
}

FvStatus fv_output_open(FvOutput **output, const FvOutputParams *params, FvError *error)
{
    FvGuard guard;
    FV_REQUIRE(error, output);
    *output = NULL;
    FvStatus status = check_params(params, "fv_output_open", &guard, error);
    return status ? status : fv_output_open_guarded(output, params->path, &guard, params->cancel, error);
}
