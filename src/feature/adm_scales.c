/* The sizes of ADM's scales, and the shifts that depend on them. docs/metrics/adm.md */
#include <math.h>
#include <string.h>

#include "arith/scalar.h"

#include "arith/adm.h"
#include "feature/adm.h"

static int log2_up(int n)
{
    int bits = 0;
    while ((int64_t)1 << bits < n)
        bits++;
    return bits;
}

static int most(int a, int b)
{
    return a > b ? a : b;
}

/* Returns the width of the border that is not scored: about a tenth of the band. */
static int border(int size)
{
    return (int)(size * 0.1 - 0.5);
}

/* Returns the low 32 bits of the integer part of x; the integer part may have more bits. */
static uint32_t whole(double x)
{
    return (uint32_t)(uint64_t)x;
}

static void set_factors(const FvAdmOptions *options, const FvAdmSensitivity *at, FvAdmScale *scale)
{
    double straight = at->straight, diagonal = at->diagonal;
    bool usual = fabs(options->view_distance * options->display_height - 3.0 * 1080.0) < 1.0e-8;
    uint32_t factor[2] = {whole(straight * 4294967296.0), whole(diagonal * 4294967296.0)};
    if (scale->scale == 0) {
        factor[0] = whole(straight * 2097152.0) & 0xffff;
        factor[1] = whole(diagonal * 8388608.0) & 0xffff;
    }
    if (scale->scale == 0 && options->csf_mode == 0 && usual) {
        factor[0] = 36453;
        factor[1] = 49417;
    }
    for (int band = 0; band < 3; band++)
        scale->factor[band] = factor[band == 2];
    bool beyond =
        scale->scale == 0 ? factor[0] > FV_ADM_FACTOR0 : factor[0] > FV_ADM_FACTOR || factor[1] > FV_ADM_FACTOR;
    scale->wraps = beyond || !scale->limit;
}

static void set_shifts(FvAdmScale *scale)
{
    static const int detail_square_bits[FV_ADM_SCALES] = {0, 31, 30, 31};
    int scored_width = scale->right - scale->left, scored_height = scale->bottom - scale->top;
    int64_t area = (int64_t)scored_width * scored_height;
    bool first = scale->scale == 0;
    scale->row_bits = log2_up(scale->rows);
    scale->detail_square_bits = detail_square_bits[scale->scale];
    scale->detail_cube_bits = first ? 0 : log2_up(scored_width);
    int area_bits = 0;
    while ((int64_t)1 << area_bits < area)
        area_bits++;
    scale->detail_row_bits = first ? most(area_bits - 20, 0) : log2_up(scored_height);
    for (int band = 0; band < 3; band++) {
        bool diagonal = band == 2;
        scale->threshold_bits[band] = fv_adm_threshold_bits(scale->scale, band);
        scale->square_bits[band] = fv_adm_square_bits(scale->scale, band);
        scale->cube_bits[band] = log2_up(scale->columns) - (!first ? 0 : diagonal ? 3 : 4);
    }
}

void fv_adm_scales(const FvAdmOptions *options, const FvAdmSensitivity sensitivity[FV_ADM_SCALES], int width,
                   int height, int depth, FvAdmScale scale[FV_ADM_SCALES])
{
    double limit = options->gain_limit;
    for (int i = 0; i < FV_ADM_SCALES; i++) {
        FvAdmScale *to = &scale[i];
        *to = (FvAdmScale){.scale = i,
                           .depth = depth,
                           .width = width,
                           .height = height,
                           .columns = (width + 1) / 2,
                           .rows = (height + 1) / 2,
                           .scored = i > 0 || !options->skip_scale0,
                           .impairment = !options->skip_aim,
                           .limit = limit == floor(limit) ? (int)limit : 0,
                           .gain_limit = limit};
        to->left = border(to->columns);
        to->right = to->columns - to->left;
        to->top = border(to->rows);
        to->bottom = to->rows - to->top;
        set_factors(options, &sensitivity[i], to);
        set_shifts(to);
        width = to->columns;
        height = to->rows;
    }
}
