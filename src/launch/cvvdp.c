/*
 * ColorVideoVDP on GPUs: writes opponent planes to a ring that persists, and computes the temporal filters, the
 * pyramids, and the sums of each band. The host does the pooling. The GPU cannot draw the map.
 */
#include "feature/cvvdp.h"

#include <string.h>

#include "kernel/host.h"
#include "kernel/pair.h"
#include "kernel/cvvdp.h"
#include "launch/light.h"

extern const FvKernel fv_kernel_cvvdp_light8, fv_kernel_cvvdp_light16, fv_kernel_cvvdp_time, fv_kernel_cvvdp_reduce,
    fv_kernel_cvvdp_contrast, fv_kernel_cvvdp_masks;
static const FvKernel *const kernels[] = {&fv_kernel_cvvdp_light8,
                                          &fv_kernel_cvvdp_light16,
                                          &fv_kernel_cvvdp_time,
                                          &fv_kernel_cvvdp_reduce,
                                          &fv_kernel_cvvdp_contrast,
                                          &fv_kernel_cvvdp_masks,
                                          NULL};

_Static_assert(FV_CVVDP_MOST_CHANNELS == FV_CVVDP_CHANNELS && FV_CVVDP_TAPS == FV_CVVDP_HALF + 1 &&
                   FV_CVVDP_BLUR == FV_CVVDP_RADIUS && FV_CVVDP_MASK_ROWS == FV_CVVDP_GROUP &&
                   FV_CVVDP_SUM_WORDS * sizeof(uint32_t) == sizeof(FvCvvdpSum),
               "as on the CPU");

/* ---- Memory ------------------------------------------------------------------------------------------------- */

#define NODE_BYTES (FV_CVVDP_NODES * FV_CVVDP_CHANNELS * 2 * sizeof(float))
#define CONSTANTS_OFFSET FV_LIGHT_CONSTANT_BYTES
#define NODES_OFFSET FV_ROUND_UP(CONSTANTS_OFFSET + sizeof(FvCvvdpConstants), 16)

/* The layout of a pair's memory, in bytes. Each term has separate sums and planes of the base band. */
typedef struct Places {
    size_t level[FV_CVVDP_LEVELS], work; /* offsets of the levels; those below the base band are in `work` */
    size_t sums[FV_CVVDP_TERMS], base[FV_CVVDP_TERMS], results;
} Places;

static size_t reserve_bytes(size_t *bytes, size_t more)
{
    size_t at = *bytes;
    *bytes += FV_ROUND_UP(more, 256);
    return at;
}

static size_t samples_of(const FvCvvdp *cvvdp, int l)
{
    return (size_t)cvvdp->level[l].width * (size_t)cvvdp->level[l].height;
}

static Places places_of(const FvCvvdp *cvvdp)
{
    Places places = {.work = 0};
    for (int l = 0; l < cvvdp->bands; l++)
        places.level[l] = reserve_bytes(&places.work, FV_CVVDP_PLANES * samples_of(cvvdp, l) * sizeof(float));
    for (int term = 0; term < FV_CVVDP_TERMS; term++) {
        places.sums[term] =
            reserve_bytes(&places.results, (size_t)cvvdp->bands * FV_CVVDP_CHANNELS * sizeof(FvCvvdpSum));
        places.base[term] =
            reserve_bytes(&places.results, FV_CVVDP_PLANES * samples_of(cvvdp, cvvdp->bands) * sizeof(float));
    }
    return places;
}

/* Returns the number of slots: one for each frame that the filters read for frames that are computed together. */
static int slots_of(const FvCvvdp *cvvdp)
{
    return cvvdp->frames + FV_CVVDP_TOGETHER - 1;
}

static size_t slot_bytes(const FvCvvdp *cvvdp)
{
    return FV_ROUND_UP(2 * FV_CVVDP_COLOURS * samples_of(cvvdp, 0) * sizeof(float), 256);
}

