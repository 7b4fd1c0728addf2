/* The metrics of a session whose user names none. */
#include "session/state.h"

#include <stdio.h>

#include "base/error.h"

/* Whether a session with this metric starts with frames of these formats; if not, `error` says why. */
static bool suits(const char *metric, const FvFormat *reference, const FvFormat *distorted, FvError *error)
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
    return status == FV_OK;
}

FvStatus fv_session_add_usual(FvSession *session, const FvFormat *reference, const FvFormat *distorted,
                              bool allow_hdr, FvError *error)
{
    const char *const names[] = {"vmaf", "vmaf=allow_hdr=true"};
    char list[64], text[sizeof error->message + 32];
    FvError why = {0};
    FV_REQUIRE(error, session);
    FV_REQUIRE(error, reference);
    FV_REQUIRE(error, distorted);
    const bool equal = reference->width == distorted->width && reference->height == distorted->height &&
                       reference->chroma == distorted->chroma;
    const bool vmaf = equal && suits(names[allow_hdr], reference, distorted, &why);
    if (equal && !vmaf && session->params.log) {
        snprintf(text, sizeof text, "vmaf is left out: %s", why.message);
        session->params.log(session->params.opaque, FV_LOG_WARNING, text);
    }
    snprintf(list, sizeof list, "%s%spsnr,psnr_hvs", vmaf ? names[allow_hdr] : "", vmaf ? "," : "");
    return fv_session_add(session, list, error);
}
