#include "picture/frame.h"

#include <stdatomic.h>
#include <string.h>

#include "base/error.h"
#include "cpu/depth.h"
#include "os/memory.h"
#include "os/thread.h"
#include "picture/frame_feed.h"

/* The public frame followed by its private members. One block of memory holds this struct and the planes. */
typedef struct CountedFrame {
    FvFrame frame;
    atomic_int references;
    atomic_bool vouched; /* samples are known not to exceed the depth */
    bool timed, passed;
    int64_t time;
    void *attached; /* object of fv_frame_attach(), or NULL */
    void (*detach)(void *attached);
    FvFrame *ycbcr;            /* Y'CbCr variant for metrics that do not accept RGB, or NULL */
    FvFrame *whole;            /* the frame that owns the samples; NULL: this one */
    FvFramePool *pool;         /* pool to which the block returns when the frame is released; NULL: it is freed */
    struct CountedFrame *next; /* next idle frame of the pool */
    FvFramePlace place;        /* release is NULL for frames in ordinary memory */
} CountedFrame;

struct FvFramePool {
    FvMutex lock;
    FvFormat format;
    CountedFrame *idle;
    int idle_count;
    int users; /* number of frames in use, plus 1 until the owner closes the pool */
    bool closed, packed;
    FvFrameMaker *make; /* allocates frames in the memory of a device; or NULL */
    void *maker;
};

/* Rows that a feed sends are multiples of this many bytes. */
#define FEED_ALIGN 16

#define HEADER_BYTES FV_ROUND_UP(sizeof(CountedFrame), FV_ALIGN)

size_t fv_format_bytes(const FvFormat *format)
{
    return HEADER_BYTES + fv_format_plane_bytes(format);
}

/*
 * Rows are not packed if they are multiples of this many bytes: every column of samples would be in one set of a
 * cache.
 */
#define FAR_ROWS 2048

static ptrdiff_t packed_stride(const FvFormat *format, int plane)
{
    int width, height;
    fv_format_plane_size(format, plane, &width, &height);
    const ptrdiff_t row = (ptrdiff_t)width * fv_format_sample_bytes(format);
    return row % FV_ALIGN || row % FAR_ROWS == 0 ? fv_format_stride(format, plane) : row;
}

/*
 * Makes a frame with one reference from a block of fv_format_bytes() bytes. With packed rows, the end of the block
 * stays unused.
 */
static FvFrame *lay_out(CountedFrame *counted, const FvFormat *format, FvFramePool *pool)
{
    *counted = (CountedFrame){.frame = {.format = *format}, .pool = pool};
    atomic_init(&counted->references, 1);
    uint8_t *next = (uint8_t *)counted + HEADER_BYTES;
    for (int plane = 0; plane < fv_format_planes(format); plane++) {
        int height;
        fv_format_plane_size(format, plane, NULL, &height);
        counted->frame.data[plane] = next;
        counted->frame.stride[plane] =
            pool && pool->packed ? packed_stride(format, plane) : fv_format_stride(format, plane);
        next += counted->frame.stride[plane] * height;
    }
    return &counted->frame;
}

FvStatus fv_frame_alloc(FvFrame **frame, const FvFormat *format, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, frame);
    *frame = NULL;
    FvStatus status = fv_format_check(format, error);
    if (status)
        return status;
    size_t bytes = fv_format_bytes(format);
    CountedFrame *counted = fv_alloc(bytes);
    if (!counted)
        return fv_fail_memory(error, bytes);
    *frame = lay_out(counted, format, NULL);
    return FV_OK;
}

/*
 * Copies a plane. looks: also returns the bitwise OR of all samples, which is cheap while copied rows are in the
 * cache.
 */
static unsigned copy_plane(FvFrame *frame, int plane, const uint8_t *from, ptrdiff_t stride, bool looks)
{
    const FvDepthKernels *kernels = fv_depth_kernels(fv_isa_best());
    int width, height;
    unsigned all = 0;
    fv_format_plane_size(&frame->format, plane, &width, &height);
    for (int y = 0; y < height; y++) {
        uint8_t *to = frame->data[plane] + y * frame->stride[plane];
        memcpy(to, from + y * stride, (size_t)width * fv_format_sample_bytes(&frame->format));
        all |= looks ? kernels->join(to, 0, width, 1) : 0;
    }
    return all;
}

FvStatus fv_frame_copy(FvFrame **frame, const FvFormat *format, const void *const data[3], const ptrdiff_t stride[3],
                       FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, frame);
    *frame = NULL;
    FV_REQUIRE(error, format);
    FV_REQUIRE(error, data);
    FV_REQUIRE(error, stride);
    for (int plane = 0; plane < fv_format_planes(format); plane++)
        FV_REQUIRE(error, data[plane]);
    FvStatus status = fv_frame_alloc(frame, format, error);
    for (int plane = 0; !status && plane < fv_format_planes(format); plane++)
        copy_plane(*frame, plane, data[plane], stride[plane], false);
    return status;
}

