/* Adds the default metrics, for a user who names none. */
#include "session/state.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "feature/check.h"

/*
 * Tries a metric: starts a session with it and frames of these formats. The error says why the metric does not accept
 * them.
 */
static FvStatus try_metric(const char *metric, const FvFormat *reference, const FvFormat *distorted, FvError *error)
{
    FvFormat ref = *reference, dis = *distorted;
    ref.depth = dis.depth = ref.depth > dis.depth ? ref.depth : dis.depth;
    FvSession *trial = NULL;
    FvStatus status =
        fv_session_open(&trial, &(FvSessionParams){.device = "cpu", .threads = 1, .in_flight = 1}, error);
    if (status == FV_OK)
        status = fv_session_add(trial, metric, error);
    if (status == FV_OK)
        status = fv_session_start(trial, &ref, &dis, error);
    fv_session_close(&trial);
    return status;
}

static void report_left_out(const FvSession *session, const char *metric, const FvError *why)
{
    char text[sizeof why->message + 64];
    if (!session->params.log)
        return;
    snprintf(text, sizeof text, "%.*s is left out: %s", (int)strcspn(metric, "="), metric, why->message);
    session->params.log(session->params.opaque, FV_LOG_WARNING, text);
}

/* Adds a metric if it accepts the formats; otherwise warns that it is left out. FV_ERROR_MEMORY: memory ran out. */
static FvStatus add_if_it_suits(FvSession *session, const char *metric, const FvFormat *reference,
                                const FvFormat *distorted, FvError *error)
{
    FvError why = {0};
    const FvStatus status = try_metric(metric, reference, distorted, &why);
    if (status == FV_OK)
        return fv_session_add(session, metric, error);
    if (status == FV_ERROR_MEMORY)
        return fv_fail(error, fv_failure_of(&why), "%s", why.message);
    report_left_out(session, metric, &why);
    return FV_OK;
}

FvStatus fv_session_add_rgb_metrics(FvSession *session, const FvFormat formats[2], FvError *error)
{
    FvStatus status = FV_OK;
    for (int i = 0; i < fv_metric_count() && !status; i++) {
        const FvMetricInfo *info = fv_metric_info(i);
        if (info->takes_rgb)
            status = add_if_it_suits(session, info->name, &formats[FV_REFERENCE], &formats[FV_DISTORTED], error);
    }
    return status;
}

FvStatus fv_session_add_default(FvSession *session, const FvFormat *reference, const FvFormat *distorted,
                                bool allow_hdr, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, session);
    FV_REQUIRE(error, reference);
    FV_REQUIRE(error, distorted);
    const bool equal = reference->width == distorted->width && reference->height == distorted->height &&
                       reference->chroma == distorted->chroma;
    const bool hdr = fv_check_is_hdr(distorted);
    FvStatus status = FV_OK;
    if (equal && hdr) { /* first, because the verdict uses the first score if no score has words */
        status = add_if_it_suits(session, "cvvdp", reference, distorted, error);
        if (!status)
            status = add_if_it_suits(session, "pu_psnr", reference, distorted, error);
        if (!allow_hdr && session->params.log)
            session->params.log(
                session->params.opaque, FV_LOG_INFO,
                "vmaf is left out: its models are made for standard dynamic range; `allow_hdr` adds it");
    }
    if (!status && equal && (!hdr || allow_hdr))
        status = add_if_it_suits(session, allow_hdr ? "vmaf=allow_hdr=true" : "vmaf", reference, distorted, error);
    if (!status) /* without a trial: psnr accepts every format, so a failure must be returned to the caller */
        status = fv_session_add(session, "psnr", error);
    if (!status)
        status = equal ? add_if_it_suits(session, "psnr_hvs", reference, distorted, error)
                       : fv_session_add(session, "psnr_hvs", error);
    return status;
}
