#include "scoring/choice.h"

#include <stdio.h>
#include <string.h>

#include "cli/message.h"

FvStatus choice_add(FvSession *session, const ArgList *metrics)
{
    FvError error = {0};
    FvStatus status = FV_OK;
    for (int i = 0; i < metrics->count && !status; i++)
        status = fv_session_add(session, metrics->items[i], &error);
    return complain_if(status, &error);
}

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

FvStatus choice_add_usual(FvSession *session, const FvFormat *reference, const FvFormat *distorted)
{
    FvError error = {0};
    bool equal = reference->width == distorted->width && reference->height == distorted->height &&
                 reference->chroma == distorted->chroma;
    bool vmaf = equal && suits("vmaf", reference, distorted, &error);
    if (equal && !vmaf)
        warn("vmaf is left out: %s", error.message);
    FvStatus status = fv_session_add(session, vmaf ? "vmaf,psnr,psnr_hvs" : "psnr,psnr_hvs", &error);
    return complain_if(status, &error);
}

FvStatus choice_allows_no_reference(const FvSession *session)
{
    if (!fv_session_needs_reference(session))
        return FV_OK;
    char list[256] = "";
    for (int i = 0; i < fv_metric_count(); i++)
        if (!fv_metric_info(i)->needs_reference)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? ", " : "",
                     fv_metric_info(i)->name);
    return complain(FV_ERROR_USAGE, "a metric needs the reference: add -r FILE%s%s",
                    *list ? ", or choose a metric that works without one: " : "", list);
}
