#include "gpu/prepare.h"

#include <string.h>

#include "base/error.h"
#include "gpu/planes.h"
#include "kernel/scale.h"
#include "os/memory.h"
#include "picture/frame.h"

extern const FvKernel fv_kernel_scale_across8, fv_kernel_scale_across16, fv_kernel_scale_down8,
    fv_kernel_scale_down16;
const FvKernel *const fv_gpu_prepare_kernels[] = {&fv_kernel_scale_across8, &fv_kernel_scale_across16,
                                                  &fv_kernel_scale_down8, &fv_kernel_scale_down16, NULL};

#define PLANES 3
#define MOST_TAPS 1024    /* maximum taps of an output; one thread adds them up */
#define MOST_GROUPS 32768 /* maximum number of workgroups per plane */
/* Maximum bytes of intermediate rows per launch, unless one frame needs more. */
#define CHUNK_BYTES ((size_t)128 << 20)
#define MOST_BETWEEN ((size_t)2 << 30) /* maximum bytes of one frame's intermediate rows */
#define RECIPES 2                      /* number of recipes: one per video */
#define PLACE(bytes) FV_ROUND_UP(bytes, (size_t)256)

/* A recipe: the constant part of a preparation. */
typedef struct Recipe {
    const FvPreparation *preparation;
    FvPrepareSteps steps;
    /*
     * Descriptions of the planes without the addresses of frames; `between`: address for the first frame of a launch.
     */
    FvScaleGpuPlane plane[PLANES];
    size_t between_bytes; /* bytes of a frame's intermediate rows */
    int frames;           /* number of frames per launch */
    FvGpuMemory tables, host_tables, between;
    bool sent; /* whether the tables are on the device */
} Recipe;

typedef struct Slot {
    FvGpuMemory frame;   /* device memory of the frame as it was read */
    FvGpuMemory staging; /* host memory of the frame, if the device cannot read it directly */
    /* Recipe of a frame that was sent but whose preparation has not been recorded yet, or NULL. */
    const Recipe *recipe;
    int count; /* number of planes of the result */
} Slot;

struct FvGpuPrepare {
    FvGpu *gpu;
    Slot *slots;
    int slot_count;
    Recipe recipe[RECIPES];
    int recipe_count;
    FvGpuMemory planes, host_planes; /* plane descriptions of every slot: on the device, and on the host */
};

/* ---- Recipes --------------------------------------------------------------------------------------------------- */

static size_t table_bytes(const FvScaleTable *table)
{
    return PLACE((size_t)table->padded * sizeof(int32_t)) +
           PLACE((size_t)table->padded * (size_t)table->taps * sizeof(int16_t));
}

static int tables_of(const FvPrepareSteps *steps)
{
    return steps->to.chroma ? 2 : 1;
}

/* Describes the planes, and returns the bytes of the intermediate rows. */
static size_t describe_between(const FvPrepareSteps *steps, FvScaleGpuPlane plane[PLANES])
{
    size_t bytes = 0;
    for (int i = 0; i < fv_format_planes(&steps->to); i++) {
        FvScaleGpuPlane *p = &plane[i];
        *p = (FvScaleGpuPlane){.shift = steps->table[i > 0] ? -1 : steps->shift,
                               .maximum = (1 << steps->from.depth) - 1,
                               .depth = steps->depth};
        fv_format_plane_size(&steps->cropped, i, &p->width, &p->height);
        fv_format_plane_size(&steps->to, i, &p->columns, &p->rows);
        p->between_stride = FV_ROUND_UP(p->columns, FV_SCALE_WIDE);
        p->between = bytes;
        bytes += PLACE((size_t)p->between_stride * (size_t)p->height * sizeof(int32_t));
    }
    return bytes;
}

bool fv_gpu_prepare_supports(FvGpu *gpu, const FvPreparation *preparation, char *why, size_t size)
{
    FvPrepareSteps steps;
    FvScaleGpuPlane plane[PLANES];
    if (!fv_prepare_steps(preparation, &steps, why, size))
        return false;
    for (int i = 0; i < tables_of(&steps); i++) {
        const int across = steps.across[i]->taps, down = steps.down[i]->taps, taps = across > down ? across : down;
        if (taps <= MOST_TAPS)
            continue;
        snprintf(why, size, "a sample is made of %d in a row or column, and kernels take at most %d", taps,
                 MOST_TAPS);
        return false;
    }
    const size_t between = describe_between(&steps, plane);
    const uint64_t need = between + fv_format_plane_bytes(&steps.from), room = gpu->ops->available(gpu);
    if (between <= MOST_BETWEEN && need <= room)
        return true;
    snprintf(why, size, "one frame needs %.0f MB on %s:%d, and no more than %.0f MB can be had", (double)need * 1e-6,
             gpu->ops->kind, gpu->index, (double)(room < MOST_BETWEEN ? room : MOST_BETWEEN) * 1e-6);
    return false;
}

