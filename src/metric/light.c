#include "metric/light.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "picture/colour.h"
#include "picture/frame.h"

typedef const char *NameOf(int code);

static const char *matrix_of(int code)
{
    switch (code) {
    case FV_H273_UNKNOWN:
    case FV_H273_BT709:
        return "bt709";
    case FV_H273_BT470BG:
    case FV_H273_BT601:
        return "bt601";
    case FV_H273_BT2020:
        return "bt2020";
    default:
        return NULL;
    }
}

const char *fv_light_transfer_of(int code)
{
    static const char *const names[] = {"bt709", "bt709",  NULL, NULL, "gamma22", "gamma28", "bt709",
                                        "bt709", "linear", NULL, NULL, "bt709",   "bt709",   "srgb",
                                        "bt709", "bt709",  "pq", NULL, "hlg"};
    return (unsigned)code < sizeof names / sizeof *names ? names[code] : NULL;
}

bool fv_light_is_sdr(int transfer)
{
    const char *name = fv_light_transfer_of(transfer);
    return name && strcmp(name, "linear") && strcmp(name, "pq") && strcmp(name, "hlg");
}

/*
 * Returns a name in fv_light_primaries. The primaries of BT.601 and SMPTE 240M are so close to BT.709's that they
 * count as BT.709, as is usual in practice.
 */
const char *fv_light_primaries_of(int code)
{
    const bool near = code == FV_H273_BT470BG || code == FV_H273_BT601 || code == FV_H273_SMPTE240M;
    return !code || code == FV_H273_BT709 || near ? "bt709"
           : code == FV_H273_BT2020               ? "bt2020"
           : code == FV_H273_DISPLAY_P3           ? "p3"
                                                  : NULL;
}

/* R'G'B' frames have no matrix coefficients, so every code is "auto". */
static const char *matrix_of_rgb(int code)
{
    (void)code;
    return "rgb";
}

static const char *range_of(int code)
{
    return code == FV_RANGE_FULL ? "full" : "limited";
}

static const char *location_420(int siting)
{
    static const char *const names[] = {"left", "left", "center", "topleft", NULL, NULL, NULL};
    return names[siting];
}

/* Returns the chroma location for 4:2:2, where only the horizontal position matters. */
static const char *location_422(int siting)
{
    return siting == FV_SITING_CENTER || siting == FV_SITING_TOP || siting == FV_SITING_BOTTOM ? "center" : "left";
}

static const char *location_none(int siting)
{
    (void)siting;
    return "left";
}

/* ---- The parts of a colour ---------------------------------------------------------------------------------- */

enum { MATRIX, TRANSFER, PRIMARIES, RANGE, LOCATION, PARTS };

/* One part: its option, the tags of both videos, and the function that names the option's value for a tag. */
typedef struct Part {
    const char *option, *noun, *given, *values;
    int ref, dis;
    NameOf *name_of;
} Part;

static void list_parts(const FvMetricInstance *run, const FvLightOptions *given, Part *part)
{
    const FvFormat *ref = &run->ref, *dis = &run->dis;
    const bool rgb = dis->chroma == FV_CHROMA_RGB;
    NameOf *location = dis->chroma == FV_CHROMA_420   ? location_420
                       : dis->chroma == FV_CHROMA_422 ? location_422
                                                      : location_none;
    part[MATRIX] =
        (Part){"matrix",    "matrix coefficients",          given->matrix, "bt709, bt601 or bt2020", ref->matrix,
               dis->matrix, rgb ? matrix_of_rgb : matrix_of};
    part[TRANSFER] = (Part){"transfer",          "transfer characteristics",
                            given->transfer,     "bt709, srgb, gamma22, gamma28, linear, pq or hlg",
                            ref->transfer,       dis->transfer,
                            fv_light_transfer_of};
    part[PRIMARIES] = (Part){"primaries",    "primaries",    given->primaries,     "bt709, bt2020 or p3",
                             ref->primaries, dis->primaries, fv_light_primaries_of};
    part[RANGE] =
        (Part){"range", "range", given->range, "limited or full", (int)ref->range, (int)dis->range, range_of};
    part[LOCATION] = (Part){"chroma_location", "chroma location", given->location, "left, center or topleft",
                            (int)ref->siting,  (int)dis->siting,  location};
}

static bool by_tags(const Part *part)
{
    return part->given && !strcmp(part->given, "auto");
}

