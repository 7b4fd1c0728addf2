#include "view/clip.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "image/rgb.h"

#define THUMB 128 /* maximum pixels of a thumbnail's longer side */

struct ViewClip {
    ViewClipParams params;
    ViewFrames *frames[VIEW_ENCODES]; /* NULL: refused */
    ViewScores *scores[VIEW_ENCODES];
    pthread_t scorer;
    bool scoring; /* the thread `scorer` was started and must be joined */
    /* protects no data; it limits memory by letting only one thread at a time make a thumbnail */
    pthread_mutex_t reducing;
    atomic_int_least64_t beyond[VIEW_ENCODES]; /* 1 + the greatest number of a pair that was delivered */
};

/* Makes the scoring of all encodes wait, because encodes that share a reference also wait for each other. */
static void hold(ViewClip *clip)
{
    for (int e = 0; e < clip->params.count; e++)
        if (clip->scores[e])
            view_scores_hold(clip->scores[e]);
}

static void release(ViewClip *clip)
{
    for (int e = 0; e < clip->params.count; e++)
        if (clip->scores[e])
            view_scores_release(clip->scores[e]);
}

FvStatus view_clip_frames(ViewClip *clip, int encode, int64_t number, FvFrame *frames[2], FvError *error)
{
    hold(clip);
    const FvStatus status = view_frames_get(clip->frames[encode], number, frames, error);
    release(clip);
    int_least64_t beyond = atomic_load(&clip->beyond[encode]);
    while (!status && beyond <= number && !atomic_compare_exchange_weak(&clip->beyond[encode], &beyond, number + 1))
        ;
    return status;
}

bool view_clip_has_given(const ViewClip *clip, int encode, int64_t number)
{
    return number < atomic_load(&clip->beyond[encode]);
}

FvStatus view_clip_coding(ViewClip *clip, int encode, int side, ViewCoding *coding, FvError *error)
{
    return view_frames_coding(clip->frames[encode], side, coding, error);
}

FvStatus view_clip_packets(ViewClip *clip, int encode, int side, int64_t number, int64_t passed, ViewTakePacket *take,
                           void *opaque, FvError *error)
{
    return view_frames_packets(clip->frames[encode], side, number, passed, take, opaque, error);
}

/* ---- Thumbnails ----------------------------------------------------------------------------------------------- */

/* Reduces a picture by averaging scale x scale pixels. NULL: out of memory. */
static uint8_t *reduce_picture(const uint8_t *rgb, const FvFormat *format, int scale, int width, int height)
{
    uint8_t *made = malloc(3 * (size_t)width * (size_t)height), *to = made;
    for (int y = 0; made && y < height; y++)
        for (int x = 0; x < width; x++, to += 3) {
            const int right = (x + 1) * scale < format->width ? (x + 1) * scale : format->width;
            const int bottom = (y + 1) * scale < format->height ? (y + 1) * scale : format->height;
            const uint32_t count = (uint32_t)((right - x * scale) * (bottom - y * scale));
            uint32_t sum[3] = {count / 2, count / 2, count / 2};
            for (int j = y * scale; j < bottom; j++)
                for (int i = x * scale; i < right; i++)
                    for (int c = 0; c < 3; c++)
                        sum[c] += rgb[3 * ((size_t)j * (size_t)format->width + (size_t)i) + (size_t)c];
            for (int c = 0; c < 3; c++)
                to[c] = (uint8_t)(sum[c] / count);
        }
    return made;
}

FvStatus view_clip_thumb(ViewClip *clip, int encode, int64_t number, ViewThumb *thumb, FvError *error)
{
    FvFrame *frames[2];
    *thumb = (ViewThumb){.number = number};
    FvStatus status = view_frames_get(clip->frames[encode], thumb->number, frames, error);
    if (status)
        return status;
    const FvFrame *drawn = view_frame_drawn(frames[1]);
    const FvFormat *format = &drawn->format;
    const int longer = format->width > format->height ? format->width : format->height;
    const int scale = (longer + THUMB - 1) / THUMB;
    thumb->width = (format->width + scale - 1) / scale;
    thumb->height = (format->height + scale - 1) / scale;
    pthread_mutex_lock(&clip->reducing);
    uint8_t *rgb = rgb_of_frame(drawn);
    thumb->rgb = rgb ? reduce_picture(rgb, format, scale, thumb->width, thumb->height) : NULL;
    free(rgb);
    pthread_mutex_unlock(&clip->reducing);
    fv_frame_unref(&frames[0]);
    fv_frame_unref(&frames[1]);
    return thumb->rgb ? FV_OK : fv_failure_memory(error, "the viewer");
}

/* ---- Maps ----------------------------------------------------------------------------------------------------- */

