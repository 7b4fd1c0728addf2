#include "score/compatibility.h"

#include <math.h>
#include <string.h>

#include "align/align.h"
#include "base/error.h"
#include "picture/colour.h"
#include "picture/frame.h"
#include "picture/rgb.h"
#include "score/describe_preparation.h"
#include "score/misfit.h"
#include "score/rate.h"
#include "score/rgb_matrix.h"
#include "score/shape.h"

static const char *const sides[] = {"reference", "distorted video"};
static const char *const members[] = {"reference", "distorted"}; /* prefixes of a side's parameters in remedies */

static bool asks_for_conversion(const FvComparison *comparison, unsigned conversion)
{
    return comparison->params->convert & conversion;
}

static bool is_rgb(const FvComparison *comparison, int side)
{
    return comparison->info[side] && comparison->info[side]->format.chroma == FV_CHROMA_RGB;
}

/* Returns the side that is converted to RGB because the other video is RGB; -1: none. */
static int side_for_rgb(const FvComparison *comparison)
{
    const bool both = comparison->info[FV_REFERENCE] != NULL;
    if (!both || is_rgb(comparison, FV_REFERENCE) == is_rgb(comparison, FV_DISTORTED))
        return -1;
    return is_rgb(comparison, FV_REFERENCE) ? FV_DISTORTED : FV_REFERENCE;
}

/* ---- Colour ---------------------------------------------------------------------------------------------------- */

/* Returns the conversion from one matrix to the other; FV_MATRIX_KEEP: there is none. */
static FvMatrixStep step_between(int from, int to)
{
    if (to == FV_H273_BT709 && fv_colour_same(FV_TAG_MATRIX, from, FV_H273_BT601))
        return FV_MATRIX_601_TO_709;
    return from == FV_H273_BT709 && fv_colour_same(FV_TAG_MATRIX, to, FV_H273_BT601) ? FV_MATRIX_709_TO_601
                                                                                     : FV_MATRIX_KEEP;
}

/*
 * Refuses `convert=matrix` if the user named the matrix of one video and the other is unknown: nothing would be
 * converted.
 */
static FvStatus fail_one_matrix(FvComparison *comparison, FvError *error)
{
    const int stated = comparison->info[FV_REFERENCE]->format.matrix ? FV_REFERENCE : FV_DISTORTED;
    const int matrix = comparison->info[stated]->format.matrix;
    const char *other = fv_colour_same(FV_TAG_MATRIX, matrix, FV_H273_BT601) ? "bt709" : "bt601";
    char name[32], remedy[48];
    snprintf(remedy, sizeof remedy, "%s.matrix=%s", members[!stated], other);
    fv_colour_name(FV_TAG_MATRIX, matrix, name, sizeof name);
    fv_misfit_note(comparison, remedy, "matrices (one is named as %s, the other is unknown)", name);
    return fv_fail(
        error, FV_FAIL_FORMAT,
        "the matrix of the %s is named as %s and the %s does not state its own, so the conversion is unknown; "
        "name the other matrix too with `%s`, or leave out `convert=matrix` if both are the same",
        sides[stated], name, sides[!stated], remedy);
}

/* Refuses linear light against samples of an unknown transfer, which players take to follow a curve. */
static FvStatus fail_linear(FvComparison *comparison, FvError *error)
{
    const int linear = comparison->info[FV_REFERENCE]->format.transfer ? FV_REFERENCE : FV_DISTORTED;
    const bool exr = !strcmp(comparison->info[linear]->codec, "exr");
    fv_misfit_note(comparison, "ignore_colour", "transfers linear and unstated");
    return fv_fail(
        error, FV_FAIL_FORMAT,
        "the %s is linear light and the %s does not state its transfer, which players take for a curve: if "
        "it is linear too, add `%s.transfer=linear`; else convert the %s first, with ffmpeg %s -pix_fmt rgb48 "
        "OUT.png, or compare code values anyway with `ignore_colour`",
        sides[linear], sides[!linear], members[!linear], sides[linear],
        exr ? "-apply_trc iec61966_2_1 -i IN.exr" : "-i IN -vf zscale=transferin=linear:transfer=iec61966-2-1");
}

