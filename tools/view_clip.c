#include "view_clip.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heat.h"

#define CACHE 64 /* pairs at most */

typedef struct Kept {
    int64_t number, used; /* used: when it was asked for last */
    FvFrame *frames[2];
} Kept;

struct ViewClip {
    ViewClipParams params;
    FvFormat format[2];
    FvSource *source[2]; /* what is scored */
    FvScoreParams score;

    pthread_mutex_t reading; /* pairs */
    FvPairs *pairs;
    pthread_mutex_t keeping; /* the cache, which nobody holds for long */
    Kept cache[CACHE];
    int kept;
    int64_t asked;

    pthread_mutex_t mapping; /* still */
    FvStill *still;
    int64_t still_number;

    pthread_t scorer;
    bool scoring;              /* the thread is there to be joined */
    pthread_mutex_t recording; /* everything below */
    ViewProgress progress;
    bool stopping;
    const FvOutputInfo **outputs;
    double *numbers, *values;
    int64_t room;
};

static FvStatus no_memory(FvError *error)
{
    *error = (FvError){.status = FV_ERROR_MEMORY};
    snprintf(error->message, sizeof error->message, "out of memory");
    return error->status;
}

/* ---- Frames --------------------------------------------------------------------------------------------------- */

static size_t bytes_of(const FvFrame *frame)
{
    size_t bytes = 0;
    for (int plane = 0; frame && plane < fv_format_planes(&frame->format); plane++) {
        int width, height;
        fv_format_plane_size(&frame->format, plane, &width, &height);
        bytes += (size_t)frame->stride[plane] * (size_t)height;
    }
    return bytes;
}

static void drop(ViewClip *clip, int i)
{
    fv_frame_unref(&clip->cache[i].frames[0]);
    fv_frame_unref(&clip->cache[i].frames[1]);
    clip->cache[i] = clip->cache[--clip->kept];
}

/* Keeps a pair, and drops those that were not asked for the longest time when there is no room. */
static void keep(ViewClip *clip, int64_t number, FvFrame *const frames[2])
{
    const size_t bytes = bytes_of(frames[0]) + bytes_of(frames[1]), most = clip->params.cache_bytes / (bytes + 1);
    pthread_mutex_lock(&clip->keeping);
    while (clip->kept && (clip->kept == CACHE || (size_t)clip->kept >= most)) {
        int oldest = 0;
        for (int i = 1; i < clip->kept; i++)
            if (clip->cache[i].used < clip->cache[oldest].used)
                oldest = i;
        drop(clip, oldest);
    }
    clip->cache[clip->kept++] =
        (Kept){.number = number,
               .used = ++clip->asked,
               .frames = {frames[0] ? fv_frame_ref(frames[0]) : NULL, fv_frame_ref(frames[1])}};
    pthread_mutex_unlock(&clip->keeping);
}

static bool find_kept(ViewClip *clip, int64_t number, FvFrame *frames[2])
{
    pthread_mutex_lock(&clip->keeping);
    int found = clip->kept - 1;
    while (found >= 0 && clip->cache[found].number != number)
        found--;
    if (found >= 0) {
        Kept *kept = &clip->cache[found];
        kept->used = ++clip->asked;
        frames[0] = kept->frames[0] ? fv_frame_ref(kept->frames[0]) : NULL;
        frames[1] = fv_frame_ref(kept->frames[1]);
    }
    pthread_mutex_unlock(&clip->keeping);
    return found >= 0;
}

FvStatus view_clip_frames(ViewClip *clip, int64_t number, FvFrame *frames[2], FvError *error)
{
    FvStatus status = FV_OK;
    frames[0] = frames[1] = NULL;
    if (find_kept(clip, number, frames))
        return FV_OK;
    pthread_mutex_lock(&clip->reading);
    if (!find_kept(clip, number, frames)) { /* nobody has read it meanwhile */
        status = fv_pairs_read(clip->pairs, number, frames, error);
        if (!status)
            keep(clip, number, frames);
    }
    pthread_mutex_unlock(&clip->reading);
    return status;
}

/* ---- Maps ----------------------------------------------------------------------------------------------------- */

static FvStatus open_still(ViewClip *clip, int64_t number, FvError *error)
{
    if (clip->still && clip->still_number == number)
        return FV_OK;
    FvFrame *frames[2];
    fv_still_close(&clip->still);
    FvStatus status = view_clip_frames(clip, number, frames, error);
    FvStillParams params = {.device = clip->params.device, .threads = clip->params.threads};
    if (!status)
        status = fv_still_open(&clip->still, &params, frames[0], frames[1], error);
    clip->still_number = number;
    fv_frame_unref(&frames[0]);
    fv_frame_unref(&frames[1]);
    return status;
}

