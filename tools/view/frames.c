#include "view/frames.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"

#define CACHE 64 /* maximum number of cached pairs */

typedef struct Kept {
    int64_t number, used; /* used: count of requests at the time of its last request */
    FvFrame *frames[2];
} Kept;

struct ViewFrames {
    FvSourceParams file[2];
    const FvScoreParams *params;
    size_t bytes;
    pthread_mutex_t reading; /* protects `pairs` */
    FvPairs *pairs;          /* NULL: not opened yet */
    pthread_mutex_t keeping; /* protects everything below; never held while reading */
    Kept cache[CACHE];
    int kept;
    int64_t asked;
};

static size_t bytes_of(const FvFrame *frame)
{
    size_t bytes = 0;
    for (int plane = 0; frame && plane < fv_format_planes(&frame->format); plane++) {
        int width, height;
        fv_format_plane_size(&frame->format, plane, &width, &height);
        bytes += (size_t)frame->stride[plane] * (size_t)height;
    }
    return frame ? bytes + bytes_of(fv_frame_ycbcr(frame)) : bytes;
}

static void drop(ViewFrames *frames, int i)
{
    fv_frame_unref(&frames->cache[i].frames[0]);
    fv_frame_unref(&frames->cache[i].frames[1]);
    frames->cache[i] = frames->cache[--frames->kept];
}

/* Caches a pair, and drops the least recently requested pairs if there is no room. */
static void cache_pair(ViewFrames *frames, int64_t number, FvFrame *const pair[2])
{
    const size_t bytes = bytes_of(pair[0]) + bytes_of(pair[1]),
                 most = (frames->bytes - frames->bytes / 2) / (bytes + 1);
    pthread_mutex_lock(&frames->keeping);
    while (frames->kept && (frames->kept == CACHE || (size_t)frames->kept >= most)) {
        int oldest = 0;
        for (int i = 1; i < frames->kept; i++)
            if (frames->cache[i].used < frames->cache[oldest].used)
                oldest = i;
        drop(frames, oldest);
    }
    frames->cache[frames->kept++] = (Kept){.number = number,
                                           .used = ++frames->asked,
                                           .frames = {pair[0] ? fv_frame_ref(pair[0]) : NULL, fv_frame_ref(pair[1])}};
    pthread_mutex_unlock(&frames->keeping);
}

static bool find_kept(ViewFrames *frames, int64_t number, FvFrame *pair[2])
{
    pthread_mutex_lock(&frames->keeping);
    int found = frames->kept - 1;
    while (found >= 0 && frames->cache[found].number != number)
        found--;
    if (found >= 0) {
        Kept *kept = &frames->cache[found];
        kept->used = ++frames->asked;
        pair[0] = kept->frames[0] ? fv_frame_ref(kept->frames[0]) : NULL;
        pair[1] = fv_frame_ref(kept->frames[1]);
    }
    pthread_mutex_unlock(&frames->keeping);
    return found >= 0;
}

static FvStatus open_pairs(ViewFrames *frames, FvError *error)
{
    const FvSourceParams *file = frames->file;
    if (frames->pairs)
        return FV_OK;
    FvStatus status = fv_pairs_open(&frames->pairs, file[0].path ? &file[0] : NULL, &file[1], frames->params, error);
    /* Cache for frames that the decoder passes on its way to the requested one. */
    fv_pairs_set_cache(frames->pairs, frames->bytes / 2);
    return status;
}

static FvStatus read_pair(ViewFrames *frames, int64_t number, FvFrame *pair[2], FvError *error)
{
    FvStatus status = open_pairs(frames, error);
    return status ? status : fv_pairs_read(frames->pairs, number, pair, error);
}

FvStatus view_frames_coding(ViewFrames *frames, int side, ViewCoding *coding, FvError *error)
{
    FvCoding found;
    pthread_mutex_lock(&frames->reading);
    FvStatus status = open_pairs(frames, error);
    if (!status)
        status = fv_pairs_coding(frames->pairs, side, &found, error);
    *coding = (ViewCoding){.description = NULL};
    if (!status) {
        memcpy(coding->codec, found.codec, sizeof coding->codec);
        coding->size = found.description_size;
        coding->description = malloc(coding->size + 1);
        if (coding->description && coding->size)
            memcpy(coding->description, found.description, coding->size);
        if (!coding->description)
            status = fv_failure_memory(error, "the viewer");
    }
    pthread_mutex_unlock(&frames->reading);
    return status;
}

FvStatus view_frames_packets(ViewFrames *frames, int side, int64_t number, int64_t passed, ViewTakePacket *take,
                             void *opaque, FvError *error)
{
    FvPacket packet;
    pthread_mutex_lock(&frames->reading);
    FvStatus status = open_pairs(frames, error);
    for (bool more = true; more && !status;) {
        status = fv_pairs_packet(frames->pairs, side, number, passed++, &packet, error);
        more = !status && take(opaque, &packet);
    }
    pthread_mutex_unlock(&frames->reading);
    return status;
}

const FvFrame *view_frame_drawn(const FvFrame *frame)
{
    const FvFrame *ycbcr = fv_frame_ycbcr(frame);
    return ycbcr ? ycbcr : frame;
}

FvStatus view_frames_get(ViewFrames *frames, int64_t number, FvFrame *pair[2], FvError *error)
{
    FvStatus status = FV_OK;
    pair[0] = pair[1] = NULL;
    if (find_kept(frames, number, pair))
        return FV_OK;
    pthread_mutex_lock(&frames->reading);
    if (!find_kept(frames, number, pair)) { /* no other thread has read the pair in the meantime */
        status = read_pair(frames, number, pair, error);
        if (!status)
            cache_pair(frames, number, pair);
    }
    pthread_mutex_unlock(&frames->reading);
    return status;
}

FvStatus view_frames_open(ViewFrames **frames, const FvSourceParams file[2], const FvScoreParams *params,
                          size_t bytes, FvError *error)
{
    ViewFrames *made = *frames = calloc(1, sizeof *made);
    if (!made)
        return fv_failure_memory(error, "the viewer");
    *made = (ViewFrames){.file = {file[0], file[1]}, .params = params, .bytes = bytes};
    pthread_mutex_init(&made->reading, NULL);
    pthread_mutex_init(&made->keeping, NULL);
    return FV_OK;
}

void view_frames_close(ViewFrames **frames)
{
    ViewFrames *f = *frames;
    if (!f)
        return;
    while (f->kept)
        drop(f, f->kept - 1);
    fv_pairs_close(&f->pairs);
    pthread_mutex_destroy(&f->reading);
    pthread_mutex_destroy(&f->keeping);
    free(f);
    *frames = NULL;
}