static FvStatus check_tag(FvComparison *comparison, FvColourTag tag, FvError *error)
{
    const int ref = fv_format_tag(&comparison->info[FV_REFERENCE]->format, tag),
              dis = fv_format_tag(&comparison->info[FV_DISTORTED]->format, tag);
    const char *what = fv_colour_tag_name(tag);
    char names[2][32];
    fv_colour_name(tag, ref, names[0], sizeof names[0]);
    fv_colour_name(tag, dis, names[1], sizeof names[1]);
    if (fv_colour_same(tag, ref, dis))
        return FV_OK;
    if ((!ref || !dis) && tag == FV_TAG_MATRIX && asks_for_conversion(comparison, FV_CONVERT_MATRIX) &&
        comparison->info[ref ? FV_REFERENCE : FV_DISTORTED]->named.matrix)
        return fail_one_matrix(comparison, error);
    if ((!ref || !dis) && tag == FV_TAG_TRANSFER && (ref == FV_H273_LINEAR || dis == FV_H273_LINEAR) &&
        !comparison->params->ignore_colour)
        return fail_linear(comparison, error);
    if (!ref || !dis)
        return DECIDE(comparison, error, "the %s does not state its %s: taken to be %s like the other's",
                      sides[ref ? FV_DISTORTED : FV_REFERENCE], what, names[ref ? 0 : 1]);
    if (fv_colour_near(tag, ref, dis))
        return DECIDE(comparison, error,
                      "primaries differ (reference %s, distorted %s) by so little that practice ignores it", names[0],
                      names[1]);
    FvMatrixStep step = tag == FV_TAG_MATRIX ? step_between(dis, ref) : FV_MATRIX_KEEP;
    if (step && asks_for_conversion(comparison, FV_CONVERT_MATRIX)) {
        comparison->prepare[FV_DISTORTED].matrix = step;
        return FV_OK;
    }
    if (comparison->params->ignore_colour)
        return DECIDE(comparison, error, "%s differs (reference %s, distorted %s): ignored, code values are compared",
                      what, names[0], names[1]);
    fv_misfit_note(comparison, step ? "convert=matrix" : "ignore_colour", "%s %s and %s",
                   tag == FV_TAG_TRANSFER    ? "transfers"
                   : tag == FV_TAG_PRIMARIES ? "primaries"
                                             : "matrices",
                   names[0], names[1]);
    return fv_fail(error, FV_FAIL_FORMAT,
                   "the %s of the reference is %s and the distorted video has %s: their code values mean "
                   "different colours; %sif a tag is wrong, give the right one with `reference.%s` or "
                   "`distorted.%s`, or compare "
                   "code values anyway with `ignore_colour`",
                   what, names[0], names[1], step ? "convert the distorted video with `convert=matrix`; " : "", what,
                   what);
}

static FvStatus check_colour(FvComparison *comparison, FvError *error)
{
    FvStatus status = check_tag(comparison, FV_TAG_TRANSFER, error);
    if (!status)
        status = check_tag(comparison, FV_TAG_PRIMARIES, error);
    if (!status && !is_rgb(comparison, FV_REFERENCE) && !is_rgb(comparison, FV_DISTORTED))
        status = check_tag(comparison, FV_TAG_MATRIX, error);
    return status;
}

/* The tags in which stream and container differ, and the parameters by which a user chooses the container's tags. */
typedef struct Contradiction {
    char stated[256], remedy[256];
} Contradiction;

static void add_contradiction(Contradiction *text, int side, const char *what, const char *container,
                              const char *stream)
{
    static const char nameless[] = "code point ";
    const size_t stated = strlen(text->stated), remedy = strlen(text->remedy);
    const char *option =
        strncmp(container, nameless, sizeof nameless - 1) ? container : container + sizeof nameless - 1;
    snprintf(text->stated + stated, sizeof text->stated - stated, "%s%s %s and not %s", stated ? ", " : "", what,
             stream, container);
    snprintf(text->remedy + remedy, sizeof text->remedy - remedy, "%s`%s.%s=%s`", remedy ? " and " : "",
             members[side], what, option);
}