/* Copies a table to the tables' host memory, and notes its future address on the device. */
static void place_table(Recipe *recipe, const FvScaleTable *table, int way, FvScaleGpuPlane *plane, size_t *at)
{
    const size_t first = (size_t)table->padded * sizeof(int32_t);
    const size_t coefficients = (size_t)table->padded * (size_t)table->taps * sizeof(int16_t);
    plane->padded[way] = table->padded;
    plane->pairs[way] = (table->used + 1) / 2;
    plane->first[way] = recipe->tables.address + *at;
    memcpy(recipe->host_tables.host + *at, table->first, first);
    *at += PLACE(first);
    plane->coefficients[way] = recipe->tables.address + *at;
    memcpy(recipe->host_tables.host + *at, table->coefficient, coefficients);
    *at += PLACE(coefficients);
}

static void fill_tables(Recipe *recipe)
{
    const FvPrepareSteps *steps = &recipe->steps;
    size_t at = 0;
    memset(recipe->host_tables.host, 0, recipe->host_tables.bytes);
    for (int i = 0; i < tables_of(steps); i++) {
        FvScaleGpuPlane *plane = &recipe->plane[i];
        const size_t bytes = sizeof(uint16_t) << steps->from.depth;
        place_table(recipe, steps->across[i], 0, plane, &at);
        place_table(recipe, steps->down[i], 1, plane, &at);
        if (steps->table[i]) {
            plane->table = recipe->tables.address + at;
            memcpy(recipe->host_tables.host + at, steps->table[i], bytes);
            at += PLACE(bytes);
        }
    }
    for (int plane = 2; plane < fv_format_planes(&steps->to); plane++)
        for (int way = 0; way < 2; way++) {
            const FvScaleGpuPlane *same = &recipe->plane[1];
            recipe->plane[plane].padded[way] = same->padded[way];
            recipe->plane[plane].pairs[way] = same->pairs[way];
            recipe->plane[plane].first[way] = same->first[way];
            recipe->plane[plane].coefficients[way] = same->coefficients[way];
            recipe->plane[plane].table = same->table;
        }
}

static void free_recipe(FvGpu *gpu, Recipe *recipe)
{
    gpu->ops->free(gpu, &recipe->tables);
    gpu->ops->free(gpu, &recipe->host_tables);
    gpu->ops->free(gpu, &recipe->between);
}

static FvStatus make_recipe(FvGpuPrepare *s, Recipe *recipe, const FvPreparation *preparation, FvError *error)
{
    const FvGpuOps *ops = s->gpu->ops;
    char why[256];
    *recipe = (Recipe){.preparation = preparation};
    if (!fv_prepare_steps(preparation, &recipe->steps, why, sizeof why))
        return fv_fail(error, FV_ERROR_DEVICE, "%s", why);
    size_t bytes = 0;
    for (int i = 0; i < tables_of(&recipe->steps); i++)
        bytes += table_bytes(recipe->steps.across[i]) + table_bytes(recipe->steps.down[i]) +
                 (recipe->steps.table[i] ? PLACE(sizeof(uint16_t) << recipe->steps.from.depth) : 0);
    recipe->between_bytes = describe_between(&recipe->steps, recipe->plane);
    const size_t fit = CHUNK_BYTES / recipe->between_bytes;
    recipe->frames = fit < 1 ? 1 : fit < (size_t)s->slot_count ? (int)fit : s->slot_count;
    FvStatus status = ops->alloc(s->gpu, &recipe->tables, bytes, FV_GPU_LOCAL, error);
    if (!status)
        status = ops->alloc(s->gpu, &recipe->host_tables, bytes, FV_GPU_HOST, error);
    if (!status)
        status =
            ops->alloc(s->gpu, &recipe->between, recipe->between_bytes * (size_t)recipe->frames, FV_GPU_LOCAL, error);
    if (status) {
        free_recipe(s->gpu, recipe);
        return status;
    }
    for (int i = 0; i < fv_format_planes(&recipe->steps.to); i++)
        recipe->plane[i].between += recipe->between.address;
    fill_tables(recipe);
    return FV_OK;
}