static FvStatus copy_map(const FvMap *map, ViewMap *made, FvError *error)
{
    const size_t row = (size_t)map->width * sizeof(float);
    made->info = map->info;
    made->width = map->width;
    made->height = map->height;
    if (!heat_range(map, NAN, &made->low, &made->high)) {
        made->low = 0;
        made->high = 1;
    }
    made->data = malloc(row * (size_t)map->height);
    if (!made->data)
        return no_memory(error);
    for (int y = 0; y < map->height; y++)
        memcpy(made->data + (size_t)y * (size_t)map->width, map->data + y * map->stride, row);
    return FV_OK;
}

FvStatus view_clip_map(ViewClip *clip, int64_t number, const FvMetricInfo *info, const char *metric, const char *map,
                       ViewMap *made, FvError *error)
{
    FvMap shown;
    *made = (ViewMap){.value_count = 0};
    pthread_mutex_lock(&clip->mapping);
    FvStatus status = open_still(clip, number, error);
    if (!status)
        status = fv_still_map(clip->still, metric, map, &shown, error);
    if (!status)
        status = copy_map(&shown, made, error);
    for (int i = 0; i < info->output_count && made->value_count < 64 && !status; i++) {
        const double value = fv_still_value(clip->still, info->outputs[i].name);
        if (isnan(value))
            continue;
        made->values[made->value_count].name = info->outputs[i].name;
        made->values[made->value_count++].value = value;
    }
    pthread_mutex_unlock(&clip->mapping);
    return status;
}

/* ---- Scores --------------------------------------------------------------------------------------------------- */

static bool list_outputs(ViewClip *clip)
{
    const int count = fv_session_outputs(clip->params.session);
    if (clip->outputs)
        return true;
    clip->outputs = calloc((size_t)count + 1, sizeof *clip->outputs);
    for (int i = 0; clip->outputs && i < count; i++)
        clip->outputs[i] = fv_session_output(clip->params.session, i);
    if (clip->outputs)
        clip->progress.outputs = count;
    return clip->outputs != NULL;
}

static bool grow(ViewClip *clip, int64_t frames)
{
    if (frames <= clip->room)
        return true;
    const int64_t room = frames + clip->room + 64;
    double *numbers = realloc(clip->numbers, (size_t)room * sizeof *numbers);
    if (numbers)
        clip->numbers = numbers;
    double *values = realloc(clip->values, (size_t)room * (size_t)(clip->progress.outputs + 1) * sizeof *values);
    if (values)
        clip->values = values;
    if (numbers && values)
        clip->room = room;
    return numbers && values;
}

/* What the session has by now; false without memory. By the thread that scores. */
static bool record(ViewClip *clip)
{
    const FvSession *session = clip->params.session;
    const int64_t frames = fv_session_frames(session);
    if (!list_outputs(clip) || !grow(clip, frames))
        return false;
    for (int64_t i = clip->progress.frames; i < frames; i++) {
        clip->numbers[i] = (double)fv_session_frame_number(session, i);
        for (int o = 0; o < clip->progress.outputs; o++)
            clip->values[i * clip->progress.outputs + o] =
                clip->outputs[o]->sequence ? NAN : fv_session_value(session, i, o);
    }
    clip->progress.frames = frames;
    return true;
}

static bool on_progress(void *opaque, const FvProgress *progress)
{
    ViewClip *clip = opaque;
    pthread_mutex_lock(&clip->recording);
    clip->progress.total = progress->total;
    const bool goes_on = record(clip) && !clip->stopping;
    pthread_mutex_unlock(&clip->recording);
    return goes_on;
}

static void *score(void *opaque)
{
    ViewClip *clip = opaque;
    FvError error = {0};
    FvStatus status = fv_score(clip->params.session, clip->source[0], clip->source[1], &clip->score, &error);
    pthread_mutex_lock(&clip->recording);
    if (!record(clip) && !status)
        status = no_memory(&error);
    clip->progress.status = status;
    clip->progress.ended = true;
    snprintf(clip->progress.message, sizeof clip->progress.message, "%s", error.message);
    pthread_mutex_unlock(&clip->recording);
    return NULL;
}