/* Warns if a container and the stream in it state different colours. */
static FvStatus check_container(const FvComparison *comparison, int side, FvError *error)
{
    const FvSourceInfo *info = comparison->info[side];
    if (!info)
        return FV_OK;
    const FvColour *colour = &info->container_colour;
    const int codes[][2] = {[FV_TAG_TRANSFER] = {colour->transfer, info->format.transfer},
                            [FV_TAG_PRIMARIES] = {colour->primaries, info->format.primaries},
                            [FV_TAG_MATRIX] = {colour->matrix, info->format.matrix}};
    Contradiction text = {.stated = ""};
    for (size_t tag = 0; tag < sizeof codes / sizeof *codes; tag++) {
        char names[2][32];
        if (!codes[tag][0])
            continue;
        for (int i = 0; i < 2; i++)
            fv_colour_name((FvColourTag)tag, codes[tag][i], names[i], sizeof names[i]);
        add_contradiction(&text, side, fv_colour_tag_name((FvColourTag)tag), names[0], names[1]);
    }
    if (colour->range)
        add_contradiction(&text, side, "range", fv_range_name(colour->range), fv_range_name(info->format.range));
    return *text.stated ? DOUBT(comparison, &(FvEvent){.kind = "tags", .sided = true, .side = (FvSide)side}, error,
                                "the %s follows the tags of its stream against those of its container: %s; if the "
                                "container is right, add %s",
                                sides[side], text.stated, text.remedy)
                        : FV_OK;
}

/* Assumes sRGB for image files without tags, unless the other video states something else. */
static FvStatus take_srgb(FvComparison *comparison, FvError *error)
{
    const FvSourceInfo *const *info = comparison->info;
    bool untold[2] = {true, true}, image = false;
    for (int side = 0; side < 2; side++)
        if (info[side]) {
            image |= info[side]->image;
            untold[0] &= !info[side]->format.transfer;
            untold[1] &= !info[side]->format.primaries;
        }
    if (!image || (!untold[0] && !untold[1]))
        return FV_OK;
    for (int side = 0; side < 2; side++) {
        if (untold[0])
            comparison->format[side].transfer = FV_H273_SRGB;
        if (untold[1])
            comparison->format[side].primaries = FV_H273_BT709;
    }
    return DECIDE(comparison, error, "no tag tells the %s of the pictures: taken to be sRGB",
                  !untold[0]   ? "primaries"
                  : !untold[1] ? "transfer"
                               : "transfer and primaries");
}

/* ---- Range and depth ------------------------------------------------------------------------------------------- */