static bool plan(const FvFeatureInstance *run, FvGpuPlan *plan, char *why, size_t size)
{
    const FvCvvdp *cvvdp = run->state;
    Places places = places_of(cvvdp);
    plan->work_bytes = places.work;
    plan->result_bytes = places.results;
    plan->constant_bytes = NODES_OFFSET + (size_t)cvvdp->bands * NODE_BYTES;
    if (cvvdp->clip)
        plan->lasting_bytes = (size_t)slots_of(cvvdp) * slot_bytes(cvvdp);
    return true;
}

static void constants(const FvFeatureInstance *run, void *memory)
{
    const FvCvvdp *cvvdp = run->state;
    const FvCvvdpMasking *m = &cvvdp->masking;
    uint8_t *bytes = memory;
    FvCvvdpConstants *c = (void *)(bytes + CONSTANTS_OFFSET);
    fv_light_constants(&cvvdp->light, memory);
    *c = (FvCvvdpConstants){.hlg = cvvdp->opponent.hlg,
                            .gamma_1 = cvvdp->opponent.gamma_1,
                            .exposure = cvvdp->opponent.exposure,
                            .span = cvvdp->opponent.span,
                            .base = cvvdp->opponent.base,
                            .reach = cvvdp->time.half,
                            .gain = m->gain,
                            .p = m->p,
                            .zero_p = m->zero_p,
                            .ceiling = m->ceiling};
    memcpy(c->matrix, cvvdp->opponent.matrix, sizeof c->matrix);
    memcpy(c->tap, cvvdp->time.tap, sizeof c->tap);
    memcpy(c->blur, m->blur, sizeof c->blur);
    memcpy(c->q, m->q, sizeof c->q);
    memcpy(c->zero_q, m->zero_q, sizeof c->zero_q);
    memcpy(c->cross, m->cross, sizeof c->cross);
    for (int l = 0; l < cvvdp->bands; l++)
        memcpy(bytes + NODES_OFFSET + (size_t)l * NODE_BYTES, cvvdp->level[l].nodes, NODE_BYTES);
}

/* ---- Launches ----------------------------------------------------------------------------------------------- */

typedef struct Recording {
    const FvFeatureInstance *run;
    const FvCvvdp *cvvdp;
    Places places;
} Recording;

/* Returns a batch that has only one of the pairs. */
static FvGpuBatch only(const FvGpuBatch *batch, int pair)
{
    FvGpuBatch one = *batch;
    one.count = one.scored = 1;
    one.pairs += (uint64_t)pair * sizeof(FvPair);
    one.work += (uint64_t)pair * batch->work_stride * 256;
    one.results += (uint64_t)pair * batch->result_stride * 256;
    return one;
}

static void record_light(const Recording *r, const FvGpuBatch *batch, uint64_t to)
{
    const FvCvvdpLightArgs args = {.pairs = batch->pairs,
                                   .light = batch->constants,
                                   .curve = batch->constants + FV_LIGHT_CURVE_OFFSET,
                                   .constants = batch->constants + CONSTANTS_OFFSET,
                                   .to = to,
                                   .to_stride = batch->work_stride,
                                   .width = r->run->ref.width,
                                   .height = r->run->ref.height};
    fv_gpu_launch(batch, r->run->ref.depth > 8 ? &fv_kernel_cvvdp_light16 : &fv_kernel_cvvdp_light8, &args,
                  fv_gpu_groups(args.width, 2 * FV_LIGHT_QUADS_ACROSS),
                  fv_gpu_groups(args.height, 2 * FV_LIGHT_QUADS_DOWN));
}

/* Returns the arguments for level l, the sums of its band, and the next level. */
static FvCvvdpArgs level_args(const Recording *r, const FvGpuBatch *batch, int l, int channels, int term)
{
    const bool last = l + 1 == r->cvvdp->bands;
    return (FvCvvdpArgs){
        .constants = batch->constants + CONSTANTS_OFFSET,
        .nodes = batch->constants + NODES_OFFSET + (uint64_t)l * NODE_BYTES,
        .fine = batch->work + r->places.level[l],
        .coarse = last ? batch->results + r->places.base[term] : batch->work + r->places.level[l + 1],
        .sums = batch->results + r->places.sums[term] + (uint64_t)l * FV_CVVDP_CHANNELS * sizeof(FvCvvdpSum),
        .fine_stride = batch->work_stride,
        .coarse_stride = last ? batch->result_stride : batch->work_stride,
        .sums_stride = batch->result_stride,
        .width = r->cvvdp->level[l].width,
        .height = r->cvvdp->level[l].height,
        .channels = channels};
}