FvStatus fv_frame_fill(FvFrame *frame, const void *const data[3], const ptrdiff_t stride[3], FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, frame);
    FV_REQUIRE(error, data);
    FV_REQUIRE(error, stride);
    const int planes = fv_format_planes(&frame->format), depth = frame->format.depth;
    for (int plane = 0; plane < planes; plane++)
        FV_REQUIRE(error, data[plane]);
    if (!frame->data[0])
        return fv_fail(error, FV_ERROR_USAGE, "the frame lies in a device's memory, which the host cannot write");
    const bool looks = depth > 8 && depth < 16;
    unsigned all = 0;
    for (int plane = 0; plane < planes; plane++)
        all |= copy_plane(frame, plane, data[plane], stride[plane], looks);
    if (!(all >> depth))
        fv_frame_vouch(frame);
    return FV_OK;
}

FvStatus fv_frame_wrap(FvFrame **frame, const FvFormat *format, uint8_t *const data[3], const ptrdiff_t stride[3],
                       const FvFramePlace *place, FvError *error)
{
    *frame = NULL;
    FvStatus status = fv_format_check(format, error);
    CountedFrame *counted = status ? NULL : fv_alloc(sizeof *counted);
    if (!counted) {
        place->release(place->opaque);
        return status ? status : fv_fail_memory(error, sizeof *counted);
    }
    *counted = (CountedFrame){.frame = {.format = *format}, .place = *place};
    atomic_init(&counted->references, 1);
    for (int plane = 0; plane < fv_format_planes(format); plane++) {
        counted->frame.data[plane] = data[plane];
        counted->frame.stride[plane] = stride[plane];
    }
    *frame = &counted->frame;
    return FV_OK;
}

static FvStatus check_planes(const FvFormat *format, void *const data[3], const ptrdiff_t stride[3], FvError *error)
{
    FvStatus status = fv_format_check(format, error);
    for (int plane = 0; plane < fv_format_planes(format) && !status; plane++) {
        int width, height;
        fv_format_plane_size(format, plane, &width, &height);
        if (!data[plane] || (uintptr_t)data[plane] % FV_ALIGN || stride[plane] % FV_ALIGN ||
            stride[plane] < (ptrdiff_t)width * fv_format_sample_bytes(format))
            status = fv_fail(error, FV_ERROR_USAGE,
                             "plane %d must begin at a multiple of %d bytes; its stride of %td must be a multiple, "
                             "too, and hold a row; fv_frame_copy takes any layout",
                             plane, FV_ALIGN, stride[plane]);
    }
    return status;
}

FvStatus fv_frame_borrow(FvFrame **frame, const FvFormat *format, void *const data[3], const ptrdiff_t stride[3],
                         void (*release)(void *opaque), void *opaque, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, release);
    const char *missing = !frame ? "frame" : !format ? "format" : !data ? "data" : !stride ? "stride" : NULL;
    FvStatus status = missing ? fv_fail_null(error, __func__, missing) : check_planes(format, data, stride, error);
    if (!status) {
        uint8_t *const planes[3] = {data[0], data[1], data[2]};
        return fv_frame_wrap(frame, format, planes, stride, &(FvFramePlace){.release = release, .opaque = opaque},
                             error);
    }
    if (frame)
        *frame = NULL;
    release(opaque);
    return status;
}

const FvFramePlace *fv_frame_place(const FvFrame *frame)
{
    const CountedFrame *counted = (const CountedFrame *)frame;
    return counted->place.release ? &counted->place : NULL;
}

struct FvProresPacket *fv_frame_packet(const FvFrame *frame)
{
    const FvFramePlace *place = frame ? fv_frame_place(frame) : NULL;
    return place ? place->packet : NULL;
}

static void release_nothing(void *opaque)
{
}

FvStatus fv_frame_skip_decoding(FvFrame **frame, const FvFormat *format, FvError *error)
{
    static uint8_t *const data[3];
    static const ptrdiff_t stride[3];
    FvStatus status = fv_frame_wrap(frame, format, data, stride, &(FvFramePlace){.release = release_nothing}, error);
    if (!status)
        ((CountedFrame *)*frame)->passed = true;
    return status;
}

bool fv_frame_is_undecoded(const FvFrame *frame)
{
    return frame && ((const CountedFrame *)frame)->passed;
}

void fv_frame_let_go(FvFrame *frame)
{
    CountedFrame *counted = (CountedFrame *)frame;
    if (!counted->place.release)
        return;
    counted->place.release(counted->place.opaque);
    counted->place = (FvFramePlace){.release = release_nothing};
    memset(frame->data, 0, sizeof frame->data);
}

