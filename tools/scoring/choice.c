#include "scoring/choice.h"

#include <stdio.h>
#include <string.h>

#include "cli/message.h"

/* "name=psnr:opt=value", as some of libvmaf's callers write it, is psnr=opt=value. */
static FvStatus add_feature(FvSession *session, const char *text)
{
    char one[1024];
    if (strlen(text) >= sizeof one)
        return complain(FV_ERROR_USAGE, "--feature %.40s...: too long", text);
    snprintf(one, sizeof one, "%s", strncmp(text, "name=", 5) ? text : text + 5);
    char *colon = strchr(one, ':');
    if (text[0] && !strncmp(text, "name=", 5) && colon)
        *colon = '=';
    FvError error = {0};
    FvStatus status = fv_session_add(session, one, &error);
    return status ? complain(status, "%s", error.message) : FV_OK;
}

FvStatus choice_add(FvSession *session, const ArgList *metrics, const ArgList *features)
{
    FvError error = {0};
    FvStatus status = FV_OK;
    for (int i = 0; i < metrics->count; i++)
        if (fv_session_add(session, metrics->items[i], &error))
            return complain(error.status, "%s", error.message);
    for (int i = 0; i < features->count && status == FV_OK; i++)
        status = add_feature(session, features->items[i]);
    return status;
}

/* Whether a session of this metric starts with such frames; if not, `error` says why. */
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
    return status ? complain(status, "%s", error.message) : FV_OK;
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
    return complain(FV_ERROR_USAGE, "a metric compares with the reference: add -r FILE%s%s",
                    *list ? ", or choose among those that do not: " : "", list);
}
