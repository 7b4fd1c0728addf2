#include "maps.h"

#include <stdlib.h>

#include "error.h"
#include "mem.h"

/* Rows start on 64 bytes, so that vectors can be stored. */
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
    size_t bytes = (size_t)(maps->count + 1) * sizeof *maps->requests;
    FvMapRequest *grown = realloc(maps->requests, bytes);
    if (!grown)
        return fv_fail_memory(error, bytes);
    maps->requests = grown;
    grown[maps->count++] = *request;
    return FV_OK;
}

FvStatus fv_maps_start(FvMaps *maps, const FvRun *runs, int count, int in_flight, FvError *error)
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

FvStatus fv_maps_choose(FvMaps *maps, int slot, FvTask *task, FvError *error)
{
    for (int r = 0; r < FV_MAX_RUNS; r++)
        task->map[r] = NULL;
    for (int i = 0; i < maps->planes; i++)
        maps->view[slot * maps->planes + i] = (FvMapPlane){0};
    for (int i = 0; i < maps->count && !task->skipped; i++) {
        const FvMapRequest *request = &maps->requests[i];
        if (request->chooses && !request->chooses(request->opaque, task->number))
            continue;
        int at = slot * maps->planes + maps->first[request->position];
        const FvMapShape *shape = &request->run->map[request->origin];
        FvMapPlane *memory = &maps->memory[at + request->origin];
        if (!memory->data && !(memory->data = fv_alloc(bytes_of(shape))))
            return fv_fail_memory(error, bytes_of(shape));
        memory->stride = stride_of(shape);
        maps->view[at + request->origin] = *memory;
        task->map[request->position] = &maps->view[at];
    }
    return FV_OK;
}

FvStatus fv_maps_deliver(const FvMaps *maps, const FvTask *task, FvError *error)
{
    FvStatus status = FV_OK;
    for (int i = 0; i < maps->count && !status; i++) {
        const FvMapRequest *request = &maps->requests[i];
        const FvMapPlane *planes = task->map[request->position];
        if (!planes || !planes[request->origin].data ||
            (request->chooses && !request->chooses(request->opaque, task->number)))
            continue;
        const FvMapShape *shape = &request->run->map[request->origin];
        FvMap map = {.metric = request->metric,
                     .map = request->map,
                     .info = &request->owner->metric->info.maps[request->map],
                     .minimum = shape->minimum,
                     .maximum = shape->maximum,
                     .number = task->number,
                     .reference = task->ref,
                     .distorted = task->dis,
                     .width = shape->width,
                     .height = shape->height,
                     .data = planes[request->origin].data,
                     .stride = planes[request->origin].stride};
        status = request->take ? request->take(request->opaque, &map, error)
                               : request->owner->metric->map(request->owner, &map, error);
    }
    return status;
}

uint64_t fv_maps_bytes(const FvMaps *maps, const FvRun *runs, int count)
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
        free(maps->memory[i].data);
    free(maps->memory);
    free(maps->view);
    free(maps->requests);
    *maps = (FvMaps){0};
}
