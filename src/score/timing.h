/* Measures how long each part of a run works and waits, and finds the bottleneck. */
#pragma once

#include "input/read_ahead.h"

typedef struct FvWorkTimes {
    const char *path[2];   /* paths of the videos; NULL: no such video */
    bool decodes[2];       /* the video's reader also decodes */
    const char *device;    /* name of the scoring device: "cpu", "cuda:0", ... */
    FvWorked worked[2];    /* work of each reader */
    double waited, pushed; /* seconds of waiting for frames, and of pushing them into the session */
    double transferring;   /* seconds of `pushed` that were uploads */
    double scoring;        /* seconds of work of all scoring threads together; 0: unknown */
    int threads;           /* number of scoring threads */
    int64_t frames;        /* number of pushed frames */
} FvWorkTimes;

/* Returns whether reading, decoding, preparing or uploading is the bottleneck, and not scoring. */
bool fv_timing_waits(const FvWorkTimes *times);

/* Fills *timing. `text` is the memory for limited_by. */
void fv_timing_fill(FvTiming *timing, const FvWorkTimes *times, char *text, size_t size);
