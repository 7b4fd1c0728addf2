/* Kernels of CAMBI on the CPU. */
#pragma once

#include "base/isa.h"
#include "cpu/cambi_planes.h"

/*
 * `frame` is the block in which the planes of FvCambiScale lie. Kernels that make a scale return its pixels that take
 * part in runs: no more c-values than these can be nonzero.
 */
typedef struct FvCambiKernels {
    /* Row y of the picture at processing size, 10 bits, undithered. `to` has room for a multiple of 64 samples. */
    void (*row)(const FvCambiPicture *picture, const uint8_t *source, ptrdiff_t stride, int y, uint16_t *to,
                void *scratch);
    /* Rows [first, first + rows) of the first scale from the source: conversion, mask and mode filter. */
    int64_t (*prepare)(const FvCambiPicture *picture, const uint8_t *source, ptrdiff_t stride, void *frame, int first,
                       int rows, void *scratch);
    /* Rows of scale s from scale s - 1. */
    int64_t (*halve)(const FvCambiPicture *picture, void *frame, int s, int first, int rows, void *scratch);
    /*
     * The c-values of columns [left, left + columns). With a histogram of FV_CAMBI_BINS they are stored, and the
     * nonzero ones counted in it.
     */
    FvCambiSum (*contrast)(const FvCambiPicture *picture, void *frame, int s, int left, int columns,
                           uint32_t *histogram, void *scratch);
    /*
     * Returns the sum, times 2^24, of all stored c-values above the bin, and counts those within it by their lower
     * bits.
     */
    uint64_t (*select)(const FvCambiScale *scale, void *frame, int bin, uint32_t count[FV_CAMBI_IN_BIN]);
    /* Bytes of scratch that these need. */
    size_t (*scratch)(const FvCambiPicture *picture);
} FvCambiKernels;

FV_FAMILY(FvCambiKernels, fv_cambi_kernels)

/*
 * Sum of the k greatest of all stored c-values, times 2^24 (exact: every c is a multiple of 2^-24). For k below the
 * number of nonzero ones, which the histogram holds. `count` is working memory.
 */
uint64_t fv_cambi_top(const FvCambiKernels *kernels, const FvCambiScale *scale, void *frame,
                      const uint32_t *histogram, int64_t k, uint32_t count[FV_CAMBI_IN_BIN]);