bool fv_frame_device(const FvFrame *frame, FvDeviceFrame *where)
{
    const FvFramePlace *place = frame && where ? fv_frame_place(frame) : NULL;
    if (!place || frame->data[0])
        return false;
    *where = (FvDeviceFrame){0};
    for (int plane = 0; plane < 3; plane++) {
        where->address[plane] = place->address[plane];
        where->stride[plane] = frame->stride[plane];
    }
    return true;
}

void fv_frame_sync(FvFrame *frame, void *sync, uint64_t value)
{
    CountedFrame *counted = (CountedFrame *)frame;
    if (!counted)
        return;
    counted->place.sync = sync;
    counted->place.sync_value = value;
}

void fv_frame_fed(FvFrame *frame, const struct FvGpuFed *fed)
{
    ((CountedFrame *)frame)->place.fed = fed;
}

bool fv_feed_takes(const FvFormat *format)
{
    for (int plane = 0; plane < fv_format_planes(format); plane++) {
        int width;
        fv_format_plane_size(format, plane, &width, NULL);
        if (width * fv_format_sample_bytes(format) % FEED_ALIGN)
            return false;
    }
    return true;
}

FvFrame *fv_frame_ref(FvFrame *frame)
{
    if (frame)
        atomic_fetch_add_explicit(&((CountedFrame *)frame)->references, 1, memory_order_relaxed);
    return frame;
}

void fv_frame_vouch(FvFrame *frame)
{
    atomic_store_explicit(&((CountedFrame *)frame)->vouched, true, memory_order_relaxed);
}

static bool is_vouched(const FvFrame *frame)
{
    return atomic_load_explicit(&((const CountedFrame *)frame)->vouched, memory_order_relaxed);
}

void fv_frame_set_time(FvFrame *frame, int64_t ticks)
{
    ((CountedFrame *)frame)->timed = true;
    ((CountedFrame *)frame)->time = ticks;
}

bool fv_frame_time(const FvFrame *frame, int64_t *ticks)
{
    *ticks = ((const CountedFrame *)frame)->time;
    return ((const CountedFrame *)frame)->timed;
}

void fv_frame_attach(FvFrame *frame, void *attached, void (*release)(void *attached))
{
    ((CountedFrame *)frame)->attached = attached;
    ((CountedFrame *)frame)->detach = release;
}

void *fv_frame_attached(const FvFrame *frame)
{
    const CountedFrame *counted = (const CountedFrame *)frame;
    return counted->whole ? fv_frame_attached(counted->whole) : counted->attached;
}

static void release_whole(void *whole)
{
    FvFrame *frame = whole;
    fv_frame_unref(&frame);
}

/* Replaces *frame by a new frame with the same samples, which takes over the reference to the old one. */
static FvStatus share_samples(FvFrame **frame, FvError *error)
{
    const CountedFrame *from = (const CountedFrame *)*frame;
    FvFramePlace place = from->place;
    place.release = release_whole;
    place.opaque = *frame;
    FvFrame *shared;
    FvStatus status =
        fv_frame_wrap(&shared, &from->frame.format, from->frame.data, from->frame.stride, &place, error);
    if (!status) {
        CountedFrame *counted = (CountedFrame *)shared;
        counted->whole = *frame;
        counted->timed = from->timed;
        counted->time = from->time;
        atomic_init(&counted->vouched, is_vouched(*frame));
    }
    *frame = shared;
    return status;
}

static FvStatus become_sole(FvFrame **frame, FvError *error)
{
    const CountedFrame *counted = (const CountedFrame *)*frame;
    return atomic_load_explicit(&counted->references, memory_order_acquire) > 1 ? share_samples(frame, error) : FV_OK;
}

FvStatus fv_frame_tag(FvFrame **frame, const FvFormat *tags, FvError *error)
{
    const FvFormat *format = &(*frame)->format;
    if (format->transfer == tags->transfer && format->primaries == tags->primaries)
        return FV_OK;
    FvStatus status = become_sole(frame, error);
    if (status)
        return status;
    (*frame)->format.transfer = tags->transfer;
    (*frame)->format.primaries = tags->primaries;
    return FV_OK;
}

FvStatus fv_frame_join(FvFrame **frame, FvFrame *ycbcr, FvError *error)
{
    const FvStatus status = become_sole(frame, error);
    if (status) {
        fv_frame_unref(&ycbcr);
        return status;
    }
    ((CountedFrame *)*frame)->ycbcr = ycbcr;
    return FV_OK;
}

FvFrame *fv_frame_ycbcr(const FvFrame *frame)
{
    FV_FLOAT_MODE;
    return frame ? ((const CountedFrame *)frame)->ycbcr : NULL;
}

