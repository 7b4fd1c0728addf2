/* A feature on a device against the same feature in scalar C, and its speed there, on generated frames. */
#pragma once

#include "base/sha256.h"
#include "device/device.h"

typedef enum FvTestVerdict {
    FV_TEST_SAME,     /* every bit is the same as in plain C */
    FV_TEST_DIFFERS,  /* some bit is not */
    FV_TEST_REFUSES,  /* the feature or the device does not accept such frames */
    FV_TEST_UNTESTED, /* there was no room, or the driver failed */
} FvTestVerdict;

/* The fillings of frames of a self-test. */
enum {
    FV_FILL_NOISE,
    FV_FILL_EXTREMES,             /* extreme samples */
    FV_FILL_SLOPES,               /* slopes with sparse steps */
    FV_FILL_BANDS,                /* bands of close values */
    FV_FILL_CELLS,                /* small and flat, of many values, next to such bands */
    FV_FILL_SQUARES,              /* flat, with a little noise */
    FV_FILLS,                     /* number of fillings for every feature */
    FV_FILL_OPPOSITES = FV_FILLS, /* the distorted frame has 0 or 1 where the reference has the greatest sample */
};

/* The device that is compared with scalar C. */
typedef struct FvTestDevice {
    FvIsa isa;
    FvDeviceOps ops; /* start, submit and wait are used */
    FvStatus (*open)(void *opaque, FvDevice **device, FvError *error);
    void (*close)(void *opaque, FvDevice **device); /* called after open, whatever it returned */
    /*
     * Returns whether the device computes this feature instance; clears the bits of run->wanted_maps that it cannot
     * make. NULL: it computes all.
     */
    bool (*takes)(void *opaque, FvFeatureInstance *run, char *why, size_t size);
    void *opaque;
} FvTestDevice;

/* Returns the CPU with an instruction set and a number of threads. */
FvTestDevice fv_test_cpu(const FvDeviceParams *params);

/*
 * Computes a feature, with its inputs, for one chain of frames on both and compares. `why` says what is not the same.
 * words: NULL, or hashes the terms of all frames as the device has them, or scalar C where it refuses them: 8 bytes
 * each, the low one first.
 */
FvTestVerdict fv_test_compare(const FvTestDevice *device, const FvFeature *feature, const void *options,
                              const FvFormat *format, uint64_t seed, int fill, int frames, FvSha256 *words, char *why,
                              size_t size);

/*
 * Times a feature with its inputs on one pair of frames, which a GPU keeps in its memory. seconds[i] is the time of a
 * pair in round i of `rounds`. One round is a batch of at most 24 pairs, and at most `budget` seconds; several rounds
 * repeat such batches, and fill `budget` seconds together. Returns the number of rounds that were timed; 0: it
 * failed. cost: NULL, or receives the seconds that one processor needs by FvFeature.cost.
 */
int fv_test_time(const FvTestDevice *device, const FvFeature *feature, const void *options, const FvFormat *format,
                 int rounds, double budget, double *seconds, double *cost);
