/* Kernels of CAMBI on the CPU. */
#pragma once

#include "base/isa.h"
#include "cpu/cambi_planes.h"

/*
 * `frame` is the memory block with the planes of FvCambiScale. Kernels that compute a scale return how many of its
 * pixels are in runs that can yield a nonzero c-value.
 */
typedef struct FvCambiKernels {
    /*
     * Computes row y of the frame at processing size, 10 bits, dither removed. `to` has room for a multiple of 64
     * samples.
     */
    void (*row)(const FvCambiPicture *picture, const uint8_t *source, ptrdiff_t stride, int y, uint16_t *to,
                void *scratch);
    /* Computes rows [first, first + rows) of scale 0 from the source: conversion, mask and mode filter. */
    int64_t (*prepare)(const FvCambiPicture *picture, const uint8_t *source, ptrdiff_t stride, void *frame, int first,
                       int rows, void *scratch);
    /* Computes rows [first, first + rows) of scale s from scale s - 1. */
    int64_t (*halve)(const FvCambiPicture *picture, void *frame, int s, int first, int rows, void *scratch);
    /*
     * Sums the c-values of columns [left, left + columns). If `histogram` (FV_CAMBI_BINS entries) is not NULL, also
     * stores the c-values, and counts the nonzero ones in `histogram`.
     */
    FvCambiSum (*contrast)(const FvCambiPicture *picture, void *frame, int s, int left, int columns,
                           uint32_t *histogram, void *scratch);
    /*
     * Returns the sum, times 2^24, of all stored c-values above the bin, and counts those inside the bin by their
     * lower bits.
     */
    uint64_t (*select)(const FvCambiScale *scale, void *frame, int bin, uint32_t count[FV_CAMBI_IN_BIN]);
    /* Returns the bytes of scratch memory that the kernels above need. */
    size_t (*scratch)(const FvCambiPicture *picture);
} FvCambiKernels;

FV_FAMILY(FvCambiKernels, fv_cambi_kernels)

/*
 * Returns the exact sum of the k greatest stored c-values, times 2^24 (every c-value is a multiple of 2^-24). k must
 * be below the number of nonzero c-values, which the histogram counts. `count` is working memory.
 */
uint64_t fv_cambi_top(const FvCambiKernels *kernels, const FvCambiScale *scale, void *frame,
                      const uint32_t *histogram, int64_t k, uint32_t count[FV_CAMBI_IN_BIN]);