/* Checks and converts the ranges. Y'CbCr of unstated range counts as limited, as in players. */
static FvStatus check_range(FvComparison *comparison, FvError *error)
{
    const FvRange ref = comparison->info[FV_REFERENCE]->format.range,
                  dis = comparison->info[FV_DISTORTED]->format.range;
    const int yuv = side_for_rgb(comparison);
    if (yuv >= 0)
        return comparison->info[yuv]->format.range
                   ? FV_OK
                   : DECIDE(comparison, error, "the %s does not state its range: taken to be limited", sides[yuv]);
    if (ref == dis)
        return ref ? FV_OK
                   : DECIDE(comparison, error, "neither video states its range: both are taken to be limited");
    if (comparison->params->ignore_range)
        return DECIDE(comparison, error,
                      "ranges differ (reference %s, distorted %s): ignored, code values are compared",
                      fv_range_name(ref), fv_range_name(dis));
    if ((!ref || !dis) && ref != FV_RANGE_FULL && dis != FV_RANGE_FULL)
        return DECIDE(comparison, error, "the %s does not state its range: taken to be limited like the other's",
                      sides[ref ? FV_DISTORTED : FV_REFERENCE]);
    if (!ref || !dis) {
        const int unknown = ref ? FV_DISTORTED : FV_REFERENCE;
        fv_misfit_note(comparison, ref ? "distorted.range=full" : "reference.range=full", "ranges full and unstated");
        return fv_fail(error, FV_FAIL_FORMAT,
                       "the %s is full range and the %s does not state its range, which players take for limited: "
                       "say what it is with `%s.range=full` or `%s.range=limited`, or compare code values anyway "
                       "with `ignore_range`",
                       sides[!unknown], sides[unknown], members[unknown], members[unknown]);
    }
    if (asks_for_conversion(comparison, FV_CONVERT_RANGE)) {
        /*
         * If the reader has converted RGB to limited range, the gray video is converted, so that no sample is rounded
         * twice.
         */
        const FvSourceInfo *const *info = comparison->info;
        const bool gray = !info[FV_REFERENCE]->format.chroma && !info[FV_REFERENCE]->rgb && info[FV_DISTORTED]->rgb;
        FvPrepareParams *prepare = &comparison->prepare[gray ? FV_REFERENCE : FV_DISTORTED];
        prepare->range = gray ? ref : dis;
        prepare->to_range = gray ? dis : ref;
        return FV_OK;
    }
    fv_misfit_note(comparison, "convert=range", "ranges %s and %s", fv_range_name(ref), fv_range_name(dis));
    return fv_fail(error, FV_FAIL_FORMAT,
                   "the reference is %s range and the distorted video %s range; convert the distorted video with "
                   "`convert=range`, correct a wrong tag with `reference.range` or `distorted.range`, or compare "
                   "code values "
                   "anyway with `ignore_range`",
                   fv_range_name(ref), fv_range_name(dis));
}

/* Returns the least depth, of at least `depth`, for which every metric but PSNR-HVS is defined. */
static int usual_depth(int depth)
{
    return depth <= 8 ? 8 : depth <= 10 ? 10 : depth <= 12 ? 12 : 16;
}

static FvStatus deepen(FvComparison *comparison, int side, int depth, FvError *error)
{
    const FvFormat *format = &comparison->info[side]->format;
    if (format->depth == depth)
        return FV_OK;
    comparison->prepare[side].depth = depth;
    comparison->prepare[side].range = format->range;
    if (format->range == FV_RANGE_FULL)
        return DECIDE(comparison, error,
                      "the %s's %d-bit samples of full range were brought to %d bits, to the nearest", sides[side],
                      format->depth, depth);
    return DECIDE(comparison, error, "the %s's %d-bit samples were multiplied by %d to compare at %d bits",
                  side == FV_REFERENCE ? "reference video" : "distorted video", format->depth,
                  1 << (depth - format->depth), depth);
}

/*
 * Chooses a common depth: the greater of the two, to which limited-range samples are multiplied exactly, or, with
 * `convert=depth`, a depth that metrics accept.
 */
static FvStatus check_depth(FvComparison *comparison, FvError *error)
{
    const FvSourceInfo *const *info = comparison->info;
    const bool asked = asks_for_conversion(comparison, FV_CONVERT_DEPTH);
    const int own = info[FV_DISTORTED]->format.depth,
              other = info[FV_REFERENCE] ? info[FV_REFERENCE]->format.depth : own;
    const int deeper = other > own ? other : own, depth = asked ? usual_depth(deeper) : deeper;
    FvStatus status = FV_OK;
    for (int side = 0; side < 2; side++)
        if (info[side] && info[side]->floats && !asked) {
            fv_misfit_note(comparison, "convert=depth", "samples of floating point and integers");
            return fv_fail(
                error, FV_FAIL_FORMAT,
                "the %s has samples of floating point: `convert=depth` brings them to 16 bits, numbers from "
                "0 to 1 to the whole range, and refuses others",
                sides[side]);
        }
    if (side_for_rgb(comparison) >= 0) {
        for (int side = 0; side < 2; side++) {
            comparison->prepare[side].depth = 16;
            comparison->prepare[side].range = info[side]->format.range;
        }
        return DECIDE(comparison, error, "the %s is RGB: both are compared as RGB of 16 bits",
                      sides[!side_for_rgb(comparison)]);
    }
    if (own != other && !asked &&
        (info[FV_REFERENCE]->format.range == FV_RANGE_FULL || info[FV_DISTORTED]->format.range == FV_RANGE_FULL) &&
        !comparison->prepare[FV_REFERENCE].to_range && !comparison->prepare[FV_DISTORTED].to_range) {
        fv_misfit_note(comparison, "convert=depth", "depths of %d and %d bits", other, own);
        return fv_fail(error, FV_FAIL_FORMAT,
                       "the reference has %d bits per sample and the distorted video %d, and full range has no exact "
                       "conversion between them: convert one of them first, or round to the nearest with "
                       "`convert=depth`",
                       other, own);
    }
    for (int side = 0; side < 2 && !status; side++)
        status = info[side] ? deepen(comparison, side, depth, error) : FV_OK;
    return status;
}

