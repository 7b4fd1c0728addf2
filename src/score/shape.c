#include "score/shape.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "picture/format.h"
#include "score/misfit.h"

/* Returns the ratio of a sample's width to its height; 1 if unknown, as in players. */
static double sample_aspect(const FvSourceInfo *info)
{
    return info->aspect_num > 0 && info->aspect_den > 0 ? (double)info->aspect_num / info->aspect_den : 1;
}

/*
 * A frame as a player shows it, rotated or not: the columns and rows that are compared, and the aspect ratio of its
 * samples.
 */
typedef struct Shown {
    double width, height, sample;
} Shown;

static Shown shown_of(const FvSourceInfo *info, const FvPrepareParams *prepare, bool aspects, bool turned)
{
    const Shown stored = {prepare->width, prepare->height, aspects ? sample_aspect(info) : 1};
    return turned && info->display_rotation % 180 ? (Shown){stored.height, stored.width, 1 / stored.sample} : stored;
}

/* Returns by how many samples a frame misses a shape: in width or in height, whichever is less. */
static double off_by(Shown shown, double shape)
{
    const double across = fabs(shape * shown.height / shown.sample - shown.width);
    const double down = fabs(shown.width * shown.sample / shape - shown.height);
    return across < down ? across : down;
}

static double shape_of(Shown shown)
{
    return shown.width * shown.sample / shown.height;
}

/* Returns whether a frame nearly has a shape. If its bars were found, each edge may be off by one chroma sample. */
static bool near(const FvComparison *comparison, int side, Shown shown, double shape)
{
    const FvChromaSteps steps = fv_chroma_steps(comparison->info[side]->format.chroma);
    const int step = steps.across > steps.down ? steps.across : steps.down;
    return off_by(shown, shape) <= (comparison->params->crop[side].frames && step > 1 ? 1 + step : 1) + 1e-6;
}

/* Returns whether both videos have the same shape, within one sample of the video with fewer samples. */
static bool same_shape(const FvComparison *comparison, bool aspects, bool turned)
{
    Shown shown[2];
    for (int side = 0; side < 2; side++)
        shown[side] = shown_of(comparison->info[side], &comparison->prepare[side], aspects, turned);
    return near(comparison, FV_REFERENCE, shown[0], shape_of(shown[1])) ||
           near(comparison, FV_DISTORTED, shown[1], shape_of(shown[0]));
}

/* Returns whether the shapes fit. A video that does not state its sample aspect ratio may have the other video's. */
static bool shapes_fit(const FvComparison *comparison, bool turned)
{
    const bool known = comparison->info[FV_REFERENCE]->aspect_num && comparison->info[FV_DISTORTED]->aspect_num;
    return same_shape(comparison, true, turned) || (!known && same_shape(comparison, false, turned));
}

FvStatus fv_shape_check_rotation(FvComparison *comparison, FvError *error)
{
    static const char *const mirrors[] = {"", " and mirror it"};
    const FvSourceInfo *const *info = comparison->info;
    const int ref = info[FV_REFERENCE]->display_rotation, dis = info[FV_DISTORTED]->display_rotation;
    const bool mirrored[2] = {info[FV_REFERENCE]->mirrored, info[FV_DISTORTED]->mirrored};
    const bool stored = shapes_fit(comparison, false), turned = shapes_fit(comparison, true);
    const bool turns = !mirrored[0] && !mirrored[1];
    const char *remedy =
        turns && !stored  ? "`rotate=auto` turns both as players do"
        : turns && turned ? "`rotate=auto` turns both as players do, and `rotate=0` compares them as they are stored"
        : stored          ? "`rotate=0` compares them as they are stored"
                          : "write one of them anew as players show it, for example with ffmpeg";
    if (ref == dis && mirrored[0] == mirrored[1])
        return FV_OK;
    if ((ref - dis) % 180 == 0)
        return DOUBT(comparison, &(FvEvent){.kind = "rotation", .remedy = turns ? "rotate=auto" : "rotate=0"}, error,
                     "rotations differ: players turn the reference by %d degrees%s and the distorted video by %d%s, "
                     "and pictures are compared as they are stored; %s",
                     ref, mirrors[mirrored[0]], dis, mirrors[mirrored[1]],
                     turns ? "`rotate=auto` turns both as players do" : "`rotate=0` says that this is right");
    fv_misfit_note(comparison,
                   turns && (!stored || turned) ? "rotate=auto"
                   : stored                     ? "rotate=0"
                                                : "",
                   "rotations by %d and %d degrees", ref, dis);
    return fv_fail(error, FV_FAIL_SIZE,
                   "players turn the reference by %d degrees%s and the distorted video by %d%s: %s", ref,
                   mirrors[mirrored[0]], dis, mirrors[mirrored[1]], remedy);
}