void view_clip_progress(ViewClip *clip, ViewProgress *progress)
{
    pthread_mutex_lock(&clip->recording);
    *progress = clip->progress;
    pthread_mutex_unlock(&clip->recording);
}

const FvOutputInfo *view_clip_output(ViewClip *clip, int output)
{
    pthread_mutex_lock(&clip->recording);
    const FvOutputInfo *info = output >= 0 && output < clip->progress.outputs ? clip->outputs[output] : NULL;
    pthread_mutex_unlock(&clip->recording);
    return info;
}

const char *view_clip_decision(ViewClip *clip, int i)
{
    pthread_mutex_lock(&clip->recording);
    const bool ended = clip->progress.ended; /* from then on nobody changes the session */
    pthread_mutex_unlock(&clip->recording);
    return ended && i < fv_session_decisions(clip->params.session) ? fv_session_decision(clip->params.session, i)
                                                                   : NULL;
}

int64_t view_clip_scores(ViewClip *clip, int64_t from, int64_t most, double *numbers, double *values)
{
    pthread_mutex_lock(&clip->recording);
    const int outputs = clip->progress.outputs;
    int64_t count = from >= 0 && from < clip->progress.frames ? clip->progress.frames - from : 0;
    count = count < most ? count : most;
    if (count) {
        memcpy(numbers, clip->numbers + from, (size_t)count * sizeof *numbers);
        memcpy(values, clip->values + from * outputs, (size_t)count * (size_t)outputs * sizeof *values);
    }
    pthread_mutex_unlock(&clip->recording);
    return count;
}

/* ---- Open and close ------------------------------------------------------------------------------------------- */

static FvStatus open_files(ViewClip *clip, FvError *error)
{
    const FvSourceParams *file = clip->params.file;
    FvFrame *frames[2];
    FvStatus status =
        fv_pairs_open(&clip->pairs, file[0].path ? &file[0] : NULL, &file[1], clip->params.params, error);
    if (!status)
        status = view_clip_frames(clip, 0, frames, error);
    if (status == FV_END) {
        *error = (FvError){.status = FV_ERROR_INPUT};
        snprintf(error->message, sizeof error->message, "%s has no frames to look at", file[1].path);
        status = error->status;
    }
    if (status)
        return status;
    for (int side = 0; side < 2; side++)
        if (frames[side])
            clip->format[side] = frames[side]->format;
    fv_frame_unref(&frames[0]);
    fv_frame_unref(&frames[1]);
    for (int side = 0; side < 2 && !status; side++)
        if (file[side].path)
            status = fv_source_open(&clip->source[side], &file[side], error);
    return status;
}

FvStatus view_clip_open(ViewClip **clip, const ViewClipParams *params, FvError *error)
{
    ViewClip *c = *clip = calloc(1, sizeof *c);
    if (!c)
        return no_memory(error);
    c->params = *params;
    c->score = *params->params;
    c->score.progress = on_progress;
    c->score.opaque = c;
    c->progress.total = -1;
    pthread_mutex_init(&c->reading, NULL);
    pthread_mutex_init(&c->keeping, NULL);
    pthread_mutex_init(&c->mapping, NULL);
    pthread_mutex_init(&c->recording, NULL);
    FvStatus status = open_files(c, error);
    if (!status && pthread_create(&c->scorer, NULL, score, c))
        status = no_memory(error);
    c->scoring = !status;
    if (status)
        view_clip_close(clip);
    return status;
}

void view_clip_close(ViewClip **clip)
{
    ViewClip *c = *clip;
    if (!c)
        return;
    pthread_mutex_lock(&c->recording);
    c->stopping = true;
    pthread_mutex_unlock(&c->recording);
    if (c->scoring)
        pthread_join(c->scorer, NULL);
    while (c->kept)
        drop(c, c->kept - 1);
    fv_still_close(&c->still);
    fv_pairs_close(&c->pairs);
    for (int side = 0; side < 2; side++)
        fv_source_close(&c->source[side]);
    pthread_mutex_destroy(&c->reading);
    pthread_mutex_destroy(&c->keeping);
    pthread_mutex_destroy(&c->mapping);
    pthread_mutex_destroy(&c->recording);
    free(c->outputs);
    free(c->numbers);
    free(c->values);
    free(c);
    *clip = NULL;
}

const FvSourceInfo *view_clip_info(const ViewClip *clip, int side)
{
    return fv_source_info(clip->source[side]);
}

const FvFormat *view_clip_format(const ViewClip *clip, int side)
{
    return clip->source[side] ? &clip->format[side] : NULL;
}
