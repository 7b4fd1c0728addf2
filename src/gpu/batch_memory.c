/* Chooses a session's batch size on a GPU and allocates its features' device memory. */
#include "gpu/device.h"

#include <stdlib.h>

#include "base/error.h"
#include "gpu/gpu_device.h"
#include "os/memory.h"
#include "picture/frame.h"

/* Number of luma samples that keep a large GPU busy. */
#define BATCH_SAMPLES (1 << 25)
/*
 * Maximum samples, and pairs, that a metric can request for a batch of decoded frames. Larger batches gain nothing,
 * because decoders are slower than that.
 */
#define DECODED_SAMPLES (4 * BATCH_SAMPLES)
#define DECODED_PAIRS 16
/* Number of frames by which readers run ahead of the pairs in flight. */
#define AHEAD_FRAMES 8
/* Number of batches in flight: one computes, one uploads, one is being filled. */
#define BATCHES 3
/* The largest part of the free device memory that one session, or all sessions running at the same time, may use. */
#define MEMORY_SHARE(bytes) ((bytes) / 10 * 9)

static bool luma_only(const FvFeatureInstance *run)
{
    return run->planes <= 1 || !run->reads;
}

/* Returns the bytes of map m of one pair, or 0 if nobody requested it. */
static size_t map_bytes(const FvFeatureInstance *run, int m)
{
    size_t samples = (size_t)run->map[m].width * (size_t)run->map[m].height;
    return run->wanted_maps >> m & 1 ? FV_ROUND_UP(samples * sizeof(float), 256) : 0;
}

static size_t all_map_bytes(const FvFeatureInstance *run, FvPlacement placement)
{
    size_t bytes = 0;
    for (int m = 0; m < run->feature->map_count && placement != FV_PLACED_WITHOUT_MAPS; m++)
        bytes += map_bytes(run, m);
    return bytes;
}

/*
 * Returns the number of pairs per batch for pushed frames, chosen so that all frames in flight use at most a quarter
 * of the device's memory and an eighth of the host's.
 */
static int64_t pushed_pairs(const FvGpuDevice *gpu, const FvFormat *format)
{
    const uint64_t device = gpu->gpu->ops->available(gpu->gpu) / 4, host = fv_memory_installed() / 8;
    return (int64_t)((device < host ? device : host) / (2 * BATCHES * (uint64_t)fv_format_plane_bytes(format)));
}

int fv_gpu_device_in_flight(FvDevice *device, const FvFeatureInstance *runs, int count, FvArrival arrival)
{
    const FvFormat *format = &runs[0].dis;
    const int64_t samples = (int64_t)format->width * format->height;
    int64_t pairs = BATCH_SAMPLES / samples, most = DECODED_SAMPLES / samples;
    if (most > DECODED_PAIRS)
        most = DECODED_PAIRS;
    if (arrival == FV_ARRIVES_PUSHED)
        most = pushed_pairs((const FvGpuDevice *)device, format);
    /*
     * Readers of raw frames are slower than the scoring of small batches, and allocating memory for large batches
     * takes time.
     */
    for (int i = 0; i < count && arrival != FV_ARRIVES_RAW; i++)
        if (runs[i].feature->gpu && runs[i].feature->gpu->pairs > pairs)
            pairs = runs[i].feature->gpu->pairs < most ? runs[i].feature->gpu->pairs : most > pairs ? most : pairs;
    pairs /= 1 + device->others; /* the sessions together fill the GPU */
    return BATCHES * (int)(pairs < 1 ? 1 : pairs > FV_GPU_BATCH_PAIRS ? FV_GPU_BATCH_PAIRS : pairs);
}

bool fv_gpu_device_supports(FvDevice *device, const FvFeatureInstance *run, char *why, size_t size)
{
    FvGpuDevice *gpu = (FvGpuDevice *)device;
    FvGpuPlan plan;
    if (!fv_gpu_plan(gpu->gpu, run, &plan, why, size))
        return false;
    if (run->wanted_maps & ~plan.maps) {
        snprintf(why, size, "it has no kernels for its maps");
        return false;
    }
    uint64_t need = plan.work_bytes + plan.result_bytes + plan.constant_bytes + plan.lasting_bytes +
                    all_map_bytes(run, FV_PLACED) +
                    2 * (1 + run->behind) * (uint64_t)fv_gpu_frames_bytes(&run->dis, luma_only(run));
    uint64_t room = MEMORY_SHARE(gpu->gpu->ops->available(gpu->gpu));
    if (need > room) {
        snprintf(why, size, "one frame pair needs %.0f MB on %s:%d, which has %.0f MB free", (double)need * 1e-6,
                 gpu->gpu->ops->kind, gpu->gpu->index, (double)room * 1e-6);
        return false;
    }
    return true;
}