static FvStatus fail_sample(const FvFrame *frame, int plane, int y, int width, const char *which, int64_t number,
                            FvError *error)
{
    const uint16_t *row = (const uint16_t *)(frame->data[plane] + y * frame->stride[plane]);
    int x = 0;
    while (x < width - 1 && row[x] < 1 << frame->format.depth)
        x++;
    return fv_fail(
        error, FV_FAIL_DAMAGED,
        "frame %lld of the %s video exceeds its depth of %d bits: plane %d, column %d, row %d has sample %d",
        (long long)number, which, frame->format.depth, plane, x, y, row[x]);
}

FvStatus fv_frame_check(FvFrame *frame, const char *which, int64_t number, FvError *error)
{
    const FvDepthKernels *kernels = fv_depth_kernels(fv_isa_best());
    int depth = frame->format.depth;
    if (depth == 8 || depth == 16 || !frame->data[0] || is_vouched(frame))
        return FV_OK;
    for (int plane = 0; plane < fv_format_planes(&frame->format); plane++) {
        int width, height;
        fv_format_plane_size(&frame->format, plane, &width, &height);
        for (int y = 0; y < height; y++)
            if (kernels->join(frame->data[plane] + y * frame->stride[plane], 0, width, 1) >> depth)
                return fail_sample(frame, plane, y, width, which, number, error);
    }
    fv_frame_vouch(frame);
    return FV_OK;
}

FvStatus fv_frame_pool_open(FvFramePool **pool, const FvFormat *format, FvError *error)
{
    *pool = NULL;
    FvStatus status = fv_format_check(format, error);
    if (status)
        return status;
    *pool = fv_alloc(sizeof **pool);
    if (!*pool)
        return fv_fail_memory(error, sizeof **pool);
    **pool = (FvFramePool){.format = *format, .users = 1};
    fv_mutex_open(&(*pool)->lock);
    return FV_OK;
}

/* Ends one use of the pool. The caller holds the pool's lock, which is released. The last use frees the pool. */
static void leave(FvFramePool *pool)
{
    bool last = --pool->users == 0;
    fv_unlock(&pool->lock);
    if (last) {
        fv_mutex_close(&pool->lock);
        fv_free(pool);
    }
}

void fv_frame_pool_set_maker(FvFramePool *pool, FvFrameMaker *make, void *opaque)
{
    pool->make = make;
    pool->maker = opaque;
}

void fv_frame_pool_pack(FvFramePool *pool)
{
    pool->packed = true;
}

FvStatus fv_frame_pool_get(FvFramePool *pool, FvFrame **frame, FvError *error)
{
    *frame = NULL;
    FvError ignored;
    if (pool->make && !pool->make(pool->maker, frame, &pool->format, &ignored))
        return FV_OK;
    fv_lock(&pool->lock);
    CountedFrame *counted = pool->idle;
    if (counted) {
        pool->idle = counted->next;
        pool->idle_count--;
    }
    pool->users++;
    fv_unlock(&pool->lock);
    size_t bytes = fv_format_bytes(&pool->format);
    if (!counted)
        counted = fv_alloc_zero(bytes);
    if (!counted) {
        fv_lock(&pool->lock);
        leave(pool);
        return fv_fail_memory(error, bytes);
    }
    *frame = lay_out(counted, &pool->format, pool);
    return FV_OK;
}

static void take_back(FvFramePool *pool, CountedFrame *counted)
{
    fv_lock(&pool->lock);
    bool keep = !pool->closed && pool->idle_count < FV_POOL_IDLE;
    if (keep) {
        counted->next = pool->idle;
        pool->idle = counted;
        pool->idle_count++;
    }
    leave(pool);
    if (!keep)
        fv_free(counted);
}

void fv_frame_pool_close(FvFramePool **pool)
{
    FvFramePool *closing = *pool;
    *pool = NULL;
    if (!closing)
        return;
    fv_lock(&closing->lock);
    closing->closed = true;
    for (CountedFrame *counted = closing->idle; counted;) {
        CountedFrame *next = counted->next;
        fv_free(counted);
        counted = next;
    }
    leave(closing);
}

void fv_frame_unref(FvFrame **frame)
{
    CountedFrame *counted = frame ? (CountedFrame *)*frame : NULL;
    if (!counted)
        return;
    *frame = NULL;
    if (atomic_fetch_sub_explicit(&counted->references, 1, memory_order_acq_rel) != 1)
        return;
    if (counted->attached)
        counted->detach(counted->attached);
    fv_frame_unref(&counted->ycbcr);
    if (counted->place.release)
        counted->place.release(counted->place.opaque);
    if (counted->pool)
        take_back(counted->pool, counted);
    else
        fv_free(counted);
}