/* Writes "1920x1080" or "720x576 with samples of 16:11". */
static char *describe_shape(const FvSourceInfo *info, const FvPrepareParams *prepare, char *text, size_t size)
{
    const int used = snprintf(text, size, "%dx%d", prepare->width, prepare->height);
    if (info->aspect_num > 0 && info->aspect_den > 0 && info->aspect_num != info->aspect_den)
        snprintf(text + used, size - (size_t)used, " with samples of %d:%d", info->aspect_num, info->aspect_den);
    return text;
}

const char *fv_shape_other_stream(const FvComparison *comparison)
{
    return comparison->info[FV_REFERENCE]->streams > 1   ? "; `reference.stream` names another video of its file"
           : comparison->info[FV_DISTORTED]->streams > 1 ? "; `distorted.stream` names another video of its file"
                                                         : "";
}

FvStatus fv_shape_check(FvComparison *comparison, FvError *error)
{
    const FvPrepareParams *ref = &comparison->prepare[FV_REFERENCE], *dis = &comparison->prepare[FV_DISTORTED];
    const FvScale *scale = &comparison->params->scale;
    const bool equal = ref->width == dis->width && ref->height == dis->height;
    char names[2][64];
    if (shapes_fit(comparison, false) || (scale->to && scale->fit == FV_FIT_PAD))
        return FV_OK;
    describe_shape(comparison->info[FV_REFERENCE], ref, names[0], sizeof names[0]);
    describe_shape(comparison->info[FV_DISTORTED], dis, names[1], sizeof names[1]);
    if (scale->fit == FV_FIT_STRETCH)
        return DECIDE(comparison, error, "shapes differ (reference %s, distorted %s): %s", names[0], names[1],
                      scale->to ? "one was stretched to the other" : "samples are compared as they are");
    if (equal || scale->to)
        fv_misfit_note(comparison, "stretch", "shapes %s and %s", names[0], names[1]);
    else
        fv_misfit_note(comparison, "scale=dis pad", "shapes %s and %s", names[0], names[1]);
    if (equal)
        return fv_fail(error, FV_FAIL_SIZE,
                       "players show different shapes: the reference is %s and the distorted video %s; `stretch` "
                       "compares the samples anyway",
                       names[0], names[1]);
    const char *with = scale->to ? "" : "`scale=dis` with ";
    const FvCrop *found = &comparison->params->crop[FV_DISTORTED];
    const FvFormat *const formats[] = {&comparison->info[FV_REFERENCE]->format,
                                       &comparison->info[FV_DISTORTED]->format};
    /*
     * Both frames have the same size, so the distorted video's bars hide a part of the picture and do not surround
     * it.
     */
    if (found->frames && !comparison->params->crop[FV_REFERENCE].width && formats[0]->width == formats[1]->width &&
        formats[0]->height == formats[1]->height)
        return fv_fail(error, FV_FAIL_SIZE,
                       "the distorted video without its bars is %s and the reference %s, of which it shows a part; "
                       "`reference.crop=%d:%d:%d:%d` cuts that part out, and %s`stretch` scales one shape to the "
                       "other",
                       names[1], names[0], found->width, found->height, found->x, found->y, with);
    return fv_fail(
        error, FV_FAIL_SIZE,
        "players show different shapes: the reference is %s and the distorted video %s; %s`reference.crop=auto` "
        "or `distorted.crop=auto` cuts bars off, %s`pad` adds bars to what is scaled, and %s`stretch` scales "
        "one "
        "shape to the other%s",
        names[0], names[1], with, with, with, fv_shape_other_stream(comparison));
}

/* Returns the nearest multiple of `unit` in [unit, most]. */
static int rounded(double size, int unit, int most)
{
    const int nearest = (int)(size / unit + 0.5) * unit;
    return nearest < unit ? unit : nearest > most ? most : nearest;
}

/* Places a frame, in its own shape, in the middle of the frame that it is scaled to. */
static void pad(FvPrepareParams *prepare, Shown picture, double sample, int width, int height)
{
    const double shape = shape_of(picture) / sample;
    const FvChromaSteps steps = fv_chroma_steps(prepare->chroma);
    const bool wide = shape * height > width;
    FvCrop inside = {.width = wide ? width : rounded(height * shape, steps.across, width),
                     .height = wide ? rounded(width / shape, steps.down, height) : height};
    inside.x = (width - inside.width) / 2 / steps.across * steps.across;
    inside.y = (height - inside.height) / 2 / steps.down * steps.down;
    if (inside.width < width || inside.height < height)
        prepare->inside = inside;
}

void fv_shape_pad(FvComparison *comparison, int width, int height)
{
    const FvScale *scale = &comparison->params->scale;
    const double sample = scale->to == FV_SCALE_DISTORTED   ? sample_aspect(comparison->info[FV_REFERENCE])
                          : scale->to == FV_SCALE_REFERENCE ? sample_aspect(comparison->info[FV_DISTORTED])
                                                            : 1;
    if (scale->fit != FV_FIT_PAD || shapes_fit(comparison, false))
        return;
    for (int side = 0; side < 2; side++)
        pad(&comparison->prepare[side], shown_of(comparison->info[side], &comparison->prepare[side], true, false),
            sample, width, height);
}
