#include "input/slices.h"

#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "input/planes.h"
#include "os/processors.h"
#include "os/thread.h"
#include "os/workers.h"
#include "picture/frame.h"
#include "picture/frame_feed.h"
#include "picture/signature.h"

/* minimum bytes of a frame that is read in slices; a smaller one is read faster by one call */
#define LARGE_FRAME (512 << 10)
/* bytes of a slice; small, since a frame is complete only when the last thread is done */
#define SLICE_BYTES (256 << 10)
#define BATCH_BYTES (256 << 10) /* bytes read before they are checked, few enough to be still in a near cache */
/* maximum number of threads of one source; one thread reads 3 to 10 GB/s from the page cache */
#define MOST_THREADS FV_FEED_LANES

typedef struct Reading {
    FvSource *source;
    FvFrame *frame;
    FvFeed *feed;     /* feed that receives the frame; NULL: none */
    bool whole;       /* all planes and rows are needed */
    int64_t begin;    /* place of the frame in the stream */
    int64_t first[3]; /* offset of each plane in the frame, in bytes */
    int rows[3];      /* number of rows per slice of each plane */
    /* `slices`: number of slices of each plane, 0 for planes that are not read; `count`: of all planes */
    int slices[3], count;
    FvMutex lock;
    int failed; /* number of the failed slice that is first in the file */
    FvStatus status;
    FvError error;
    uint64_t sums[FV_SIGNATURE]; /* luma sums, if a signature is requested */
} Reading;

bool fv_slices_fit(const FvSource *source)
{
    return !source->stream.waits && fv_planes_bytes(&source->info.format) >= LARGE_FRAME;
}

static void plan_slices(Reading *reading)
{
    const FvFormat *format = &reading->source->info.format;
    int64_t first = 0;
    for (int plane = 0; plane < fv_format_planes(format); plane++) {
        int width, height;
        fv_format_plane_size(format, plane, &width, &height);
        const int row_bytes = width * fv_format_sample_bytes(format);
        reading->first[plane] = first;
        reading->rows[plane] = reading->feed ? (int)(FV_FEED_SLICE / (size_t)row_bytes) : SLICE_BYTES / row_bytes + 1;
        if (reading->whole || reading->source->services.planes >> plane & 1)
            reading->slices[plane] = (height + reading->rows[plane] - 1) / reading->rows[plane];
        reading->count += reading->slices[plane];
        first += (int64_t)row_bytes * height;
    }
}

/*
 * Finds the memory for the rows of a slice from `first` on: in the frame, or, if a feed uploads the slice, in the
 * thread's own memory.
 */
static FvStatus place(const Reading *reading, int plane, int first, int lane, FvFrame *rows, FvError *error)
{
    FvFeed *feed = reading->feed;
    int width;
    uint8_t *memory = NULL;
    *rows = *reading->frame;
    FvStatus status = feed ? feed->ops->slot(feed, lane, &memory, error) : FV_OK;
    if (status || !feed)
        return status;
    fv_format_plane_size(&rows->format, plane, &width, NULL);
    rows->stride[plane] = (ptrdiff_t)width * fv_format_sample_bytes(&rows->format);
    rows->data[plane] = (uint8_t *)((uintptr_t)memory - (size_t)first * (size_t)rows->stride[plane]);
    return FV_OK;
}

static FvStatus read_rows(const Reading *reading, FvFrame *frame, int plane, int y, int rows, FvError *error)
{
    int width, height;
    size_t length;
    fv_format_plane_size(&frame->format, plane, &width, &height);
    const size_t row_bytes = (size_t)width * (size_t)fv_format_sample_bytes(&frame->format);
    const int64_t offset = reading->first[plane] + y * (int64_t)row_bytes;
    FvStatus status = fv_stream_read_at(&reading->source->stream, reading->begin + offset,
                                        frame->data[plane] + y * frame->stride[plane], frame->stride[plane],
                                        row_bytes, rows, &length, error);
    if (!status && length < row_bytes * (size_t)rows)
        status = fv_fail_cut(reading->source, offset + (int64_t)length,
                             fv_planes_bytes(&reading->source->info.format), error);
    return status ? status : fv_planes_check(reading->source, frame, plane, y, rows, error);
}

/* Reads rows of a frame that a feed uploads, whose slices have the layout of the file. */
static FvStatus feed_rows(const Reading *reading, int plane, int y, int rows, int lane, FvError *error)
{
    FvFeed *feed = reading->feed;
    int width;
    fv_format_plane_size(&reading->frame->format, plane, &width, NULL);
    const size_t row_bytes = (size_t)width * (size_t)fv_format_sample_bytes(&reading->frame->format);
    return feed->ops->send(feed, lane, reading->frame, (size_t)reading->first[plane] + (size_t)y * row_bytes,
                           (size_t)rows * row_bytes, error);
}

/*
 * Returns the first row from y on that is needed or that the signature reads, and in *end the end of the run of such
 * rows.
 */