/* ---- Shape ----------------------------------------------------------------------------------------------------- */

static FvStatus crop(FvComparison *comparison, int side, FvError *error)
{
    const FvCrop *crop = &comparison->params->crop[side];
    FvStatus status = fv_prepare_check_crop(&comparison->info[side]->format, crop, error);
    if (status || !crop->width)
        return status;
    const FvFormat *format = &comparison->info[side]->format;
    if (crop->frames && crop->width == format->width && crop->height == format->height)
        return DECIDE(comparison, error, "the %s has no bars in common in the %lld frames that are not black",
                      sides[side], (long long)crop->frames);
    if (crop->frames)
        status = DECIDE(comparison, error,
                        "the %s has bars in all of the %lld frames that are not black: %d rows at the top, %d at the "
                        "bottom, %d columns at the left and %d at the right",
                        sides[side], (long long)crop->frames, crop->y, format->height - crop->y - crop->height,
                        crop->x, format->width - crop->x - crop->width);
    if (status)
        return status;
    comparison->prepare[side].crop = *crop;
    comparison->prepare[side].width = crop->width;
    comparison->prepare[side].height = crop->height;
    return DECIDE(comparison, error, "the %s was cropped to %dx%d at column %d, row %d", sides[side], crop->width,
                  crop->height, crop->x, crop->y);
}

/*
 * Compares only luma of a gray and a colour video. If both videos have chroma, `convert=chroma` converts them to the
 * poorest format that is compared and has all chroma of both.
 */
static FvStatus check_chroma(FvComparison *comparison, FvError *error)
{
    const bool both = comparison->info[FV_REFERENCE] != NULL;
    const FvChroma dis = comparison->info[FV_DISTORTED]->format.chroma,
                   ref = both ? comparison->info[FV_REFERENCE]->format.chroma : dis;
    const int yuv = side_for_rgb(comparison);
    const int matrix = yuv < 0 ? 0 : comparison->info[yuv]->format.matrix;
    char name[32];
    if (ref == dis && fv_chroma_is_scored(dis))
        return FV_OK;
    if (matrix && !fv_rgb_has_matrix(matrix)) {
        fv_misfit_note(comparison, "", "RGB and a matrix of %s",
                       fv_colour_name(FV_TAG_MATRIX, matrix, name, sizeof name));
        return fv_fail(error, FV_FAIL_FORMAT,
                       "the %s is RGB, and no rule converts the %s to RGB by its matrix of %s: convert one "
                       "of them first, or give the right matrix with `%s.matrix`",
                       sides[!yuv], sides[yuv], name, members[yuv]);
    }
    if (yuv >= 0) {
        comparison->prepare[yuv].chroma = FV_CHROMA_RGB;
        return FV_OK;
    }
    if (!ref || !dis) {
        comparison->prepare[ref ? FV_REFERENCE : FV_DISTORTED].chroma = FV_CHROMA_400;
        return DECIDE(comparison, error, "the %s is gray: luma alone is compared",
                      sides[ref ? FV_DISTORTED : FV_REFERENCE]);
    }
    const FvChroma common = fv_chroma_common(ref, dis);
    if (asks_for_conversion(comparison, FV_CONVERT_CHROMA)) {
        comparison->prepare[FV_REFERENCE].chroma = comparison->prepare[FV_DISTORTED].chroma = common;
        return FV_OK;
    }
    fv_misfit_note(comparison, "convert=chroma", "chroma formats %s and %s", fv_chroma_name(ref),
                   fv_chroma_name(dis));
    if (ref == dis)
        return fv_fail(error, FV_FAIL_FORMAT, "%s %s, which no metric takes: `convert=chroma` makes %s of %s",
                       both ? "both videos are" : "the video is", fv_chroma_name(dis), fv_chroma_name(common),
                       both ? "both" : "it");
    if (common != ref && common != dis)
        return fv_fail(error, FV_FAIL_FORMAT,
                       "the reference is %s and the distorted video %s: `convert=chroma` makes %s of both",
                       fv_chroma_name(ref), fv_chroma_name(dis), fv_chroma_name(common));
    return fv_fail(error, FV_FAIL_FORMAT,
                   "the reference is %s and the distorted video %s: `convert=chroma` brings the poorer one to the "
                   "chroma format of the other",
                   fv_chroma_name(ref), fv_chroma_name(dis));
}

