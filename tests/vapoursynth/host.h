/*
 * An imitation of VapourSynth with the functions that the plugin under test calls: clips made from numbers, and its
 * filter.
 */
#pragma once

#include <VapourSynth4.h>

#include <stdbool.h>

extern const VSAPI host;

/* The plugin's functions, by name, after it is loaded. NULL: there is none. */
void host_load(void);
bool host_has_function(const char *name);

typedef struct HostClip {
    VSVideoInfo info;
    int seed;   /* seed of the random samples */
    int broken; /* number of the picture that the source fails to make; 0: none */
    int over;   /* number of the picture with a sample above the depth's maximum; 0: none */
    int64_t transfer, range, color_range, siting; /* properties; -1: none */
} HostClip;

/* 4:2:0 of this size, depth and length; without properties. */
HostClip host_clip(int width, int height, int depth, int pictures, int seed);

VSNode *host_source(const HostClip *clip);
/* The pictures that were asked of a source, each as often as it was made. */
int host_made(const VSNode *source, int picture);

/* Calls the plugin's function. NULL: it refused, with this message. `options` is one of "options" or, of Score, of
 * the list "metrics" with '|' between its items; NULL: not given. */
VSNode *host_invoke(const char *function, VSNode *reference, VSNode *distorted, const char *options, char why[1200]);

/* A picture of the filter, as VapourSynth would ask for it; from any thread. NULL: it failed, with this message. */
const VSFrame *host_get(VSNode *node, int n, char why[1200]);

/* Reads a numeric property of a picture. False: the picture has no property of this name. */
bool host_property(const VSFrame *picture, const char *name, double *value);

/* Nodes and pictures that exist. */
int host_alive(void);