static FvStatus find_recipe(FvGpuPrepare *s, const FvPreparation *preparation, Recipe **recipe, FvError *error)
{
    for (int i = 0; i < s->recipe_count; i++)
        if (s->recipe[i].preparation == preparation) {
            *recipe = &s->recipe[i];
            return FV_OK;
        }
    if (s->recipe_count == RECIPES)
        return fv_fail(error, FV_ERROR_DEVICE, "more than %d preparations on one device", RECIPES);
    *recipe = &s->recipe[s->recipe_count];
    FvStatus status = make_recipe(s, *recipe, preparation, error);
    s->recipe_count += !status;
    return status;
}

/* ---- Frames ---------------------------------------------------------------------------------------------------- */

FvStatus fv_gpu_prepare_open(FvGpuPrepare **scale, FvGpu *gpu, int slots, FvError *error)
{
    FvGpuPrepare *s = *scale = fv_alloc_zero(sizeof *s);
    const size_t bytes = (size_t)slots * PLANES * sizeof(FvScaleGpuPlane);
    if (!s)
        return fv_fail_memory(error, sizeof *s);
    s->gpu = gpu;
    s->slot_count = slots;
    s->slots = fv_alloc_zero((size_t)slots * sizeof *s->slots);
    FvStatus status = s->slots ? FV_OK : fv_fail_memory(error, (size_t)slots * sizeof *s->slots);
    if (!status)
        status = gpu->ops->alloc(gpu, &s->planes, bytes, FV_GPU_LOCAL, error);
    if (!status)
        status = gpu->ops->alloc(gpu, &s->host_planes, bytes, FV_GPU_HOST, error);
    if (status)
        fv_gpu_prepare_close(scale);
    return status;
}

void fv_gpu_prepare_close(FvGpuPrepare **scale)
{
    FvGpuPrepare *s = *scale;
    *scale = NULL;
    if (!s)
        return;
    for (int i = 0; s->slots && i < s->slot_count; i++) {
        s->gpu->ops->free(s->gpu, &s->slots[i].frame);
        s->gpu->ops->free(s->gpu, &s->slots[i].staging);
    }
    for (int i = 0; i < s->recipe_count; i++)
        free_recipe(s->gpu, &s->recipe[i]);
    s->gpu->ops->free(s->gpu, &s->planes);
    s->gpu->ops->free(s->gpu, &s->host_planes);
    fv_free(s->slots);
    fv_free(s);
}

static size_t frame_bytes(const FvPreparation *preparation)
{
    return fv_format_plane_bytes(fv_prepare_from(preparation));
}

bool fv_gpu_prepare_has_room(const FvGpuPrepare *s, int slot, const FvPreparation *preparation)
{
    return s->slots[slot].frame.bytes >= frame_bytes(preparation);
}

FvStatus fv_gpu_prepare_reserve(FvGpuPrepare *s, int slot, const FvPreparation *preparation, FvError *error)
{
    Slot *free_slot = &s->slots[slot];
    if (fv_gpu_prepare_has_room(s, slot, preparation))
        return FV_OK;
    s->gpu->ops->free(s->gpu, &free_slot->frame);
    return s->gpu->ops->alloc(s->gpu, &free_slot->frame, frame_bytes(preparation), FV_GPU_LOCAL, error);
}

/* Copies a frame to host memory that the device reads, with its planes where fv_format_stride() puts them. */
static FvStatus stage(FvGpuPrepare *s, Slot *slot, const FvFrame *frame, int planes, const FvGpuMemory **from,
                      FvError *error)
{
    const FvFramePlace *place = fv_frame_place(frame);
    *from = place && place->owner == s->gpu ? place->memory : NULL;
    if (*from)
        return FV_OK;
    const size_t bytes = fv_format_plane_bytes(&frame->format);
    FvStatus status = FV_OK;
    if (slot->staging.bytes < bytes) {
        s->gpu->ops->free(s->gpu, &slot->staging);
        status = s->gpu->ops->alloc(s->gpu, &slot->staging, bytes, FV_GPU_HOST, error);
    }
    if (status)
        return status;
    uint8_t *to = slot->staging.host;
    for (int plane = 0; plane < planes; plane++) {
        int width, height;
        fv_format_plane_size(&frame->format, plane, &width, &height);
        const ptrdiff_t stride = fv_format_stride(&frame->format, plane);
        for (int y = 0; y < height; y++, to += stride)
            memcpy(to, frame->data[plane] + y * frame->stride[plane],
                   (size_t)width * (size_t)fv_format_sample_bytes(&frame->format));
    }
    *from = &slot->staging;
    return FV_OK;
}

