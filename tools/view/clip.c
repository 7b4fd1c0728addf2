#include "view/clip.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/rgb.h"
#include "view/frames.h"

#define THUMB 128 /* pixels of the longer side, at most */

struct ViewClip {
    ViewClipParams params;
    FvFormat format[2];
    ViewFrames *frames;
    ViewScores *scores;
    pthread_mutex_t reducing; /* nothing, but one thumbnail at a time bounds the memory */
};

static FvStatus no_memory(FvError *error)
{
    *error = (FvError){.status = FV_ERROR_MEMORY};
    snprintf(error->message, sizeof error->message, "out of memory");
    return error->status;
}

FvStatus view_clip_frames(ViewClip *clip, int64_t number, FvFrame *frames[2], FvError *error)
{
    view_scores_hold(clip->scores);
    const FvStatus status = view_frames_get(clip->frames, number, frames, error);
    view_scores_release(clip->scores);
    return status;
}

/* ---- Thumbnails ----------------------------------------------------------------------------------------------- */

/* Averages of scale x scale pixels; NULL without memory. */
static uint8_t *reduce(const uint8_t *rgb, const FvFormat *format, int scale, int width, int height)
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

FvStatus view_clip_thumb(ViewClip *clip, int64_t number, ViewThumb *thumb, FvError *error)
{
    FvFrame *frames[2];
    *thumb = (ViewThumb){.number = number};
    FvStatus status = view_frames_get(clip->frames, thumb->number, frames, error);
    if (status)
        return status;
    const FvFormat *format = &frames[1]->format;
    const int longer = format->width > format->height ? format->width : format->height;
    const int scale = (longer + THUMB - 1) / THUMB;
    thumb->width = (format->width + scale - 1) / scale;
    thumb->height = (format->height + scale - 1) / scale;
    pthread_mutex_lock(&clip->reducing);
    uint8_t *rgb = rgb_of_frame(frames[1]);
    thumb->rgb = rgb ? reduce(rgb, format, scale, thumb->width, thumb->height) : NULL;
    free(rgb);
    pthread_mutex_unlock(&clip->reducing);
    fv_frame_unref(&frames[0]);
    fv_frame_unref(&frames[1]);
    return thumb->rgb ? FV_OK : no_memory(error);
}

/* ---- Maps ----------------------------------------------------------------------------------------------------- */

static FvStatus pair_of_map(void *opaque, int64_t number, FvFrame *frames[2], FvError *error)
{
    return view_frames_get(((ViewClip *)opaque)->frames, number, frames, error);
}

FvStatus view_clip_map(ViewClip *clip, int64_t number, const FvMetricInfo *info, const char *metric, const char *map,
                       ViewMap *made, FvError *error)
{
    view_scores_hold(clip->scores);
    const FvStatus status =
        view_maps_get(clip->params.maps, number, pair_of_map, clip, info, metric, map, made, error);
    view_scores_release(clip->scores);
    return status;
}

/* ---- Open and close ------------------------------------------------------------------------------------------- */

/* What the frames are like; where pairs go by number, by the first of them, so that what has none is refused. */
static FvStatus find_formats(ViewClip *clip, FvError *error)
{
    const ViewScoresParams *scores = &clip->params.scores;
    FvFrame *frames[2];
    FvStatus status = fv_score_formats(scores->source[0], scores->source[1], scores->params, clip->format, error);
    if (status || scores->params->align)
        return status;
    status = view_frames_get(clip->frames, 0, frames, error);
    if (status == FV_END) {
        *error = (FvError){.status = FV_ERROR_INPUT};
        snprintf(error->message, sizeof error->message, "%s has no frames to look at", clip->params.file[1].path);
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
        return no_memory(error);
    c->params = *params;
    pthread_mutex_init(&c->reducing, NULL);
    FvStatus status = view_frames_open(&c->frames, params->file, params->scores.params, params->cache_bytes, error);
    if (!status)
        status = find_formats(c, error);
    if (!status)
        status = view_scores_open(&c->scores, &params->scores, error);
    if (status)
        view_clip_close(clip);
    return status;
}

void view_clip_close(ViewClip **clip)
{
    ViewClip *c = *clip;
    if (!c)
        return;
    view_scores_close(&c->scores);
    view_frames_close(&c->frames);
    pthread_mutex_destroy(&c->reducing);
    free(c);
    *clip = NULL;
}

const FvSourceInfo *view_clip_info(const ViewClip *clip, int side)
{
    return fv_source_info(clip->params.scores.source[side]);
}

const FvFormat *view_clip_format(const ViewClip *clip, int side)
{
    return clip->params.scores.source[side] ? &clip->format[side] : NULL;
}

ViewScores *view_clip_scores(const ViewClip *clip)
{
    return clip->scores;
}
