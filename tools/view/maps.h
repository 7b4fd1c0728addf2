/* Maps of one pair after the other for a viewer, on a device that stays open. Any number of threads. */
#pragma once

#include "fovea/fovea.h"

typedef struct ViewMaps ViewMaps;

/* device: NULL or "cpu", or a GPU as fv_devices_list names it, which begins to be opened. threads: on the CPU. */
FvStatus view_maps_open(ViewMaps **maps, const char *device, int threads, FvError *error);

/* Once the device is open: what came of it. */
FvStatus view_maps_wait(ViewMaps *maps, FvError *error);

/* A map without gaps between its rows; data is to be freed. */
typedef struct ViewMap {
    const FvMapInfo *info;
    double low, high; /* as pictures show it */
    int width, height;
    float *data;
    int value_count; /* scores of the frame with these options */
    struct {
        const char *name;
        double value;
    } values[64];
} ViewMap;

/* Gives the pair of a number, of which the caller owns a reference each. */
typedef FvStatus ViewPair(void *opaque, int64_t number, FvFrame *frames[2], FvError *error);

/*
 * metric: "name=option=value:...", info: what it is. `pair` is called when another pair, by its number or by
 * `opaque`, was shown before.
 */
FvStatus view_maps_get(ViewMaps *maps, int64_t number, ViewPair *pair, void *opaque, const FvMetricInfo *info,
                       const char *metric, const char *map, ViewMap *made, FvError *error);

void view_maps_close(ViewMaps **maps);