static void lay_out(FvGpuDevice *gpu)
{
    gpu->work_bytes = gpu->result_bytes = gpu->constant_bytes = gpu->lasting_bytes = gpu->map_bytes = 0;
    for (int r = 0; r < gpu->run_count; r++) {
        if (!gpu->placement[r])
            continue;
        const FvGpuPlan *plan = &gpu->plan[r];
        gpu->work_offset[r] = gpu->work_bytes;
        gpu->result_offset[r] = gpu->result_bytes;
        gpu->constant_offset[r] = gpu->constant_bytes;
        gpu->work_bytes += plan->work_bytes * (size_t)gpu->batch_pairs;
        gpu->result_bytes += plan->result_bytes * (size_t)gpu->batch_pairs;
        gpu->constant_bytes += plan->constant_bytes;
        gpu->lasting_offset[r] = gpu->lasting_bytes;
        gpu->lasting_bytes += plan->lasting_bytes;
        for (int m = 0; m < gpu->runs[r].feature->map_count; m++) {
            gpu->map_offset[r][m] = gpu->map_bytes;
            gpu->map_pair_bytes[r][m] = gpu->placement[r] == FV_PLACED_WITHOUT_MAPS ? 0 : map_bytes(&gpu->runs[r], m);
            gpu->map_bytes += gpu->map_pair_bytes[r][m] * (size_t)gpu->batch_pairs;
        }
    }
}

void fv_gpu_free_areas(FvGpuDevice *gpu)
{
    FvGpuMemory *all[] = {&gpu->work, &gpu->results,      &gpu->pairs,      &gpu->constants, &gpu->lasting,
                          &gpu->maps, &gpu->host_results, &gpu->host_pairs, &gpu->host_maps};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        gpu->gpu->ops->free(gpu->gpu, all[i]);
}

static FvStatus alloc_areas(FvGpuDevice *gpu, FvError *error)
{
    size_t pair_bytes = FV_GPU_VARIANTS * sizeof(FvPair) * (size_t)gpu->batch_pairs,
           batches = (size_t)gpu->batch_count;
    const struct {
        FvGpuMemory *memory;
        size_t bytes;
        FvGpuPlace place;
    } areas[] = {
        {&gpu->work, gpu->work_bytes + 256, FV_GPU_LOCAL},
        {&gpu->results, gpu->result_bytes + 256, FV_GPU_LOCAL},
        {&gpu->pairs, pair_bytes, FV_GPU_LOCAL},
        {&gpu->constants, gpu->constant_bytes + 256, FV_GPU_LOCAL},
        {&gpu->host_results, (gpu->result_bytes + 256) * batches, FV_GPU_HOST},
        {&gpu->host_pairs, pair_bytes * batches, FV_GPU_HOST},
        {&gpu->lasting, gpu->lasting_bytes, FV_GPU_LOCAL},
        {&gpu->maps, gpu->map_bytes, FV_GPU_LOCAL},
        {&gpu->host_maps, gpu->map_bytes * batches, FV_GPU_HOST},
    };
    FvStatus status = FV_OK;
    for (size_t i = 0; i < sizeof areas / sizeof *areas && !status; i++)
        if (areas[i].bytes)
            status = gpu->gpu->ops->alloc(gpu->gpu, areas[i].memory, areas[i].bytes, areas[i].place, error);
    if (status)
        fv_gpu_free_areas(gpu);
    return status;
}

static FvStatus upload_constants(FvGpuDevice *gpu, FvError *error)
{
    const FvGpuOps *ops = gpu->gpu->ops;
    if (!gpu->constant_bytes)
        return FV_OK;
    FvGpuMemory staging;
    FvStatus status = ops->alloc(gpu->gpu, &staging, gpu->constant_bytes, FV_GPU_HOST, error);
    if (status)
        return status;
    for (int r = 0; r < gpu->run_count; r++)
        if (gpu->placement[r] && gpu->plan[r].constant_bytes)
            gpu->runs[r].feature->gpu->constants(&gpu->runs[r], staging.host + gpu->constant_offset[r]);
    uint64_t ticket;
    status = ops->begin(gpu->gpu, FV_GPU_COMPUTE, error);
    if (!status) {
        ops->copy(gpu->gpu, FV_GPU_COMPUTE, &gpu->constants, 0, &staging, 0, gpu->constant_bytes);
        status = ops->submit(gpu->gpu, FV_GPU_COMPUTE, &ticket, error);
    }
    if (!status)
        status = ops->wait(gpu->gpu, FV_GPU_COMPUTE, ticket, error);
    ops->free(gpu->gpu, &staging);
    return status;
}

