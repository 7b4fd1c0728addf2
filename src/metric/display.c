#include "metric/display.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "picture/colour.h"

/* Returns the display's curve for a transfer tag, or NULL if there is none. */
static const char *transfer_of(int tag)
{
    const char *name = fv_light_transfer_of(tag);
    if (!name)
        return NULL;
    if (!strcmp(name, "bt709"))
        return "bt1886";
    return !strcmp(name, "pq") || !strcmp(name, "hlg") || !strcmp(name, "srgb") ? name : NULL;
}

FvDisplayOptions fv_display_by_tags(const FvMetricInstance *run, const FvDisplayOptions *given)
{
    FvDisplayOptions display = *given;
    FvLightOptions light = given->light;
    const int primaries = FV_TAG_OF(run, primaries);
    const char *shown = transfer_of(FV_TAG_OF(run, transfer)), *near = fv_light_primaries_of(primaries);
    light.transfer = light.primaries = "bt709";
    display.light = fv_light_by_tags(run, &light);
    display.light.transfer = strcmp(given->light.transfer, "auto") || !shown ? given->light.transfer : shown;
    display.light.primaries = strcmp(given->light.primaries, "auto") || !primaries ? given->light.primaries
                              : near                                               ? near
                                                                                   : "bt709";
    return fv_display_settled(&display);
}

/* Checks one of the two tags whose values have other names in display options, unless an option overrides the tag. */
static FvStatus check_tag(const FvMetricInstance *run, const char *given, FvColourTag tag, int ref, int dis,
                          const char *(*name_of)(int), FvError *error)
{
    const char *metric = run->metric->info.name, *noun[2] = {"transfer characteristics", "primaries"};
    const char *option[2] = {"transfer=pq, hlg, bt1886 or srgb", "primaries=bt709, bt2020 or p3"};
    const int which = tag == FV_TAG_PRIMARIES;
    const char *names[2] = {name_of(ref), name_of(dis)};
    char text[2][32];
    const char *tags[2] = {fv_colour_name(tag, ref, text[0], sizeof text[0]),
                           fv_colour_name(tag, dis, text[1], sizeof text[1])};
    if (strcmp(given, "auto"))
        return FV_OK;
    if (!names[0] || !names[1])
        return fv_fail(error, FV_ERROR_USAGE,
                       "%s: the videos are tagged with the %s %s, which the metric has no display for; say what "
                       "counts instead with %s",
                       metric, noun[which], tags[names[0] != NULL], option[which]);
    if (ref && dis && strcmp(names[0], names[1]))
        return fv_fail(error, FV_ERROR_USAGE,
                       "%s: the reference is tagged with the %s %s and the distorted video with %s; say which counts "
                       "for both with %s",
                       metric, noun[which], tags[0], tags[1], option[which]);
    return FV_OK;
}

static FvStatus check_display(const FvMetricInstance *run, const FvDisplayOptions *given,
                              const FvDisplayOptions *display, FvError *error)
{
    const char *metric = run->metric->info.name, *transfer = display->light.transfer;
    const bool hlg = !strcmp(transfer, "hlg");
    const double least = hlg ? 400 : 1, most = hlg ? 2000 : 10000;
    FvStatus status = check_tag(run, given->light.transfer, FV_TAG_TRANSFER, run->ref.transfer, run->dis.transfer,
                                transfer_of, error);
    if (!status)
        status = check_tag(run, given->light.primaries, FV_TAG_PRIMARIES, run->ref.primaries, run->dis.primaries,
                           fv_light_primaries_of, error);
    if (status)
        return status;
    if (hlg && strcmp(display->light.primaries, "bt2020"))
        return fv_fail(error, FV_ERROR_USAGE,
                       "%s: hlg is defined for the primaries of BT.2020, and these are %s; if the videos are of "
                       "BT.2020, say primaries=bt2020",
                       metric, display->light.primaries);
    if (!(display->peak >= least && display->peak <= most))
        return fv_fail(error, FV_ERROR_USAGE, "%s: peak=%g is not from %g to %g cd/m2, which %s takes", metric,
                       display->peak, least, most, transfer);
    if (!(display->black >= 0 && display->black <= display->peak / 2))
        return fv_fail(error, FV_ERROR_USAGE, "%s: black=%g is not from 0 to half of peak=%g", metric, display->black,
                       display->peak);
    return FV_OK;
}

FvStatus fv_display_choose(FvMetricInstance *run, const FvDisplayOptions *given, FvError *error)
{
    const FvDisplayOptions display = fv_display_by_tags(run, given);
    FvLightOptions light = given->light;
    light.transfer = light.primaries = NULL;
    FvStatus status = fv_light_check(run, &light, error);
    if (!status)
        status = check_display(run, given, &display, error);
    if (status)
        return status;
    light.transfer = display.light.transfer;
    light.primaries = display.light.primaries;
    fv_light_note(run, &light);
    const bool guessed[2] = {!strcmp(given->light.transfer, "auto") && !FV_TAG_OF(run, transfer),
                             !strcmp(given->light.primaries, "auto") && !FV_TAG_OF(run, primaries)};
    const size_t used = strlen(run->note);
    snprintf(run->note + used, sizeof run->note - used, "; the display shows %g to %g cd/m2%s", display.black,
             display.peak,
             guessed[0] && guessed[1] ? "; no tag tells transfer and primaries"
             : guessed[0]             ? "; no tag tells the transfer"
             : guessed[1]             ? "; no tag tells the primaries"
                                      : "");
    return FV_OK;
}
