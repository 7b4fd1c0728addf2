#include "view/maps.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "image/heat.h"

struct ViewMaps {
    FvStillParams params;
    pthread_t opener;
    bool opening; /* the thread `opener` was started and must be joined */
    FvStatus status;
    FvError error;
    pthread_mutex_t mapping; /* protects everything below */
    FvStill *still;
    int64_t number; /* number of the pair that `still` holds; -1: none */
    void *of;       /* the `opaque` that delivered this pair */
};

/* ---- The device ----------------------------------------------------------------------------------------------- */

static bool is_cpu(const char *device)
{
    return !device || !strcmp(device, "cpu");
}

/*
 * Opens the device with a small gray picture, in a thread, because a driver takes longer to start than the files take
 * to open.
 */
static void *open_device(void *opaque)
{
    static const FvFormat format = {.width = 64, .height = 64, .chroma = FV_CHROMA_400, .depth = 8};
    ViewMaps *maps = opaque;
    FvFrame *frame = NULL;
    maps->status = fv_frame_alloc(&frame, &format, &maps->error);
    if (!maps->status) {
        memset(frame->data[0], 0, (size_t)frame->stride[0] * (size_t)format.height);
        maps->status = fv_still_open(&maps->still, &maps->params, frame, frame, &maps->error);
    }
    fv_frame_unref(&frame);
    return NULL;
}

FvStatus view_maps_open(ViewMaps **maps, const char *device, int threads, FvError *error)
{
    ViewMaps *m = *maps = calloc(1, sizeof *m);
    if (!m)
        return fv_failure_memory(error, "the viewer");
    m->params = (FvStillParams){.device = device, .threads = threads};
    m->number = -1;
    pthread_mutex_init(&m->mapping, NULL);
    if (is_cpu(device))
        return FV_OK;
    m->opening = !pthread_create(&m->opener, NULL, open_device, m);
    if (!m->opening)
        open_device(m);
    return FV_OK;
}

FvStatus view_maps_wait(ViewMaps *maps, FvError *error)
{
    if (maps->opening)
        pthread_join(maps->opener, NULL);
    maps->opening = false;
    if (maps->status)
        *error = maps->error;
    return maps->status;
}

void view_maps_close(ViewMaps **maps)
{
    ViewMaps *m = *maps;
    if (!m)
        return;
    if (m->opening)
        pthread_join(m->opener, NULL);
    fv_still_close(&m->still);
    pthread_mutex_destroy(&m->mapping);
    free(m);
    *maps = NULL;
}

/* ---- Maps ----------------------------------------------------------------------------------------------------- */

/* Sets the pair of the still. A device that failed is opened again for the next pair. */
static FvStatus take_pair(ViewMaps *maps, int64_t number, ViewPair *pair, void *opaque, FvError *error)
{
    FvFrame *frames[2] = {NULL, NULL};
    if (maps->still && maps->number == number && maps->of == opaque)
        return FV_OK;
    maps->number = -1;
    FvStatus status = pair(opaque, number, frames, error);
    if (status)
        return status;
    status = maps->still ? fv_still_pair(maps->still, frames[0], frames[1], error)
                         : fv_still_open(&maps->still, &maps->params, frames[0], frames[1], error);
    if (!status) {
        maps->number = number;
        maps->of = opaque;
    }
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
        return fv_failure_memory(error, "the viewer");
    for (int y = 0; y < map->height; y++)
        memcpy(made->data + (size_t)y * (size_t)map->width, map->data + y * map->stride, row);
    return FV_OK;
}

static void take_values(const FvStill *still, const FvMetricInfo *info, ViewMap *made)
{
    for (int i = 0; i < info->output_count && made->value_count < 64; i++) {
        const double value = fv_still_value(still, info->outputs[i].name);
        if (isnan(value))
            continue;
        made->values[made->value_count].name = info->outputs[i].name;
        made->values[made->value_count++].value = value;
    }
}

FvStatus view_maps_get(ViewMaps *maps, int64_t number, ViewPair *pair, void *opaque, const FvMetricInfo *info,
                       const char *metric, const char *map, ViewMap *made, FvError *error)
{
    FvMap shown;
    *made = (ViewMap){.value_count = 0};
    pthread_mutex_lock(&maps->mapping);
    FvStatus status = take_pair(maps, number, pair, opaque, error);
    if (!status)
        status = fv_still_map(maps->still, metric, map, &shown, error);
    if (!status)
        status = copy_map(&shown, made, error);
    if (!status)
        take_values(maps->still, info, made);
    if (status && status != FV_ERROR_USAGE && maps->still) {
        fv_still_close(&maps->still);
        maps->number = -1;
    }
    pthread_mutex_unlock(&maps->mapping);
    return status;
}