/* Returns how many of the session's `in_flight` pairs fit the free memory, or the session's part of it. */
static int pairs_that_fit(const FvGpuDevice *gpu, int in_flight)
{
    size_t per_pair = 0, lasting = 0;
    for (int r = 0; r < gpu->run_count; r++)
        if (gpu->placement[r]) {
            lasting += gpu->plan[r].lasting_bytes;
            per_pair +=
                gpu->plan[r].work_bytes + gpu->plan[r].result_bytes + all_map_bytes(&gpu->runs[r], gpu->placement[r]);
        }
    size_t frame = 0;
    for (int i = 0; i < FV_GPU_VARIANTS; i++)
        frame += gpu->variant[i].format.width ? fv_format_plane_bytes(&gpu->variant[i].format) : 0;
    uint64_t room = MEMORY_SHARE(gpu->gpu->ops->available(gpu->gpu)) / (uint64_t)(1 + gpu->device.others);
    int pairs = in_flight;
    while (pairs > 1 && (uint64_t)(2 * pairs + AHEAD_FRAMES) * frame +
                                (uint64_t)((pairs + BATCHES - 1) / BATCHES) * per_pair + lasting >
                            room)
        pairs--;
    return pairs;
}

static FvStatus plan_run(FvGpuDevice *gpu, int r, FvError *error)
{
    const FvFeatureInstance *run = &gpu->runs[r];
    FvGpuPlan *plan = &gpu->plan[r];
    char why[256];
    if (!fv_gpu_plan(gpu->gpu, run, plan, why, sizeof why))
        return fv_fail(error, FV_ERROR_DEVICE, "%s: %s", run->feature->name, why);
    plan->work_bytes = FV_ROUND_UP(plan->work_bytes, 256);
    plan->result_bytes = FV_ROUND_UP(plan->result_bytes, 256);
    plan->constant_bytes = FV_ROUND_UP(plan->constant_bytes, 256);
    plan->lasting_bytes = FV_ROUND_UP(plan->lasting_bytes, 256);
    for (int skipped = 0; skipped <= run->every_frame; skipped++) {
        gpu->variant[run->ycbcr_variant].reads[skipped] |= run->reads;
        if (run->behind > gpu->variant[run->ycbcr_variant].behind[skipped])
            gpu->variant[run->ycbcr_variant].behind[skipped] = run->behind;
    }
    gpu->variant[run->ycbcr_variant].luma_only &= luma_only(run);
    gpu->variant[run->ycbcr_variant].format = run->dis;
    return FV_OK;
}

FvStatus fv_gpu_device_start(FvDevice *device, FvFeatureInstance *runs, const FvPlacement *placement, int count,
                             int *in_flight, FvError *error)
{
    FvGpuDevice *gpu = (FvGpuDevice *)device;
    gpu->runs = runs;
    gpu->placement = placement;
    gpu->run_count = count;
    for (int i = 0; i < FV_GPU_VARIANTS; i++)
        gpu->variant[i].luma_only = true;
    int carried = 0;
    FvStatus status = FV_OK;
    for (int r = 0; r < count && !status; r++)
        if (placement[r]) {
            status = plan_run(gpu, r, error);
            carried++;
        }
    if (status)
        return status;
    if (!carried)
        return FV_OK;
    *in_flight = pairs_that_fit(gpu, *in_flight);
    for (;;) {
        gpu->batch_pairs = (*in_flight + BATCHES - 1) / BATCHES;
        if (gpu->batch_pairs > FV_GPU_BATCH_PAIRS)
            gpu->batch_pairs = FV_GPU_BATCH_PAIRS;
        gpu->batch_count = *in_flight;
        lay_out(gpu);
        status = alloc_areas(gpu, error);
        if (!status || *in_flight == 1)
            break;
        *in_flight /= 2; /* the driver overstated its free memory */
    }
    if (!status)
        status = upload_constants(gpu, error);
    for (int i = 0; i < FV_GPU_VARIANTS && !status; i++)
        if (gpu->variant[i].format.width)
            status = fv_gpu_frames_open(&gpu->variant[i].frames, gpu->gpu, &gpu->variant[i].format,
                                        gpu->variant[i].luma_only,
                                        2 * (1 + gpu->variant[i].behind[0]) * *in_flight + 2, error);
    if (status)
        return status;
    gpu->batches = calloc((size_t)gpu->batch_count, sizeof *gpu->batches);
    return gpu->batches ? FV_OK : fv_fail_memory(error, (size_t)gpu->batch_count * sizeof *gpu->batches);
}
