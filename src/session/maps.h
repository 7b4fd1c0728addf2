/* The maps of a session: who wants which map of which frame, and the memory that devices fill. */
#pragma once

#include "device/device.h"
#include "metric/metric.h"

/* One map of one metric, wanted by the caller or by the metric itself. */
typedef struct FvMapWant {
    FvMapRequest request; /* take is NULL when it is the metric's own */
    /* Where it comes from: */
    FvMetricRun *owner;
    const FvRun *run;
    int position, origin; /* of the run among all, of the map among the run's */
} FvMapWant;

typedef struct FvMaps {
    FvMapWant *wants;
    int count;
    int in_flight, planes; /* planes: of one task, all runs together */
    int first[FV_MAX_RUNS];
    FvMapPlane *memory, *view; /* planes of each task: allocated ones, and what the present frame wants of them */
} FvMaps;

FvStatus fv_maps_add(FvMaps *maps, const FvMapRequest *request, FvError *error);

/* Once all runs and in_flight are known. */
FvStatus fv_maps_start(FvMaps *maps, const FvRun *runs, int count, int in_flight, FvError *error);

/* Gives a task the planes that its frame wants. slot: of the task among those in flight. */
FvStatus fv_maps_choose(FvMaps *maps, int slot, FvTask *task, FvError *error);

/* Hands the maps of a finished task over. */
FvStatus fv_maps_deliver(const FvMaps *maps, const FvTask *task, FvError *error);

/* Bytes of one task's maps. */
uint64_t fv_maps_bytes(const FvMaps *maps, const FvRun *runs, int count);

void fv_maps_free(FvMaps *maps);