static int next_row(const FvNeededRows needed, const FvLuma *signs, int y, int *end)
{
    const int own = fv_needed_rows_next(needed, y), sampled = signs ? fv_sample_next(signs, y) : INT_MAX;
    *end = own <= sampled ? fv_needed_rows_end(needed, own) : sampled + 1;
    return own <= sampled ? own : sampled;
}

static void read_slice(void *opaque, int i, int worker)
{
    Reading *reading = opaque;
    FvError error = {0};
    FvFrame frame;
    int width, height, plane = 0, slice = i;
    while (slice >= reading->slices[plane])
        slice -= reading->slices[plane++];
    fv_format_plane_size(&reading->frame->format, plane, &width, &height);
    const int batch = BATCH_BYTES / (width * fv_format_sample_bytes(&reading->frame->format)) + 1;
    const int first = slice * reading->rows[plane];
    const int end = first + reading->rows[plane] < height ? first + reading->rows[plane] : height;
    const bool signs = reading->source->signature && !plane;
    uint64_t sums[FV_SIGNATURE];
    if (signs)
        memset(sums, 0, sizeof sums);
    FvStatus status = place(reading, plane, first, worker, &frame, &error);
    const FvLuma luma = fv_luma_of(&frame);
    const FvNeededRows needed = reading->whole ? (FvNeededRows){0, 0} : reading->source->services.rows[plane];
    for (int y = first, together; (y = next_row(needed, signs ? &luma : NULL, y, &together)) < end && !status;) {
        const int last = together < end ? together : end, rows = last - y < batch ? last - y : batch;
        status = read_rows(reading, &frame, plane, y, rows, &error);
        y += rows;
    }
    if (signs && !status)
        fv_sample_add(sums, &luma, first, end);
    if (!status && reading->feed && !needed.step)
        status = feed_rows(reading, plane, first, end - first, worker, &error);
    if (!status && !signs)
        return;
    fv_lock(&reading->lock);
    for (int block = 0; signs && block < FV_SIGNATURE; block++)
        reading->sums[block] += sums[block];
    if (status && (!reading->status || i < reading->failed)) {
        reading->failed = i;
        reading->status = status;
        reading->error = error;
    }
    fv_unlock(&reading->lock);
}

/*
 * Returns the feed of the next frame; NULL: none. Frames that the host also reads have none: they are read into host
 * memory and uploaded later.
 */
static FvFeed *feed_of(const FvSource *source)
{
    return fv_some_has(&source->services.whole, source->next) ? NULL : source->services.feed;
}

FvStatus fv_slices_read(FvSource *source, FvFrame *frame, FvError *error)
{
    Reading reading = {.source = source,
                       .frame = frame,
                       .feed = feed_of(source),
                       .whole = fv_some_has(&source->services.whole, source->next),
                       .begin = fv_stream_position(&source->stream),
                       .lock = FV_MUTEX};
    plan_slices(&reading);
    if (source->workers)
        fv_workers_run(source->workers, reading.count, read_slice, &reading);
    else
        for (int i = 0; i < reading.count && !reading.status; i++)
            read_slice(&reading, i, 0);
    fv_mutex_close(&reading.lock);
    if (reading.feed)
        reading.feed->ops->end(reading.feed, frame);
    fv_stream_seek(&source->stream, reading.begin + fv_planes_bytes(&source->info.format));
    source->has_signature = source->signature && reading.slices[0] && !reading.status;
    if (source->has_signature) {
        const FvLuma luma = fv_luma_of(frame);
        fv_sample_end(source->signature, &luma, reading.sums);
    }
    if (reading.status && error)
        *error = reading.error;
    return reading.status;
}

/* Returns the number of threads, by default half of the processors, since two sources are read at a time. */
static int choose_threads(int asked)
{
    const int threads = asked ? asked : fv_processors() / 2;
    return threads < 1 ? 1 : threads < MOST_THREADS ? threads : MOST_THREADS;
}

static bool is_sliced(const FvSource *source)
{
    const bool raw = !strcmp(source->ops->name, "raw") && !source->state; /* a plane for each component */
    return (raw || !strcmp(source->ops->name, "y4m")) && fv_slices_fit(source);
}

int fv_slices_lanes(const FvSource *source)
{
    if (!is_sliced(source) || !fv_feed_takes(&source->info.format))
        return 0;
    return source->workers ? fv_workers_count(source->workers) : 1;
}

FvStatus fv_slices_frame(FvSource *source, FvFrame **frame, FvError *error)
{
    FvError ignored;
    FvFeed *feed = feed_of(source);
    if (feed && !feed->ops->frame(feed, frame, &source->info.format, &ignored))
        return FV_OK;
    if (!feed)
        return fv_frame_pool_get(source->pool, frame, error);
    source->services.feed = NULL; /* if the device lacks memory, frames stay on the host */
    return fv_frame_pool_get(source->pool, frame, error);
}

void fv_slices_open(FvSource *source, int threads)
{
    const int count = choose_threads(threads);
    if (!is_sliced(source))
        return;
    fv_frame_pool_pack(source->pool);
    if (count > 1 && fv_workers_open(&source->workers, count, NULL))
        source->workers = NULL;
}

void fv_slices_close(FvSource *source)
{
    fv_workers_close(&source->workers);
}
