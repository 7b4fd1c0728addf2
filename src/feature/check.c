/* Common parts of the features of one video. docs/check.md */
#include "feature/check.h"

#include <math.h>
#include <stdlib.h>

#include "arith/scalar.h"

#include "arith/check.h"
#include "arith/transfer.h"
#include "base/error.h"
#include "picture/colour.h"

FvStatus fv_check_plan(FvCheckPlan *plan, FvFeatureInstance *run, FvError *error)
{
    const int depth = run->dis.depth, width = run->dis.width, height = run->dis.height;
    if (depth > 12 && depth != 16)
        return fv_fail(
            error, FV_FAIL_UNDEFINED_METRIC,
            "%s: the metric is not defined for %d bits per sample; convert to 16 bits with `convert=depth`",
            run->feature->name, depth);
    plan->kernels = fv_check_kernels(depth > 12 ? FV_ISA_SCALAR : run->isa);
    plan->sides = run->has_reference ? 2 : 1;
    plan->bands = (height + FV_CHECK_BAND - 1) / FV_CHECK_BAND;
    run->jobs[0] = plan->sides * plan->bands;
    plan->blocks = (width + 2 * 64) / FV_CHECK_BLOCK;
    for (int i = 0; i <= FV_CHECK_COLUMNS; i++)
        plan->edge_x[i] = i * width / FV_CHECK_COLUMNS;
    for (int i = 0; i <= FV_CHECK_ROWS; i++)
        plan->edge_y[i] = i * height / FV_CHECK_ROWS;
    run->term_count = run->feature->term_count / FV_CHECK_SIDES * plan->sides;
    return FV_OK;
}

const FvFormat *fv_check_format(const FvFeatureInstance *run, int side)
{
    return side ? &run->ref : &run->dis;
}

const FvFrame *fv_check_frame(const FvWork *work, int side)
{
    return side ? work->ref : work->dis;
}

const FvFrame *fv_check_before(const FvWork *work, int side)
{
    return side ? work->prev_ref[0] : work->prev_dis[0];
}

FvCheckBand fv_check_band(const FvCheckPlan *plan, const FvFeatureInstance *run, int job)
{
    const int first = job % plan->bands * FV_CHECK_BAND, left = run->dis.height - first;
    return (FvCheckBand){job / plan->bands, first, left < FV_CHECK_BAND ? left : FV_CHECK_BAND};
}

bool fv_check_has_cells(const FvFeatureInstance *run)
{
    return run->dis.width >= FV_CHECK_COLUMNS && run->dis.height >= FV_CHECK_ROWS;
}

FvCheckRange fv_check_range(const FvFormat *format)
{
    const int shift = format->depth - 8, whole = (1 << format->depth) - 1;
    return format->range == FV_RANGE_FULL ? (FvCheckRange){0, whole, 0, whole}
                                          : (FvCheckRange){16 << shift, 235 << shift, 16 << shift, 240 << shift};
}

FvCheckTransfer fv_check_transfer(const FvFormat *format)
{
    switch (format->transfer) {
    case FV_H273_PQ:
        return FV_CHECK_PQ;
    case FV_H273_HLG:
        return FV_CHECK_HLG;
    case FV_H273_SRGB:
        return FV_CHECK_SRGB;
    default:
        return FV_CHECK_BT1886;
    }
}

bool fv_check_is_hdr(const FvFormat *format)
{
    return fv_check_transfer(format) >= FV_CHECK_PQ;
}

static int rounded(double x)
{
    return (int)floor(x + 0.5);
}