/* Writes the size of the reference in square samples, as a player shows it. */
static void display_size(const FvSourceInfo *info, const FvPrepareParams *prepare, int *width, int *height)
{
    *width = prepare->width;
    *height = prepare->height;
    if (info->aspect_num > 0 && info->aspect_den > 0)
        *width = (int)(((int64_t)*width * info->aspect_num + info->aspect_den / 2) / info->aspect_den);
}

static FvStatus check_size(FvComparison *comparison, FvError *error)
{
    FvPrepareParams *ref = &comparison->prepare[FV_REFERENCE], *dis = &comparison->prepare[FV_DISTORTED];
    const FvScale *scale = &comparison->params->scale;
    const bool reference = comparison->info[FV_REFERENCE] != NULL;
    int width = scale->width, height = scale->height;
    if (scale->to == FV_SCALE_NONE) {
        if (!reference || (ref->width == dis->width && ref->height == dis->height))
            return FV_OK;
        fv_misfit_note(comparison, "scale=dis", "sizes %dx%d and %dx%d", ref->width, ref->height, dis->width,
                       dis->height);
        return fv_fail(
            error, FV_FAIL_SIZE,
            "the reference is %dx%d and the distorted video %dx%d: `scale=dis` brings the distorted video "
            "to the reference's size, `scale=ref` the other way round, and `reference.crop` or `distorted.crop` cuts "
            "bars off%s",
            ref->width, ref->height, dis->width, dis->height, fv_shape_other_stream(comparison));
    }
    if (scale->to != FV_SCALE_SIZE && !reference)
        return fv_fail(error, FV_ERROR_USAGE, "there is no reference to scale to: give the size, `scale=WxH`");
    if (scale->to == FV_SCALE_DISTORTED) {
        width = ref->width;
        height = ref->height;
    } else if (scale->to == FV_SCALE_REFERENCE) {
        width = dis->width;
        height = dis->height;
    } else if (scale->to == FV_SCALE_DISPLAY) {
        display_size(comparison->info[FV_REFERENCE], ref, &width, &height);
    }
    if (reference)
        fv_shape_pad(comparison, width, height);
    for (int side = 0; side < 2; side++) {
        comparison->prepare[side].width = width;
        comparison->prepare[side].height = height;
        comparison->prepare[side].kernel = scale->kernel;
        comparison->prepare[side].b = scale->cubic ? scale->b : 0;
        comparison->prepare[side].c = scale->cubic ? scale->c : 0.6;
    }
    return FV_OK;
}

/* ---- Field order ----------------------------------------------------------------------------------------------- */