/* Fills the descriptions of a slot's planes, except `between`. */
static size_t describe_planes(FvGpuPrepare *s, int slot, const Recipe *recipe, int count, const FvPlanes *planes)
{
    const FvPrepareSteps *steps = &recipe->steps;
    FvScaleGpuPlane *all = (FvScaleGpuPlane *)s->host_planes.host + (size_t)slot * PLANES;
    size_t at = 0;
    for (int plane = 0; plane < count; plane++) {
        int height;
        fv_format_plane_size(&steps->from, plane, NULL, &height);
        const ptrdiff_t stride = fv_format_stride(&steps->from, plane);
        all[plane] = recipe->plane[plane];
        all[plane].from = s->slots[slot].frame.address + at + steps->offset[plane > 0];
        all[plane].from_stride = (uint32_t)stride;
        all[plane].to = planes->data[plane];
        all[plane].to_stride = planes->stride[plane];
        at += (size_t)stride * (size_t)height;
    }
    return at;
}

FvStatus fv_gpu_prepare_send(FvGpuPrepare *s, int slot, const FvUnprepared *unprepared, int count,
                             const FvPlanes *planes, size_t *bytes, FvError *error)
{
    const FvGpuOps *ops = s->gpu->ops;
    const FvGpuMemory *from = NULL;
    Recipe *recipe = NULL;
    FvStatus status = find_recipe(s, unprepared->preparation, &recipe, error);
    if (!status)
        status = stage(s, &s->slots[slot], unprepared->frame, count, &from, error);
    if (status)
        return status;
    *bytes = describe_planes(s, slot, recipe, count, planes);
    if (!recipe->sent)
        ops->copy(s->gpu, FV_GPU_COPY, &recipe->tables, 0, &recipe->host_tables, 0, recipe->host_tables.bytes);
    recipe->sent = true;
    ops->copy(s->gpu, FV_GPU_COPY, &s->slots[slot].frame, 0, from, 0, *bytes);
    s->slots[slot].recipe = recipe;
    s->slots[slot].count = count;
    return FV_OK;
}

static uint32_t groups_for(int64_t items)
{
    const int64_t groups = (items + FV_SCALE_THREADS - 1) / FV_SCALE_THREADS;
    return (uint32_t)(groups < MOST_GROUPS ? groups : MOST_GROUPS);
}

/* Launches the preparation of slots with the same recipe, whose descriptions are contiguous on the device. */
static void launch_preparation(FvGpuPrepare *s, const Recipe *recipe, int frames, int count)
{
    const FvGpuOps *ops = s->gpu->ops;
    const FvScaleGpuPlane *luma = &recipe->plane[0];
    int64_t across = 0, down = 0;
    for (int plane = 0; plane < count; plane++) {
        const FvScaleGpuPlane *p = &recipe->plane[plane];
        const int64_t blocks = (p->height + FV_SCALE_HIGH - 1) / FV_SCALE_HIGH;
        across = blocks * p->between_stride > across ? blocks * p->between_stride : across;
        down = (int64_t)p->rows * p->between_stride > down ? (int64_t)p->rows * p->between_stride : down;
    }
    FvScaleArgs args = {s->planes.address, count, 0};
    const uint32_t groups[2] = {groups_for(across), groups_for(down / FV_SCALE_WIDE)};
    ops->barrier(s->gpu, FV_GPU_COMPUTE);
    args.stride = (int32_t)groups[0] * FV_SCALE_THREADS;
    ops->launch(s->gpu, FV_GPU_COMPUTE,
                recipe->steps.from.depth > 8 ? &fv_kernel_scale_across16 : &fv_kernel_scale_across8, &args, groups[0],
                (uint32_t)count, (uint32_t)frames);
    ops->barrier(s->gpu, FV_GPU_COMPUTE);
    args.stride = (int32_t)groups[1] * FV_SCALE_THREADS;
    ops->launch(s->gpu, FV_GPU_COMPUTE, luma->depth > 8 ? &fv_kernel_scale_down16 : &fv_kernel_scale_down8, &args,
                groups[1], (uint32_t)count, (uint32_t)frames);
    ops->barrier(s->gpu, FV_GPU_COMPUTE);
}

