/* Compares a feature on a device with the same feature in scalar C, and times it, on generated frames. */
#pragma once

#include "base/sha256.h"
#include "device/device.h"

typedef enum FvTestVerdict {
    FV_TEST_SAME,     /* every bit equals that of scalar C */
    FV_TEST_DIFFERS,  /* some bit differs */
    FV_TEST_REFUSES,  /* the feature or the device does not accept frames of this format */
    FV_TEST_UNTESTED, /* memory ran out, or the driver failed */
} FvTestVerdict;

/* The fillings of frames in a self-test. */
enum {
    FV_FILL_NOISE,
    FV_FILL_EXTREMES,             /* extreme samples */
    FV_FILL_SLOPES,               /* slopes with sparse steps */
    FV_FILL_BANDS,                /* bands of close values */
    FV_FILL_CELLS,                /* small flat cells of many values next to bands of close values */
    FV_FILL_SQUARES,              /* flat squares with a little noise */
    FV_FILLS,                     /* number of fillings for every feature */
    FV_FILL_OPPOSITES = FV_FILLS, /* the distorted frame has 0 or 1 where the reference has the greatest sample */
};

/* The device that is compared with scalar C. */
typedef struct FvTestDevice {
    FvIsa isa;
    FvDeviceOps ops; /* start, submit and wait are used */
    FvStatus (*open)(void *opaque, FvDevice **device, FvError *error);
    void (*close)(void *opaque, FvDevice **device); /* called after `open`, also if it failed */
    /*
     * Returns whether the device can compute this feature instance; if not, fills `why`. Clears the bits of maps in
     * run->wanted_maps that the device cannot make. NULL: the device computes every instance.
     */
    bool (*takes)(void *opaque, FvFeatureInstance *run, char *why, size_t size);
    void *opaque;
} FvTestDevice;

/* Returns the CPU with an instruction set and a number of threads. */
FvTestDevice fv_test_cpu(const FvDeviceParams *params);

/*
 * Computes a feature and its inputs for consecutive frames on the device and in scalar C, and compares the results.
 * `why` names the first difference. words: NULL, or a hash to which the terms of all frames are added as
 * little-endian 64-bit numbers: those of the device, or those of scalar C if the device refuses the frames.
 */
FvTestVerdict fv_test_compare(const FvTestDevice *device, const FvFeature *feature, const void *options,
                              const FvFormat *format, uint64_t seed, int fill, int frames, FvSha256 *words, char *why,
                              size_t size);

/*
 * Times a feature and its inputs on one pair of frames, which a GPU keeps in its memory. seconds[i]: seconds per pair
 * in round i of `rounds`. A single round is one batch of at most 24 pairs that takes at most `budget` seconds;
 * several rounds repeat batches and take `budget` seconds together. Returns the number of timed rounds; 0: failure.
 * cost: NULL, or receives the seconds that one processor needs for a pair by FvFeature.cost.
 */
int fv_test_time(const FvTestDevice *device, const FvFeature *feature, const void *options, const FvFormat *format,
                 int rounds, double budget, double *seconds, double *cost);