static FvStatus check_fields(FvComparison *comparison, FvError *error)
{
    const FvFieldOrder ref = comparison->info[FV_REFERENCE]->fields, dis = comparison->info[FV_DISTORTED]->fields;
    if (!ref || !dis || ref == dis)
        return FV_OK;
    if (comparison->params->ignore_fields)
        return DECIDE(comparison, error,
                      "field orders differ (reference %s, distorted %s): ignored, frames are compared as they are",
                      fv_fields_name(ref), fv_fields_name(dis));
    fv_misfit_note(comparison, "ignore_fields", "field orders %s and %s", fv_fields_name(ref), fv_fields_name(dis));
    return fv_fail(
        error, FV_FAIL_FORMAT,
        "field orders differ: the reference is %s and the distorted video %s; if the frames belong together "
        "anyway, compare them with `ignore_fields`",
        fv_fields_name(ref), fv_fields_name(dis));
}

/* ---- Preparations ---------------------------------------------------------------------------------------------- */

static bool subsampled(FvChroma chroma)
{
    return fv_chroma_steps(chroma).across > 1;
}

/* Chooses the siting of chroma, which changes only if chroma is resampled and the reference's siting differs. */
static FvStatus choose_siting(FvComparison *comparison, FvError *error)
{
    const FvSourceInfo *const *info = comparison->info;
    FvPrepareParams *prepare = comparison->prepare;
    for (int side = 0; side < 2; side++)
        if (info[side])
            prepare[side].siting[0] = prepare[side].siting[1] = info[side]->format.siting;
    if (!info[FV_REFERENCE])
        return FV_OK;
    const FvSiting ref = info[FV_REFERENCE]->format.siting, dis = info[FV_DISTORTED]->format.siting;
    const bool both = subsampled(info[FV_REFERENCE]->format.chroma) && subsampled(info[FV_DISTORTED]->format.chroma);
    if (!both || !ref || !dis || ref == dis)
        return FV_OK;
    if (!comparison->params->scale.to && info[FV_REFERENCE]->format.chroma == info[FV_DISTORTED]->format.chroma)
        return DECIDE(comparison, error,
                      "chroma lies elsewhere (reference %s, distorted %s): it is compared as it is stored",
                      fv_siting_name(ref), fv_siting_name(dis));
    prepare[FV_DISTORTED].siting[1] = ref;
    return FV_OK;
}

static FvStatus check_pair(FvComparison *comparison, FvError *error)
{
    FvStatus status = check_fields(comparison, error);
    if (!status)
        status = fv_shape_check_rotation(comparison, error);
    if (!status)
        status = fv_rate_check(comparison, error);
    if (!status)
        status = check_colour(comparison, error);
    if (!status)
        status = check_range(comparison, error);
    return status;
}

/* Records coded pictures that cannot be decoded at the start of a capture. */
static FvStatus record_start(const FvComparison *comparison, int side, FvError *error)
{
    const FvSourceInfo *info = comparison->info[side];
    return !info || !info->left_out
               ? FV_OK
               : DECIDE(comparison, error,
                        "the %s begins within a group of pictures: its first %lld pictures cannot be decoded and are "
                        "left out, so that frame 0 is the one behind them; `align=auto` finds its place",
                        sides[side], (long long)info->left_out);
}

/* Records that the largest stream is not the first. */
static FvStatus record_stream(const FvComparison *comparison, int side, FvError *error)
{
    const FvSourceInfo *info = comparison->info[side];
    return !info || info->streams < 2
               ? FV_OK
               : DECIDE(comparison, error,
                        "the %s is video stream %d of the %d in its file: `%s.stream` names another", sides[side],
                        info->stream, info->streams, members[side]);
}

void fv_comparison_settle(FvSource *const source[2], const FvScoreParams *params)
{
    fv_rgb_matrix_settle(source);
    fv_rate_settle(source, params);
}

