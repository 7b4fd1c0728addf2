#include "score/rgb_matrix.h"

#include "input/source.h"
#include "picture/colour.h"
#include "picture/rgb.h"

/* Frames of at least this size count as BT.709 and smaller ones as BT.601, as in mpv and most players. */
#define HIGH_DEFINITION_COLUMNS 1280
#define STANDARD_DEFINITION_ROWS 576

static int guess(const FvFormat *format)
{
    return format->width >= HIGH_DEFINITION_COLUMNS || format->height > STANDARD_DEFINITION_ROWS ? FV_H273_BT709
                                                                                                 : FV_H273_BT601;
}

static bool is_rgb(const FvSourceInfo *info)
{
    return info->rgb || info->format.chroma == FV_CHROMA_RGB;
}

/* Returns whether the video is stored as Y'CbCr with chroma. */
static bool has_matrix(const FvSourceInfo *info)
{
    return !is_rgb(info) && info->format.chroma;
}

void fv_rgb_matrix_choose(const FvSourceInfo *const info[2], FvSourceInfo chosen[2], bool guessed[2])
{
    for (int side = 0; side < 2; side++) {
        guessed[side] = false;
        if (info[side])
            chosen[side] = *info[side];
    }
    for (int side = 0; side < 2; side++) {
        const int other = !side;
        if (!info[side] || !info[other] || !is_rgb(info[side]))
            continue;
        FvFormat *yuv = &chosen[other].format;
        if (has_matrix(info[other]) && !yuv->matrix) {
            guessed[other] = !info[side]->named.matrix;
            yuv->matrix = guessed[other] ? guess(yuv) : info[side]->named.matrix;
        }
        const int matrix = has_matrix(info[other]) ? yuv->matrix : info[other]->named.matrix;
        if (info[side]->named.matrix || !fv_rgb_has_matrix(matrix))
            continue;
        if (chosen[side].format.chroma != FV_CHROMA_RGB)
            chosen[side].format.matrix = matrix;
        if (chosen[side].rgb_matrix)
            chosen[side].rgb_matrix = matrix;
    }
}

void fv_rgb_matrix_settle(FvSource *const source[2])
{
    const FvSourceInfo *const info[2] = {fv_source_info(source[FV_REFERENCE]), fv_source_info(source[FV_DISTORTED])};
    FvSourceInfo chosen[2];
    bool guessed[2];
    fv_rgb_matrix_choose(info, chosen, guessed);
    for (int side = 0; side < 2; side++)
        if (info[side] && info[side]->rgb)
            fv_source_convert_rgb(source[side], chosen[side].format.matrix, chosen[side].rgb_matrix);
}