static int tag_of(const Part *part)
{
    return part->dis ? part->dis : part->ref;
}

static const char *value_of(const Part *part)
{
    const char *name = by_tags(part) ? part->name_of(tag_of(part)) : part->given;
    return name ? name : part->name_of(0);
}

/* Writes a tag as text: "pq", "code point 17", "bottom". */
static const char *tag_name(const Part *part, const Part *first, int code, char *text, size_t size)
{
    static const FvColourTag tags[] = {FV_TAG_MATRIX, FV_TAG_TRANSFER, FV_TAG_PRIMARIES};
    const int i = (int)(part - first);
    return i == RANGE      ? fv_range_name((FvRange)code)
           : i == LOCATION ? fv_siting_name((FvSiting)code)
                           : fv_colour_name(tags[i], code, text, size);
}

FvLightOptions fv_light_by_tags(const FvMetricInstance *run, const FvLightOptions *given)
{
    Part part[PARTS];
    list_parts(run, given, part);
    return (FvLightOptions){.matrix = value_of(&part[MATRIX]),
                            .range = value_of(&part[RANGE]),
                            .transfer = value_of(&part[TRANSFER]),
                            .primaries = value_of(&part[PRIMARIES]),
                            .location = value_of(&part[LOCATION])};
}

FvStatus fv_light_check(const FvMetricInstance *run, const FvLightOptions *given, FvError *error)
{
    Part parts[PARTS];
    char names[2][32];
    const char *metric = run->metric->info.name;
    list_parts(run, given, parts);
    for (const Part *part = parts; part < parts + PARTS; part++) {
        const char *tag[2] = {tag_name(part, parts, part->ref, names[0], sizeof names[0]),
                              tag_name(part, parts, part->dis, names[1], sizeof names[1])};
        if (!by_tags(part))
            continue;
        for (int side = 0; side < 2; side++)
            if (!part->name_of(side ? part->dis : part->ref))
                return fv_fail(error, FV_ERROR_USAGE,
                               "%s: the videos are tagged with the %s %s, which the metric has no model for; say "
                               "what counts instead with %s=%s",
                               metric, part->noun, tag[side], part->option, part->values);
        const bool differ = part->ref && part->dis && strcmp(part->name_of(part->ref), part->name_of(part->dis)) != 0;
        if (differ && part - parts != LOCATION)
            return fv_fail(error, FV_ERROR_USAGE,
                           "%s: the reference is tagged with the %s %s and the distorted video with %s; say which "
                           "counts for both with %s=%s",
                           metric, part->noun, tag[0], tag[1], part->option, part->values);
    }
    return FV_OK;
}

void fv_light_note(FvMetricInstance *run, const FvLightOptions *given)
{
    Part parts[PARTS];
    char name[32], untold[128] = "";
    list_parts(run, given, parts);
    const bool subsampled = run->dis.chroma == FV_CHROMA_420 || run->dis.chroma == FV_CHROMA_422;
    const int count = subsampled ? PARTS : LOCATION;
    for (int i = 0; i < count; i++)
        if (by_tags(&parts[i]) && !tag_of(&parts[i]) && parts[i].name_of != matrix_of_rgb)
            snprintf(untold + strlen(untold), sizeof untold - strlen(untold), "%s%s", *untold ? ", " : "",
                     parts[i].noun);
    snprintf(run->note, sizeof run->note,
             "light by the matrix of %s, the transfer of %s, the primaries of %s, %s range", value_of(&parts[MATRIX]),
             value_of(&parts[TRANSFER]), value_of(&parts[PRIMARIES]), value_of(&parts[RANGE]));
    size_t used = strlen(run->note);
    if (subsampled)
        snprintf(run->note + used, sizeof run->note - used, ", chroma %s", value_of(&parts[LOCATION]));
    used = strlen(run->note);
    const Part *primaries = &parts[PRIMARIES];
    if (by_tags(primaries) && !strcmp(value_of(primaries), "bt709") && tag_of(primaries) > FV_H273_BT709)
        snprintf(run->note + used, sizeof run->note - used, "; %s are near enough to these primaries",
                 tag_name(primaries, parts, tag_of(primaries), name, sizeof name));
    used = strlen(run->note);
    if (*untold)
        snprintf(run->note + used, sizeof run->note - used, "; no tag tells: %s", untold);
}
