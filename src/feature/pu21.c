/* PU21: converts rows of both frames from samples to light and to units, and sums the squared differences. */
#include "feature/pu21.h"

#include <string.h>

#include "arith/transfer.h"
#include "base/error.h"
#include "os/memory.h"

#define BAND 16 /* rows per job */

const char *const fv_pu_curves[] = {"banding_glare", "banding", "peaks", "peaks_glare", NULL};

/* Parameters p1 to p7 of each curve, from gfxdisp/pu21, matlab/pu21_encoder.m. */
static const double curves[][7] = {
    {0.353487901, 0.3734658629, 8.277049286e-05, 0.9062562627, 0.09150303166, 0.9099517204, 596.3148142},
    {1.070275272, 0.4088273932, 0.153224308, 0.2520326168, 1.063512885, 1.14115047, 521.4527484},
    {1.043882782, 0.6459495343, 0.3194584211, 0.374025247, 1.114783422, 1.095360363, 384.9217577},
    {816.885024, 1479.463946, 0.001253215609, 0.9329636822, 0.06746643971, 1.573435413, 419.6006374}};

static const double weights[][3] = {FV_LUMINANCE_709, FV_LUMINANCE_2020, FV_LUMINANCE_P3};

typedef struct FeatureOptions {
    FvPuOptions pu;
} FeatureOptions;

#define OPTION_LIST(X) FV_PU_OPTIONS(X, FeatureOptions)
FV_OPTIONS(pu_options, OPTION_LIST);

static const FvTermInfo terms_info[FV_PU_TERMS] = {{"sse_low", FV_TERM_INTEGER}, {"sse_high", FV_TERM_INTEGER}};

static FvPuEncoding encoding_of(const FvPuOptions *o)
{
    FvPuEncoding encoding = {.gamma = (float)fv_display_gamma(&o->display), .peak = (float)o->display.peak};
    for (int i = 0; i < 3; i++)
        encoding.weight[i] = (float)weights[fv_choice_index(fv_light_primaries, o->display.light.primaries) - 1][i];
    for (int i = 0; i < 7; i++)
        encoding.p[i] = (float)curves[fv_choice_index(fv_pu_curves, o->curve)][i];
    return encoding;
}

/* ---- The run ------------------------------------------------------------------------------------------------ */

static FvStatus init(FvFeatureInstance *run, FvError *error)
{
    FvPuOptions options = ((const FeatureOptions *)run->options)->pu;
    FvPu *pu = run->state;
    run->jobs[0] = (run->dis.height + BAND - 1) / BAND;
    const size_t sums = FV_ROUND_UP((size_t)run->jobs[0] * sizeof(FvPuSum), 64);
    options.display = fv_display_settled(&options.display);
    pu->kernels = fv_pu_kernels(run->isa);
    pu->encoding = encoding_of(&options);
    pu->stride = (ptrdiff_t)FV_ROUND_UP((size_t)run->dis.width * sizeof(float) + 64, 64);
    pu->plane[0] = sums;
    pu->plane[1] = sums + (size_t)pu->stride * (size_t)run->dis.height;
    run->frame_bytes = pu->plane[1] + (size_t)pu->stride * (size_t)run->dis.height;
    return fv_display_open(&pu->light, &run->dis, &options.display, error);
}

static float *row_of(const FvPu *pu, const FvWork *work, int picture, int y)
{
    return (float *)(void *)((uint8_t *)work->frame + pu->plane[picture] + y * pu->stride);
}

static void encode_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvPu *pu = run->state;
    const FvLightKernels *light = fv_light_kernels(run->isa);
    const int width = run->dis.width, end = (job + 1) * BAND < run->dis.height ? (job + 1) * BAND : run->dis.height;
    _Alignas(64) float rgb[3][FV_LIGHT_MOST + 64];
    FvPuSum *sum = (FvPuSum *)work->frame + job;
    *sum = (FvPuSum){0, 0};
    for (int y = job * BAND; y < end; y++)
        for (int x = 0; x < width; x += FV_LIGHT_MOST) {
            const int columns = width - x < FV_LIGHT_MOST ? width - x : FV_LIGHT_MOST;
            for (int picture = 0; picture < 2; picture++) {
                const FvFrame *frame = picture ? work->dis : work->ref;
                const uint8_t *sample[3] = {frame->data[0], frame->data[1], frame->data[2]};
                (run->dis.depth > 8 ? light->row16 : light->row8)(&pu->light, sample, frame->stride, x, x + columns,
                                                                  y, (float *const[3]){rgb[0], rgb[1], rgb[2]});
                pu->kernels->encode(&pu->encoding, (const float *const[3]){rgb[0], rgb[1], rgb[2]}, columns,
                                    row_of(pu, work, picture, y) + x);
            }
            const uint64_t squares =
                pu->kernels->squares(row_of(pu, work, 0, y) + x, row_of(pu, work, 1, y) + x, columns);
            sum->low += squares & 0xffffffff;
            sum->high += squares >> 32;
        }
}

static FvStatus terms(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error)
{
    const FvPuSum *sum = work->frame;
    FvPuSum total = {0, 0};
    for (int job = 0; job < run->jobs[0]; job++) {
        total.low += sum[job].low;
        total.high += sum[job].high;
    }
    row[FV_PU_LOW].integer = (int64_t)(total.low & 0xffffffff);
    row[FV_PU_HIGH].integer = (int64_t)(total.high + (total.low >> 32));
    return FV_OK;
}

static void close_run(FvFeatureInstance *run)
{
    FvPu *pu = run->state;
    fv_light_close(&pu->light);
}

static const FvStage stages[] = {{"encode", encode_job, 0, false}};

const FvFeature fv_feature_pu21 = {
    .name = "pu21",
    .cost = 8000,
    FV_FEATURE_OPTIONS(pu_options, FeatureOptions),
    FV_FEATURE_TERMS(terms_info),
    .state_size = sizeof(FvPu),
    .init = init,
    FV_FEATURE_STAGES(stages),
    .gpu = FV_GPU_FEATURE(fv_pu_gpu),
    .terms = terms,
    .close = close_run,
};
