/* The maps of a session: the requests for maps of some frames, and the memory that devices fill. */
#pragma once

#include "device/device.h"
#include "metric/metric.h"

/* A request for one map of one metric, by the caller or by the metric itself. */
typedef struct FvMapWanted {
    FvMapRequest request; /* take is NULL if the metric requests its own map */
    /* the metric instance that requests it; NULL: the caller */
    FvMetricInstance *owner;
    const FvFeatureInstance *run;
    int position, origin; /* index of the feature instance, and of the map among its maps */
} FvMapWanted;

typedef struct FvMaps {
    FvMapWanted *wants;
    int count;
    int in_flight, planes; /* number of tasks, and of planes of one task for all feature instances */
    int first[FV_MAX_INSTANCES];
    FvMapPlane *memory, *view; /* planes of each task: the allocated ones, and those that its current frame needs */
} FvMaps;

FvStatus fv_maps_add(FvMaps *maps, const FvMapRequest *request, FvError *error);

/* Allocates the planes. Call it once all feature instances and in_flight are known. */
FvStatus fv_maps_start(FvMaps *maps, const FvFeatureInstance *runs, int count, int in_flight, FvError *error);

/* Sets the planes of a task to those that its frame needs. slot: index of the task among the tasks in flight. */
FvStatus fv_maps_choose(FvMaps *maps, int slot, FvTask *task, FvError *error);

/* Passes the maps of a finished task to the callers and metrics that requested them. */
FvStatus fv_maps_deliver(const FvMaps *maps, const FvTask *task, FvError *error);

/* Returns the bytes of one task's maps. */
uint64_t fv_maps_bytes(const FvMaps *maps, const FvFeatureInstance *runs, int count);

void fv_maps_free(FvMaps *maps);
