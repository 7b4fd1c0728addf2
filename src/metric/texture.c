/* Blockiness and noise. docs/metrics/texture.md */
#include <math.h>

#include "metric/check.h"

enum { ACROSS, DOWN, NOISE, FLOOR, OUTPUTS };

#define LIST(side, of)                                                                                               \
    {"blockiness_h" side,                                                                                            \
     "",                                                                                                             \
     1,                                                                                                              \
     INFINITY,                                                                                                       \
     FV_NEITHER_IS_BETTER,                                                                                           \
     false,                                                                                                          \
     "steps at every eighth column, relative to the others" of},                                                     \
        {"blockiness_v" side,                                                                                        \
         "",                                                                                                         \
         1,                                                                                                          \
         INFINITY,                                                                                                   \
         FV_NEITHER_IS_BETTER,                                                                                       \
         false,                                                                                                      \
         "steps at every eighth row, relative to the others" of},                                                    \
        {"noise" side,                                                                                               \
         "code values",                                                                                              \
         0,                                                                                                          \
         INFINITY,                                                                                                   \
         FV_NEITHER_IS_BETTER,                                                                                       \
         false,                                                                                                      \
         "standard deviation of noise and fine detail, at 8 bits" of},                                               \
    {                                                                                                                \
        "noise_floor" side, "code values", 0, INFINITY, FV_NEITHER_IS_BETTER, false,                                 \
            "standard deviation of noise where the picture has least detail" of                                      \
    }
static const FvOutputInfo outputs[] = FV_CHECK_OUTPUTS(LIST);

static FvStatus init(FvMetricInstance *run, FvError *error)
{
    const bool noise = run->dis.width >= FV_CHECK_BLOCK + 2 && run->dis.height >= FV_CHECK_BLOCK + 2;
    fv_check_present(run, 1u << ACROSS | 1u << DOWN | (noise ? 1u << NOISE | 1u << FLOOR : 0));
    return FV_OK;
}

/*
 * Returns the strength of the strongest phase of `count` steps. A step has the number of the column or row after it;
 * its phase is that number modulo 8.
 */
static double blockiness(const FvTerm *grid, int count, int shift)
{
    int64_t all = 0, per[8];
    double best = 0;
    for (int k = 0; k < 8; k++) {
        all += grid[k].integer;
        per[k] = k ? (count - k + 8) / 8 : count / 8; /* how many of the numbers 1 to count have this phase */
    }
    for (int k = 0; k < 8; k++) {
        const int64_t own = grid[k].integer, other = count - per[k];
        if (per[k] <= 0 || other <= 0)
            continue;
        const double above = (double)(8 * own + (per[k] << shift)) * (double)other,
                     below = (double)per[k] * (double)(8 * (all - own) + (other << shift));
        best = above / below > best ? above / below : best;
    }
    return best > 0 ? best : 1;
}

static FvStatus score(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values, FvError *error)
{
    const double scale = 1.2533141373155003 / 6.0; /* Immerkaer's factor: the root of pi / 2, divided by 6 */
    const int shift = run->dis.depth - 8;
    const double unit = (double)(1 << shift);
    for (int side = 0; side < fv_check_sides(run); side++) {
        const FvTerm *terms = fv_rows_at(rows, 0, frame) + side * FV_TEXTURE_TERMS;
        double *value = values + side * OUTPUTS;
        value[ACROSS] = blockiness(terms + FV_TEXTURE_ACROSS, run->dis.width - 1, shift);
        value[DOWN] = blockiness(terms + FV_TEXTURE_DOWN, run->dis.height - 1, shift);
        value[NOISE] = scale * (double)terms[FV_TEXTURE_NOISE].integer /
                       (double)((int64_t)(run->dis.width - 2) * (run->dis.height - 2)) / unit;
        value[FLOOR] = scale * (double)terms[FV_TEXTURE_FLOOR].integer / 256.0 / unit;
    }
    return FV_OK;
}

const FvMetric fv_metric_texture = {
    .info = {.name = "texture",
             .title = "Blockiness and noise",
             .citation = "Immerkaer, Fast noise variance estimation, 1996, for noise",
             .outputs = outputs,
             .output_count = FV_CHECK_SIDES * OUTPUTS},
    .feature = &fv_feature_texture,
    .init = init,
    .score = score,
};
