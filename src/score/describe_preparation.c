#include "score/describe_preparation.h"

#include <stdio.h>

#include "picture/colour.h"
#include "picture/frame.h"

static const char *const sides[] = {"reference", "distorted video"};

FvStatus fv_treatment_report_rgb(const FvComparison *comparison, int side, FvError *error)
{
    char name[32];
    const FvSourceInfo *info = comparison->info[side];
    if (!info || !info->rgb || info->format.chroma == FV_CHROMA_RGB)
        return FV_OK;
    return DECIDE(comparison, error,
                  "the %s was converted from RGB to Y'CbCr 4:4:4 of limited range, by the matrix of %s", sides[side],
                  fv_colour_name(FV_TAG_MATRIX, info->format.matrix, name, sizeof name));
}

FvStatus fv_treatment_report_alpha(const FvComparison *comparison, int side, FvError *error)
{
    const FvSourceInfo *info = comparison->info[side];
    const FvSourceInfo *other = comparison->info[!side];
    if (!info || !info->alpha)
        return FV_OK;
    if (!info->flattened && other && other->flattened)
        return DOUBT(
            comparison, &(FvEvent){.kind = "alpha", .sided = true, .side = (FvSide)side}, error,
            "the alpha of the %s is left out, since it is Y'CbCr, and the alpha of the %s counts: where they are "
            "transparent they show different pictures; convert the %s to PNG with its alpha",
            sides[side], sides[!side], sides[side]);
    return info->flattened
               ? DECIDE(comparison, error, "the %s lies over the background #%06x where it is transparent",
                        sides[side], (unsigned)info->background)
               : DECIDE(comparison, error, "the alpha of the %s is left out: it is Y'CbCr", sides[side]);
}

FvStatus fv_treatment_report_grain(const FvComparison *comparison, int side, FvError *error)
{
    const FvSourceInfo *info = comparison->info[side];
    return !info || !info->no_grain ? FV_OK
                                    : DECIDE(comparison, error, "the %s was decoded without film grain", sides[side]);
}

static const char *kernel_name(const FvPrepareParams *prepare, char *text, size_t size)
{
    static const char *const names[] = {"bicubic", "bilinear", "lanczos", "spline36"};
    if (prepare->kernel)
        return names[prepare->kernel];
    snprintf(text, size, "bicubic (b %g, c %g)", prepare->b, prepare->c);
    return text;
}

FvStatus fv_treatment_report(const FvComparison *comparison, int side, FvError *error)
{
    const FvSourceInfo *info = comparison->info[side];
    const FvPrepareParams *prepare = &comparison->prepare[side];
    const FvFormat *to = &comparison->format[side];
    const int width = prepare->crop.width ? prepare->crop.width : info->format.width;
    const int height = prepare->crop.width ? prepare->crop.height : info->format.height;
    const bool moved = prepare->siting[0] != prepare->siting[1];
    char name[48], siting[64] = "", to_siting[32];
    FvStatus status = FV_OK;
    snprintf(to_siting, sizeof to_siting, " to %s", fv_siting_name(prepare->siting[1]));
    if (info->floats)
        status =
            DECIDE(comparison, error,
                   "the %s's samples of floating point were brought to 16 bits: 0 to 1 became 0 to 65535, to the "
                   "nearest",
                   sides[side]);
    if (!status && info->applied_rotation)
        status = DECIDE(comparison, error, "the %s was turned by %d degrees clockwise", sides[side],
                        info->applied_rotation);
    if (!status && prepare->to_range && prepare->to_range != prepare->range)
        status = DECIDE(comparison, error, "the %s was converted from %s to %s range at %d bits", sides[side],
                        fv_range_name(prepare->range), fv_range_name(prepare->to_range), to->depth);
    if (!status && prepare->matrix)
        status = DECIDE(comparison, error, "the %s was converted from the matrix of BT.%s to that of BT.%s",
                        sides[side], prepare->matrix == FV_MATRIX_601_TO_709 ? "601" : "709",
                        prepare->matrix == FV_MATRIX_601_TO_709 ? "709" : "601");
    kernel_name(prepare, name, sizeof name);
    if (info->format.chroma && to->chroma)
        snprintf(siting, sizeof siting, ", siting %s%s%s",
                 fv_siting_name(prepare->siting[0] ? prepare->siting[0] : FV_SITING_LEFT),
                 prepare->siting[0] ? "" : " (assumed)", moved ? to_siting : "");
    const FvCrop *inside = &prepare->inside;
    const int columns = inside->width ? inside->width : to->width;
    const int rows = inside->width ? inside->height : to->height;
    const bool scaled = width != columns || height != rows;
    const bool converted = to->chroma && to->chroma != info->format.chroma;
    const bool whole = info->format.chroma == FV_CHROMA_444 || !info->format.chroma;
    if (!status && scaled)
        status = DECIDE(comparison, error, "the %s was scaled from %dx%d to %dx%d, %s%s", sides[side], width, height,
                        columns, rows, kernel_name(prepare, name, sizeof name), siting);
    if (!status && inside->width)
        status =
            DECIDE(comparison, error,
                   "the %s got black bars: %d rows at the top, %d at the bottom, %d columns at the left and %d at "
                   "the right",
                   sides[side], inside->y, to->height - inside->y - rows, inside->x, to->width - inside->x - columns);
    if (!status && converted && to->chroma == FV_CHROMA_RGB)
        status = DECIDE(comparison, error, "the %s was converted from %s to RGB by the matrix of %s%s%s%s",
                        sides[side], fv_chroma_name(info->format.chroma),
                        fv_colour_name(FV_TAG_MATRIX, info->format.matrix, to_siting, sizeof to_siting),
                        comparison->guessed[side] ? " (by its size)" : "", whole ? "" : ", ",
                        whole ? "" : kernel_name(prepare, name, sizeof name));
    else if (!status && converted)
        status = DECIDE(comparison, error, "the %s was converted from %s to %s%s%s%s", sides[side],
                        fv_chroma_name(info->format.chroma), fv_chroma_name(to->chroma), scaled ? "" : ", ",
                        scaled ? " with that" : kernel_name(prepare, name, sizeof name), scaled ? "" : siting);
    if (!status && moved && !scaled && !converted)
        status = DECIDE(comparison, error, "the chroma of the %s was moved from %s to %s, %s", sides[side],
                        fv_siting_name(prepare->siting[0]), fv_siting_name(prepare->siting[1]),
                        kernel_name(prepare, name, sizeof name));
    return status;
}
