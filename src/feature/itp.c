/* Delta E ITP: converts rows of both frames from samples to light and to I, T and P, and sums the differences. */
#include "feature/itp.h"

#include <math.h>
#include <string.h>

#include "arith/scalar.h"

#include "arith/itp.h"
#include "arith/transfer.h"
#include "base/error.h"
#include "os/memory.h"

#define BAND 16 /* rows per job */

/*
 * Matrices to BT.2020's primaries from BT.709's and from Display P3's, by rows; computed from the chromaticities. All
 * have the white D65.
 */
static const float to_2020[2][3][3] = {{{0.6274039f, 0.3292830f, 0.0433131f},
                                        {0.0690973f, 0.9195404f, 0.0113623f},
                                        {0.0163914f, 0.0880133f, 0.8955953f}},
                                       {{0.7538330f, 0.1985974f, 0.0475696f},
                                        {0.0457438f, 0.9417772f, 0.0124789f},
                                        {-0.0012103f, 0.0176017f, 0.9836086f}}};

#define OPTION_LIST(X) FV_DISPLAY_OPTIONS(X, FvItpOptions, display)
FV_OPTIONS(itp_options, OPTION_LIST);

static const FvTermInfo terms_info[FV_ITP_TERMS] = {{"differences", FV_TERM_INTEGER}, {"visible", FV_TERM_INTEGER}};

const FvMapInfo fv_itp_maps[1] = {
    {"difference", "", 0, INFINITY, "colour difference of each pixel; 1: just noticeable", 10, false}};

static FvStatus init(FvFeatureInstance *run, FvError *error)
{
    const FvDisplayOptions display = fv_display_settled(&((const FvItpOptions *)run->options)->display);
    const size_t bytes = (FV_ITP_STEPS + 1) * sizeof(float);
    FvItp *itp = run->state;
    if (run->dis.chroma == FV_CHROMA_400)
        return fv_fail(error, FV_FAIL_UNDEFINED_METRIC,
                       "delta_e_itp: the metric needs chroma; give videos in 4:2:0, 4:2:2, 4:4:4 or RGB");
    float *signal = fv_alloc(bytes);
    if (!signal)
        return fv_fail_memory(error, bytes);
    for (int i = 0; i <= FV_ITP_STEPS; i++)
        signal[i] = (float)fv_pq_signal(ldexp(1 + (i % 512) / 512., i / 512 - 24));
    itp->kernels = fv_itp_kernels(run->isa);
    itp->curves.signal = signal;
    if (!strcmp(display.light.transfer, "hlg")) {
        itp->curves.gamma = (float)(fv_display_gamma(&display) - 1);
        itp->curves.peak = (float)display.peak;
    }
    if (strcmp(display.light.primaries, "bt2020"))
        itp->light.wide = to_2020[!strcmp(display.light.primaries, "p3")];
    run->jobs[0] = (run->dis.height + BAND - 1) / BAND;
    run->frame_bytes = (size_t)run->jobs[0] * sizeof(FvItpSum);
    return fv_display_open(&itp->light, &run->dis, &display, error);
}

static void difference_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvItp *itp = run->state;
    const FvLightKernels *light = fv_light_kernels(run->isa);
    const FvFrame *const frame[2] = {work->ref, work->dis};
    const int width = run->dis.width, end = (job + 1) * BAND < run->dis.height ? (job + 1) * BAND : run->dis.height;
    _Alignas(64) float rows[2][3][FV_LIGHT_MOST + 64], differences[FV_LIGHT_MOST + 64];
    float *const colour[2][3] = {{rows[0][0], rows[0][1], rows[0][2]}, {rows[1][0], rows[1][1], rows[1][2]}};
    float *map = work->map ? work->map[0].data : NULL;
    FvItpSum *sum = (FvItpSum *)work->frame + job;
    *sum = (FvItpSum){0, 0};
    for (int y = job * BAND; y < end; y++)
        for (int x = 0; x < width; x += FV_LIGHT_MOST) {
            const int columns = width - x < FV_LIGHT_MOST ? width - x : FV_LIGHT_MOST;
            for (int picture = 0; picture < 2; picture++) {
                const uint8_t *sample[3] = {frame[picture]->data[0], frame[picture]->data[1],
                                            frame[picture]->data[2]};
                (run->dis.depth > 8 ? light->row16 : light->row8)(&itp->light, sample, frame[picture]->stride, x,
                                                                  x + columns, y, colour[picture]);
                itp->kernels->convert(&itp->curves, colour[picture], columns);
            }
            itp->kernels->compare((const float *const *)colour[0], (const float *const *)colour[1], columns, sum,
                                  map ? differences : NULL);
            if (map)
                memcpy(map + y * work->map[0].stride + x, differences, (size_t)columns * sizeof *map);
        }
}

static FvStatus terms(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error)
{
    for (int job = 0; job < run->jobs[0]; job++) {
        const FvItpSum *sum = (const FvItpSum *)work->frame + job;
        row[FV_ITP_SUM].integer += (int64_t)sum->sum;
        row[FV_ITP_VISIBLE].integer += (int64_t)sum->visible;
    }
    return FV_OK;
}

static void close_run(FvFeatureInstance *run)
{
    FvItp *itp = run->state;
    fv_light_close(&itp->light);
    fv_free((void *)itp->curves.signal);
}

static const FvStage stages[] = {{"differences", difference_job, 0, false}};

const FvFeature fv_feature_itp = {
    .name = "itp",
    .cost = 5000,
    FV_FEATURE_OPTIONS(itp_options, FvItpOptions),
    FV_FEATURE_TERMS(terms_info),
    .maps = fv_itp_maps,
    .map_count = 1,
    .state_size = sizeof(FvItp),
    .init = init,
    FV_FEATURE_STAGES(stages),
    .gpu = FV_GPU_FEATURE(fv_itp_gpu),
    .terms = terms,
    .close = close_run,
};