static void add_slot(FvGpuPrepare *s, Slot *slot, const Recipe *recipe, int frame)
{
    const size_t bytes = (size_t)slot->count * sizeof(FvScaleGpuPlane);
    const size_t at = (size_t)(slot - s->slots) * PLANES * sizeof(FvScaleGpuPlane);
    FvScaleGpuPlane *planes = (FvScaleGpuPlane *)(s->host_planes.host + at);
    for (int plane = 0; plane < slot->count; plane++)
        planes[plane].between = recipe->plane[plane].between + recipe->between_bytes * (size_t)frame;
    s->gpu->ops->copy(s->gpu, FV_GPU_COMPUTE, &s->planes, bytes * (size_t)frame, &s->host_planes, at, bytes);
    slot->recipe = NULL;
}

void fv_gpu_prepare_record(FvGpuPrepare *s)
{
    for (int r = 0; r < s->recipe_count; r++) {
        const Recipe *recipe = &s->recipe[r];
        int frames = 0, count = 0;
        for (int i = 0; i < s->slot_count; i++) {
            if (s->slots[i].recipe != recipe)
                continue;
            count = s->slots[i].count;
            add_slot(s, &s->slots[i], recipe, frames++);
            if (frames == recipe->frames) {
                launch_preparation(s, recipe, frames, count);
                frames = 0;
            }
        }
        if (frames)
            launch_preparation(s, recipe, frames, count);
    }
}

/* ---- One frame ------------------------------------------------------------------------------------------------- */

/* Prepares one frame and waits, so that the memory is not in use afterwards. */
static FvStatus run_one(FvGpuPrepare *s, const FvUnprepared *unprepared, const FvGpuMemory *local,
                        const FvGpuMemory *host, const FvPlanes *planes, int count, FvError *error)
{
    const FvGpuOps *ops = s->gpu->ops;
    uint64_t sent = 0, done = 0;
    size_t bytes;
    FvStatus status = ops->begin(s->gpu, FV_GPU_COPY, error);
    if (status)
        return status;
    status = fv_gpu_prepare_send(s, 0, unprepared, count, planes, &bytes, error);
    if (status) {
        fv_gpu_settle(s->gpu, FV_GPU_COPY, true, sent);
        return status;
    }
    status = ops->submit(s->gpu, FV_GPU_COPY, &sent, error);
    if (status)
        return status;
    status = ops->begin(s->gpu, FV_GPU_COMPUTE, error);
    if (!status) {
        ops->after(s->gpu, FV_GPU_COMPUTE, FV_GPU_COPY, sent);
        fv_gpu_prepare_record(s);
        ops->copy(s->gpu, FV_GPU_COMPUTE, host, 0, local, 0, local->bytes);
        status = ops->submit(s->gpu, FV_GPU_COMPUTE, &done, error);
    }
    if (!status)
        status = ops->wait(s->gpu, FV_GPU_COMPUTE, done, error);
    else
        fv_gpu_settle(s->gpu, FV_GPU_COPY, false, sent);
    return status;
}

static void take_planes(FvFrame *frame, const FvGpuMemory *host)
{
    const uint8_t *from = host->host;
    for (int plane = 0; plane < fv_format_planes(&frame->format); plane++) {
        int height;
        fv_format_plane_size(&frame->format, plane, NULL, &height);
        memcpy(frame->data[plane], from, (size_t)frame->stride[plane] * (size_t)height);
        from += frame->stride[plane] * height;
    }
}

FvStatus fv_gpu_prepare_frame(FvGpu *gpu, const FvPreparation *preparation, FvFrame **frame, FvError *error)
{
    const FvUnprepared unprepared = {*frame, preparation};
    const FvFormat *to = fv_prepare_to(preparation);
    FvGpuPrepare *scale = NULL;
    FvGpuMemory local = {0}, host = {0};
    FvPlanes planes = {0};
    FvFrame *out = NULL;
    FvStatus status = fv_frame_alloc(&out, to, error);
    if (!status)
        status = fv_gpu_prepare_open(&scale, gpu, 1, error);
    if (!status)
        status = fv_gpu_prepare_reserve(scale, 0, preparation, error);
    if (!status)
        status = gpu->ops->alloc(gpu, &local, fv_format_plane_bytes(to), FV_GPU_LOCAL, error);
    if (!status)
        status = gpu->ops->alloc(gpu, &host, fv_format_plane_bytes(to), FV_GPU_HOST, error);
    if (!status) {
        fv_gpu_planes(to, local.address, &planes);
        status = run_one(scale, &unprepared, &local, &host, &planes, fv_format_planes(to), error);
    }
    if (!status) {
        take_planes(out, &host);
        fv_frame_unref(frame);
        *frame = fv_frame_ref(out);
    }
    fv_frame_unref(&out);
    fv_gpu_prepare_close(&scale);
    gpu->ops->free(gpu, &local);
    gpu->ops->free(gpu, &host);
    return status;
}
