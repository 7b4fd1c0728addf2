/* Makes maps for a viewer, pair by pair, on a device that stays open. Thread-safe. */
#pragma once

#include "fovea/fovea.h"

typedef struct ViewMaps ViewMaps;

/*
 * Begins to open the device: NULL or "cpu", or a GPU by its name in fv_devices_list(). `threads`: number of threads
 * on the CPU.
 */
FvStatus view_maps_open(ViewMaps **maps, const char *device, int threads, FvError *error);

/* Waits until the device is open, and returns the result. */
FvStatus view_maps_wait(ViewMaps *maps, FvError *error);

/* A map without gaps between its rows. The caller frees `data`. */
typedef struct ViewMap {
    const FvMapInfo *info;
    double low, high; /* range of values that pictures show */
    int width, height;
    float *data;
    int value_count; /* number of `values`, the frame's scores with the map's options */
    struct {
        const char *name;
        double value;
    } values[64];
} ViewMap;

/* Delivers the pair of a number; the caller gets a reference to each frame. */
typedef FvStatus ViewPair(void *opaque, int64_t number, FvFrame *frames[2], FvError *error);

/*
 * Makes the map `map` of the metric "name=option=value:...", which `info` describes. Calls `pair` if the previous map
 * was of another pair, that is, with another number or `opaque`.
 */
FvStatus view_maps_get(ViewMaps *maps, int64_t number, ViewPair *pair, void *opaque, const FvMetricInfo *info,
                       const char *metric, const char *map, ViewMap *made, FvError *error);

void view_maps_close(ViewMaps **maps);
