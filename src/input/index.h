/*
 * The index of a video: the places and times of its frames, made without decoding. The public part is in
 * fovea/source.h.
 */
#pragma once

#include "fovea/fovea.h"

/* An index, which owns its arrays. An array that a reader does not need is NULL. Times are in ticks of the stream. */
typedef struct FvIndex {
    FvSourceIndex shown; /* the public part; its `entries` points to the array below */
    int64_t *entries;    /* frames at which decoding can begin; NULL: every frame */
    int64_t *enter_pts;  /* presentation time of each entry's packet */
    int64_t *enter_dts;  /* decoding time of each entry's packet; if unknown, its presentation time */
    int64_t *place;      /* first byte of every frame, or decoding time of its packet */
    int64_t *time;       /* presentation time of every frame */
    int64_t *packets;    /* for every frame, twice the bytes of its packet, plus 1 for a key packet */
} FvIndex;

/* Returns the number of the last entry that is not after `frame`. `entries` must not be NULL. */
int64_t fv_index_entry(const FvIndex *index, int64_t frame);

/* Copies an index. The caller frees the copy with fv_index_free(). */
FvStatus fv_index_copy(FvIndex *copy, const FvIndex *index, FvError *error);

void fv_index_free(FvIndex *index);

/* A list of numbers that grows. */
typedef struct FvNumbers {
    int64_t *item;
    int64_t count, room;
} FvNumbers;

/* Appends a number. False: out of memory. */
bool fv_numbers_add(FvNumbers *numbers, int64_t item);