/* Records the kernels from level 0 to the sums of a term. */
static void record_bands(const Recording *r, const FvGpuBatch *batch, int channels, int term)
{
    for (int l = 0; l < r->cvvdp->bands; l++) {
        FvCvvdpArgs args = level_args(r, batch, l, channels, term);
        args.across = (int32_t)fv_gpu_groups(r->cvvdp->level[l + 1].width, FV_CVVDP_REDUCE_WIDTH);
        fv_gpu_barrier(batch);
        fv_gpu_launch(batch, &fv_kernel_cvvdp_reduce, &args, 2 * (uint32_t)channels * (uint32_t)args.across,
                      fv_gpu_groups(r->cvvdp->level[l + 1].height, FV_CVVDP_REDUCE_HEIGHT));
    }
    /* A level's contrasts are computed before those of the next level, which overwrite its planes. */
    for (int l = 0; l < r->cvvdp->bands; l++) {
        FvCvvdpArgs args = level_args(r, batch, l, channels, term);
        fv_gpu_barrier(batch);
        fv_gpu_launch(batch, &fv_kernel_cvvdp_contrast, &args, fv_gpu_groups(args.width, 2 * FV_LIGHT_QUADS_ACROSS),
                      fv_gpu_groups(args.height, 2 * FV_LIGHT_QUADS_DOWN));
        fv_gpu_barrier(batch);
        fv_gpu_launch(batch, &fv_kernel_cvvdp_masks, &args, fv_gpu_groups(args.width, FV_CVVDP_MASK_WIDTH),
                      fv_gpu_groups(args.height, FV_CVVDP_MASK_HEIGHT));
    }
}

static void record_picture(const Recording *r, const FvGpuBatch *batch)
{
    record_light(r, batch, batch->work + r->places.level[0]);
    record_bands(r, batch, FV_CVVDP_CHANNELS - 1, FV_CVVDP_TERM_STILL);
}

/* Records the conversion of the batch's frame i to opponent planes in the ring. */
static void remember(const Recording *r, const FvGpuBatch *batch, int i)
{
    FvGpuBatch one = only(batch, batch->order[i]);
    const int slot = (int)((batch->first + i) % slots_of(r->cvvdp));
    record_light(r, &one, batch->lasting + (uint64_t)slot * slot_bytes(r->cvvdp));
}

/* Records the temporal filters of `count` frames from the batch's frame i on. */
static void record_filters(const Recording *r, const FvGpuBatch *batch, int i, int count)
{
    const int64_t frame = batch->first + i;
    const int before = r->cvvdp->frames - 1;
    FvCvvdpTimeArgs args = {.constants = batch->constants + CONSTANTS_OFFSET,
                            .history = batch->lasting,
                            .to = batch->work + r->places.level[0],
                            .to_stride = batch->work_stride,
                            .slot_stride = (uint32_t)(slot_bytes(r->cvvdp) / 256),
                            .slots = slots_of(r->cvvdp),
                            .slot = (int32_t)(frame % slots_of(r->cvvdp)),
                            .known = frame < before ? (int32_t)frame : before,
                            .count = count,
                            .width = r->run->ref.width,
                            .height = r->run->ref.height,
                            .across = (int32_t)fv_gpu_groups(r->run->ref.width, FV_CVVDP_TIME_WIDTH)};
    bool any = false;
    for (int n = 0; n < FV_CVVDP_TOGETHER; n++) {
        args.place[n] = n < count && batch->order[i + n] < batch->scored ? batch->order[i + n] : -1;
        any |= args.place[n] >= 0;
    }
    const FvGpuBatch once = only(batch, 0);
    if (any)
        fv_gpu_launch(&once, &fv_kernel_cvvdp_time, &args, 2 * (uint32_t)args.across,
                      fv_gpu_groups(args.height, FV_CVVDP_TIME_HEIGHT));
}