static FvStatus pair_of_map(void *frames, int64_t number, FvFrame *pair[2], FvError *error)
{
    return view_frames_get(frames, number, pair, error);
}

FvStatus view_clip_map(ViewClip *clip, int encode, int64_t number, const FvMetricInfo *info, const char *metric,
                       const char *map, ViewMap *made, FvError *error)
{
    hold(clip);
    const FvStatus status =
        view_maps_get(clip->params.maps, number, pair_of_map, clip->frames[encode], info, metric, map, made, error);
    release(clip);
    return status;
}

/* ---- Scores --------------------------------------------------------------------------------------------------- */

static void *score(void *opaque)
{
    ViewClip *clip = opaque;
    FvEncode work[VIEW_ENCODES];
    int place[VIEW_ENCODES], count = 0;
    FvError error = {0};
    for (int e = 0; e < clip->params.count; e++)
        if (clip->scores[e]) {
            place[count] = e;
            work[count++] = view_scores_work(clip->scores[e]);
        }
    FvSource *shared = clip->params.shared;
    const FvStatus status = shared ? fv_score_encodes(work, count, shared, clip->params.threads, &error) : FV_OK;
    for (int i = 0; i < count; i++) {
        FvEncode *own = &work[i];
        if (!shared)
            own->status = fv_score(own->session, clip->params.encodes[place[i]].scores.source[0], own->distorted,
                                   own->params, &own->error);
        else if (status == FV_ERROR_MEMORY && !own->status &&
                 !fv_session_frames(own->session)) { /* memory ran out before any encode began */
            own->status = status;
            own->error = error;
        }
        view_scores_end(clip->scores[place[i]], own->status, &own->error);
    }
    return NULL;
}

/* ---- Open and close ------------------------------------------------------------------------------------------- */

/* Reads the first pair, so that a video without frames is refused at once. */
static FvStatus read_first(ViewClip *clip, FvError *error)
{
    const ViewEncode *encode = &clip->params.encodes[0];
    FvFrame *frames[2];
    if (clip->params.count > 1 || encode->scores.params->align)
        return FV_OK;
    FvStatus status = view_frames_get(clip->frames[0], 0, frames, error);
    if (status == FV_END) {
        *error = (FvError){.status = FV_ERROR_INPUT};
        snprintf(error->message, sizeof error->message, "%s has no frames to look at", encode->file[1].path);
        status = error->status;
    }
    for (int side = 0; side < 2; side++)
        fv_frame_unref(&frames[side]);
    return status;
}

FvStatus view_clip_open(ViewClip **clip, const ViewClipParams *params, FvError *error)
{
    ViewClip *c = *clip = calloc(1, sizeof *c);
    if (!c)
        return fv_failure_memory(error, "the viewer");
    c->params = *params;
    pthread_mutex_init(&c->reducing, NULL);
    FvStatus status = FV_OK;
    for (int e = 0; e < params->count && !status; e++) {
        const ViewEncode *encode = &params->encodes[e];
        if (encode->refused)
            continue;
        status = view_frames_open(&c->frames[e], encode->file, encode->scores.params,
                                  params->cache_bytes / (size_t)params->count, error);
        if (!status)
            status = view_scores_open(&c->scores[e], &encode->scores, error);
    }
    if (!status)
        status = read_first(c, error);
    c->scoring = !status && !pthread_create(&c->scorer, NULL, score, c);
    if (!status && !c->scoring)
        status = fv_failure_memory(error, "the viewer");
    if (status)
        view_clip_close(clip);
    return status;
}

void view_clip_close(ViewClip **clip)
{
    ViewClip *c = *clip;
    if (!c)
        return;
    for (int e = 0; e < c->params.count; e++)
        if (c->scores[e])
            view_scores_stop(c->scores[e]);
    if (c->scoring)
        pthread_join(c->scorer, NULL);
    for (int e = 0; e < c->params.count; e++) {
        view_scores_close(&c->scores[e]);
        view_frames_close(&c->frames[e]);
    }
    pthread_mutex_destroy(&c->reducing);
    free(c);
    *clip = NULL;
}

const ViewEncode *view_clip_encode(const ViewClip *clip, int encode)
{
    return encode < clip->params.count ? &clip->params.encodes[encode] : NULL;
}

const FvSourceInfo *view_clip_info(const ViewClip *clip, int encode, int side)
{
    return fv_source_info(clip->params.encodes[encode].scores.source[side]);
}

const FvFormat *view_clip_format(const ViewClip *clip, int encode, int side)
{
    const ViewEncode *of = &clip->params.encodes[encode];
    return of->scores.source[side] ? &of->format[side] : NULL;
}

ViewScores *view_clip_scores(const ViewClip *clip, int encode)
{
    return clip->scores[encode];
}