/* Sets kr and kb of the matrix; an unknown matrix counts as BT.709's. */
static void set_factors(FvCheckLight *light, const FvFormat *format)
{
    const FvLumaWeights given = fv_colour_luma(format->matrix);
    const FvLumaWeights luma = given.red ? given : fv_colour_luma(FV_H273_BT709);
    const FvCheckRange range = fv_check_range(format);
    const double kr = luma.red / (double)FV_LUMA_WHOLE, kb = luma.blue / (double)FV_LUMA_WHOLE, kg = 1.0 - kr - kb;
    const double k = 536862720.0, r = range.high - range.low, c = range.chroma_high - range.chroma_low;
    light->low = range.low;
    light->middle = 1 << (format->depth - 1);
    light->ay = rounded(k / r);
    light->rv = rounded(2.0 * (1.0 - kr) * k / c);
    light->gu = rounded(2.0 * (1.0 - kb) * kb / kg * k / c);
    light->gv = rounded(2.0 * (1.0 - kr) * kr / kg * k / c);
    light->bu = rounded(2.0 * (1.0 - kb) * k / c);
}

static void set_weights(FvCheckLight *light, int primaries)
{
    static const int bt709[] = {13933, 46871, 4732}, p3[] = {15008, 45331, 5197};
    const int *weight = primaries == FV_H273_BT2020 ? fv_check_bt2020 : primaries == FV_H273_DISPLAY_P3 ? p3 : bt709;
    for (int i = 0; i < 3; i++)
        light->weight[i] = (uint32_t)weight[i];
}

static uint32_t light_of(FvCheckTransfer transfer, double white, double v)
{
    switch (transfer) {
    case FV_CHECK_PQ:
        return (uint32_t)rounded(65536.0 * (10000.0 * fv_pq(fv_d_pow, v)));
    case FV_CHECK_HLG:
        return (uint32_t)rounded(16777216.0 * fv_hlg(v));
    case FV_CHECK_SRGB:
        return (uint32_t)rounded(65536.0 * (white * fv_srgb(v)));
    default:
        return (uint32_t)rounded(65536.0 * (white * fv_d_pow(v, 2.4)));
    }
}

FvStatus fv_check_light_open(FvCheckLight *light, const FvFormat *format, double white, double hlg_peak,
                             FvError *error)
{
    const int shift = format->depth - 8;
    const FvCheckTransfer transfer = fv_check_transfer(format);
    const size_t codes = 65536, steps = transfer == FV_CHECK_HLG ? 4098 : 0;
    set_factors(light, format);
    set_weights(light, format->primaries);
    light->gray = format->chroma == FV_CHROMA_400;
    light->across = format->chroma == FV_CHROMA_420 || format->chroma == FV_CHROMA_422;
    light->down = format->chroma == FV_CHROMA_420;
    /* EBU R 103 allows luma codes, and components of R'G'B', from 5 to 246 at 8 bits. */
    light->least = 5 << shift;
    light->most = 246 << shift;
    light->bottom = -3291; /* minimum of a component c: 219 c is at least -11 * 65535 */
    light->top = 68826;    /* maximum of a component c: 219 c is at most 230 * 65535 */
    if (!white)
        return FV_OK;
    uint32_t *table = malloc((codes + steps) * sizeof *table);
    if (!table)
        return fv_fail_memory(error, (codes + steps) * sizeof *table);
    for (size_t i = 0; i < codes; i++)
        table[i] = light_of(transfer, white, (double)i / 65535.0);
    const double power = fv_hlg_gamma(hlg_peak) - 1.0;
    for (size_t i = 0; i < steps; i++)
        table[codes + i] =
            (uint32_t)rounded(65536.0 * (hlg_peak * fv_d_pow((double)(i < 4096 ? i : 4096) / 4096.0, power)));
    light->table = table;
    light->gain = steps ? table + codes : NULL;
    return FV_OK;
}

void fv_check_light_close(FvCheckLight *light)
{
    free((void *)light->table);
    light->table = light->gain = NULL;
}

uint32_t fv_check_rank(const uint32_t *bin, uint64_t numbers, uint64_t part, uint64_t whole)
{
    uint64_t below = 0;
    int b = -1;
    do
        below += bin[++b];
    while (below * whole < part * numbers);
    const int e = b / 64 + 5;
    return b < 64 ? (uint32_t)b : ((uint32_t)(b - 64 * (e - 6) + 1) << (e - 6)) - 1;
}
