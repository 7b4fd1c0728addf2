#include "session/maps.h"

#include <stdlib.h>

#include "base/error.h"
#include "os/memory.h"

/* A row is a multiple of 64 bytes, so that each row starts where whole vectors can be stored. */
#define ROW_FLOATS (FV_ALIGN / sizeof(float))

static ptrdiff_t stride_of(const FvMapShape *shape)
{
    return (ptrdiff_t)FV_ROUND_UP((size_t)shape->width, ROW_FLOATS);
}

static size_t bytes_of(const FvMapShape *shape)
{
    return (size_t)stride_of(shape) * (size_t)shape->height * sizeof(float);
}

FvStatus fv_maps_add(FvMaps *maps, const FvMapRequest *request, FvError *error)
{
    size_t bytes = (size_t)(maps->count + 1) * sizeof *maps->wants;
    FvMapWanted *grown = realloc(maps->wants, bytes);
    if (!grown)
        return fv_fail_memory(error, bytes);
    maps->wants = grown;
    grown[maps->count++] = (FvMapWanted){.request = *request};
    return FV_OK;
}

FvStatus fv_maps_start(FvMaps *maps, const FvFeatureInstance *runs, int count, int in_flight, FvError *error)
{
    for (int r = 0; r < count; r++) {
        maps->first[r] = maps->planes;
        maps->planes += runs[r].wanted_maps ? runs[r].feature->map_count : 0;
    }
    maps->in_flight = in_flight;
    size_t planes = (size_t)maps->planes * (size_t)in_flight;
    if (!planes)
        return FV_OK;
    maps->memory = calloc(planes, sizeof *maps->memory);
    maps->view = calloc(planes, sizeof *maps->view);
    return maps->memory && maps->view ? FV_OK : fv_fail_memory(error, planes * sizeof *maps->view);
}

static bool is_frame_wanted(const FvMapWanted *want, int64_t number)
{
    return !want->request.filter || want->request.filter(want->request.opaque, number);
}

FvStatus fv_maps_choose(FvMaps *maps, int slot, FvTask *task, FvError *error)
{
    for (int r = 0; r < FV_MAX_INSTANCES; r++)
        task->map[r] = NULL;
    for (int i = 0; i < maps->planes; i++)
        maps->view[slot * maps->planes + i] = (FvMapPlane){0};
    for (int i = 0; i < maps->count && !task->skipped; i++) {
        const FvMapWanted *want = &maps->wants[i];
        if (!is_frame_wanted(want, task->number))
            continue;
        int at = slot * maps->planes + maps->first[want->position];
        const FvMapShape *shape = &want->run->map[want->origin];
        FvMapPlane *memory = &maps->memory[at + want->origin];
        if (!memory->data && !(memory->data = fv_alloc(bytes_of(shape))))
            return fv_fail_memory(error, bytes_of(shape));
        memory->stride = stride_of(shape);
        maps->view[at + want->origin] = *memory;
        task->map[want->position] = &maps->view[at];
    }
    return FV_OK;
}

/*
 * Passes a map to the caller's function. If that fails, the error has an error status and a message, whatever the
 * function returned.
 */
static FvStatus hand_over(const FvMapWanted *want, const FvMap *map, FvError *error)
{
    FvError own = {0};
    FvStatus status = want->request.on_map(want->request.opaque, map, &own);
    if (!status)
        return FV_OK;
    if ((int)status < FV_ERROR_USAGE || (int)status > FV_ERROR_MEMORY)
        return fv_fail(error, FV_ERROR_USAGE,
                       "map %s of frame %lld: the map callback returned %d, which is not an error status",
                       map->info->name, (long long)map->number, (int)status);
    own.message[sizeof own.message - 1] = '\0';
    return *own.message ? fv_fail(error, status, "%s", own.message)
                        : fv_fail(error, status, "map %s of frame %lld: the map callback failed without a message",
                                  map->info->name, (long long)map->number);
}

FvStatus fv_maps_deliver(const FvMaps *maps, const FvTask *task, FvError *error)
{
    FvStatus status = FV_OK;
    for (int i = 0; i < maps->count && !status; i++) {
        const FvMapWanted *want = &maps->wants[i];
        const FvMapPlane *planes = task->map[want->position];
        if (!planes || !planes[want->origin].data || !is_frame_wanted(want, task->number))
            continue;
        const FvMapShape *shape = &want->run->map[want->origin];
        FvMap map = {.metric = want->request.metric,
                     .map = want->request.map,
                     .info = &want->owner->metric->info.maps[want->request.map],
                     .minimum = shape->minimum,
                     .maximum = shape->maximum,
                     .number = task->number,
                     .reference = want->run->ycbcr_variant ? fv_frame_ycbcr(task->ref) : task->ref,
                     .distorted = want->run->ycbcr_variant ? fv_frame_ycbcr(task->dis) : task->dis,
                     .width = shape->width,
                     .height = shape->height,
                     .data = planes[want->origin].data,
                     .stride = planes[want->origin].stride};
        status =
            want->request.on_map ? hand_over(want, &map, error) : want->owner->metric->map(want->owner, &map, error);
    }
    return status;
}

uint64_t fv_maps_bytes(const FvMaps *maps, const FvFeatureInstance *runs, int count)
{
    uint64_t bytes = 0;
    for (int r = 0; r < count && maps->planes; r++)
        for (int m = 0; m < runs[r].feature->map_count; m++)
            bytes += runs[r].wanted_maps >> m & 1 ? bytes_of(&runs[r].map[m]) : 0;
    return bytes;
}

void fv_maps_free(FvMaps *maps)
{
    for (int i = 0; maps->memory && i < maps->planes * maps->in_flight; i++)
        fv_free(maps->memory[i].data);
    free(maps->memory);
    free(maps->view);
    free(maps->wants);
    *maps = (FvMaps){0};
}