static void record_time(const Recording *r, const FvGpuBatch *batch)
{
    for (int i = 0; i < batch->count; i += FV_CVVDP_TOGETHER) {
        const int left = batch->count - i, count = left < FV_CVVDP_TOGETHER ? left : FV_CVVDP_TOGETHER;
        fv_gpu_barrier(batch);
        for (int n = 0; n < count; n++)
            remember(r, batch, i + n);
        fv_gpu_barrier(batch);
        record_filters(r, batch, i, count);
    }
}

static void record(const FvFeatureInstance *run, const FvGpuBatch *batch)
{
    const FvCvvdp *cvvdp = run->state;
    const Recording r = {run, cvvdp, places_of(cvvdp)};
    fv_gpu_fill(batch, batch->results, (size_t)batch->count * batch->result_stride * 256, 0);
    if (!cvvdp->clip) {
        record_picture(&r, batch);
        return;
    }
    if (batch->first == 0 && batch->order[0] < batch->scored) {
        FvGpuBatch one = only(batch, batch->order[0]);
        record_picture(&r, &one);
    }
    record_time(&r, batch);
    FvGpuBatch scored = *batch;
    scored.count = batch->scored;
    if (scored.count)
        record_bands(&r, &scored, FV_CVVDP_CHANNELS, FV_CVVDP_TERM_CLIP);
}

/* ---- Results ------------------------------------------------------------------------------------------------ */

static double pooled(const FvCvvdp *cvvdp, const uint8_t *result, int channels, int term)
{
    const Places places = places_of(cvvdp);
    const struct FvCvvdpLevel *base = &cvvdp->level[cvvdp->bands];
    FvCvvdpView view = {.channels = channels};
    FvCvvdpSum sums[FV_CVVDP_LEVELS][FV_CVVDP_CHANNELS];
    memcpy(sums, result + places.sums[term], (size_t)cvvdp->bands * sizeof *sums);
    for (int i = 0; i < 2 * channels; i++) {
        float *plane = (float *)(void *)(result + places.base[term]) + (size_t)i * samples_of(cvvdp, cvvdp->bands);
        view.plane[cvvdp->bands][i] = (FvVdmPlane){plane, base->width, base->height, base->width};
    }
    return fv_cvvdp_pool(cvvdp, &view, (const FvCvvdpSum(*)[FV_CVVDP_CHANNELS])sums);
}

static void results(const FvFeatureInstance *run, const FvWork *work, const void *result)
{
    const FvCvvdp *cvvdp = run->state;
    double *difference = work->frame;
    difference[FV_CVVDP_TERM_STILL] = 0;
    if (work->skipped)
        return;
    if (!cvvdp->clip || !work->index)
        difference[FV_CVVDP_TERM_STILL] = pooled(cvvdp, result, FV_CVVDP_CHANNELS - 1, FV_CVVDP_TERM_STILL);
    if (cvvdp->clip)
        difference[FV_CVVDP_TERM_CLIP] = pooled(cvvdp, result, FV_CVVDP_CHANNELS, FV_CVVDP_TERM_CLIP);
}

static const FvGpuTrial trials[] = {
    {.options = "transfer=5:peak=1500:black=0.0015:ambient=10:primaries=1",
     .width = 70,
     .height = 50,
     .fill = FV_FILL_SLOPES},
    {.options = "ppd=7:fps=8", .width = 97, .height = 61, .fill = FV_FILL_NOISE},
    {0},
};

const FvGpuFeature fv_cvvdp_gpu = {
    .kernels = kernels,
    .trials = trials,
    .most_work = FV_GPU_FLOATS,
    .pairs = 8,
    .plan = plan,
    .constants = constants,
    .record = record,
    .results = results,
};