static FvStatus decide(FvComparison *comparison, FvError *error)
{
    const bool both = comparison->info[FV_REFERENCE] != NULL;
    FvStatus status = FV_OK;
    fv_rgb_matrix_choose(comparison->info, comparison->own, comparison->guessed);
    for (int side = 0; side < 2 && !status; side++) {
        comparison->info[side] = comparison->info[side] ? &comparison->own[side] : NULL;
        status = fv_treatment_report_rgb(comparison, side, error);
    }
    for (int side = 0; side < 2 && !status; side++)
        status = check_container(comparison, side, error);
    for (int side = 0; side < 2 && !status; side++)
        status = record_stream(comparison, side, error);
    for (int side = 0; side < 2 && !status; side++)
        status = record_start(comparison, side, error);
    for (int side = 0; side < 2 && !status; side++)
        status = fv_treatment_report_grain(comparison, side, error);
    for (int side = 0; side < 2 && !status; side++)
        status = fv_treatment_report_alpha(comparison, side, error);
    if (status)
        return status;
    for (int side = 0; side < 2; side++)
        if (comparison->info[side])
            comparison->prepare[side] = fv_prepare_nothing(&comparison->info[side]->format);
    status = choose_siting(comparison, error);
    if (!status && both)
        status = check_pair(comparison, error);
    if (!status)
        status = check_chroma(comparison, error);
    for (int side = 0; side < 2 && !status; side++)
        if (comparison->info[side])
            status = crop(comparison, side, error);
    if (!status && both)
        status = fv_shape_check(comparison, error);
    if (!status)
        status = check_depth(comparison, error);
    if (!status)
        status = check_size(comparison, error);
    for (int side = 0; side < 2 && !status; side++) {
        if (!comparison->info[side])
            continue;
        status = fv_prepare_format(&comparison->info[side]->format, &comparison->prepare[side],
                                   &comparison->format[side], error);
        if (!status)
            status = fv_treatment_report(comparison, side, error);
    }
    /* A picture file has no frame rate, so it gets that of the other video. */
    for (int side = 0; side < 2 && both && !status; side++)
        if (!comparison->format[side].rate_den) {
            comparison->format[side].rate_num = comparison->format[!side].rate_num;
            comparison->format[side].rate_den = comparison->format[!side].rate_den;
        }
    return status ? status : take_srgb(comparison, error);
}

FvStatus fv_comparison_decide(FvComparison *comparison, FvError *error)
{
    comparison->misfit.what[0] = '\0';
    const FvStatus status = decide(comparison, error);
    const bool both = comparison->info[FV_REFERENCE] != NULL;
    return status == FV_ERROR_INPUT && both && *comparison->misfit.what
               ? fv_misfit_name_all(comparison, decide, error)
               : status;
}

/* ---- Parameters ------------------------------------------------------------------------------------------------ */

FvStatus fv_comparison_check_params(const FvScoreParams *params, bool reference, FvError *error)
{
    if (params->subsample < 0 || params->frames < 0 || params->skip_reference < 0 || params->skip_distorted < 0 ||
        params->start < 0 || params->duration < 0)
        return fv_fail(error, FV_ERROR_USAGE,
                       "subsample, frames, frames to skip, start and duration cannot be negative");
    const bool found = params->align == FV_ALIGN_BY_OFFSET || params->align == FV_ALIGN_BY_CONTENT;
    if ((unsigned)params->align > FV_ALIGN_BY_CONTENT || found != (params->alignment != NULL))
        return fv_fail(error, FV_ERROR_USAGE, "pairs by content need an alignment, and nothing else takes one");
    if (params->align && (params->skip_reference || params->skip_distorted || params->start || params->duration))
        return fv_fail(error, FV_ERROR_USAGE,
                       "frames to skip, a start and a duration are for pairs by index: leave them out");
    if (params->align && !reference)
        return fv_fail(error, FV_ERROR_USAGE, "there is nothing to align without a reference");
    if ((unsigned)params->scale.fit > FV_FIT_PAD || (params->scale.fit == FV_FIT_PAD && !params->scale.to))
        return fv_fail(error, FV_ERROR_USAGE, "bars are added to what is scaled: `pad` needs `scale`");
    if ((unsigned)params->scale.to > FV_SCALE_SIZE || (unsigned)params->scale.kernel > FV_KERNEL_SPLINE36)
        return fv_fail(error, FV_ERROR_USAGE, "scaling target number %d or kernel number %d does not exist",
                       (int)params->scale.to, (int)params->scale.kernel);
    return FV_OK;
}
