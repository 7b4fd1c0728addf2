/*
 * An imitation of VapourSynth, with the functions that the plugin calls, clips with computed samples, and access to
 * the plugin's filter.
 */
#pragma once

#include <VapourSynth4.h>

#include <stdbool.h>

extern const VSAPI host;

/* host_load() loads the plugin. host_has_function() returns whether it has a function of this name. */
void host_load(void);
bool host_has_function(const char *name);

typedef struct HostClip {
    VSVideoInfo info;
    int seed;   /* seed of the random samples */
    int broken; /* number of the picture that the source fails to make; 0: none */
    int over;   /* number of the picture with a sample above the depth's maximum; 0: none */
    int64_t transfer, range, color_range, siting; /* properties of all pictures; -1: absent */
} HostClip;

/* Returns a clip of 4:2:0 with this size, depth and length, and without properties. */
HostClip host_clip(int width, int height, int depth, int pictures, int seed);

VSNode *host_source(const HostClip *clip);
/* Returns how often a source made a picture. */
int host_made(const VSNode *source, int picture);

/* Calls the plugin's function. options: one of "options" or, for Score, items of the list "metrics" separated by '|';
 * NULL: none. Returns NULL if the function refused, with its message in `why`. */
VSNode *host_invoke(const char *function, VSNode *reference, VSNode *distorted, const char *options, char why[1200]);

/* Requests a picture of the filter as VapourSynth does, from any thread. Returns NULL if that failed, with the
 * message in `why`. */
const VSFrame *host_get(VSNode *node, int n, char why[1200]);

/* Reads a numeric property of a picture. Returns false if the picture has no such property. */
bool host_property(const VSFrame *picture, const char *name, double *value);

/* Returns the number of nodes and pictures that exist. */
int host_alive(void);
