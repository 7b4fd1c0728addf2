/*
 * The index of a video: the places and times of its frames, from its packets alone. The public part is in
 * fovea/source.h.
 */
#pragma once

#include "fovea/fovea.h"

/*
 * Arrays are owned by the index. What a reader does not need is NULL. Times are in ticks of the stream.
 */
typedef struct FvIndex {
    FvSourceIndex shown; /* shown.entries is `entries` */
    int64_t *entries;    /* frames at which decoding can begin; NULL: every frame */
    int64_t *enter_pts;  /* presentation time of each entry's packet */
    int64_t *enter_dts;  /* decoding time of each entry's packet; if unknown, its presentation time */
    int64_t *place;      /* first byte of every frame, or decoding time of its packet */
    int64_t *time;       /* presentation time of every frame */
    int64_t *packets;    /* for every frame, twice the bytes of its packet, plus 1 for a key packet */
} FvIndex;

/* The entry with the greatest frame that is not after `frame`. Not for an index in which every frame is one. */
int64_t fv_index_entry(const FvIndex *index, int64_t frame);

/* The copy is to be freed. */
FvStatus fv_index_copy(FvIndex *copy, const FvIndex *index, FvError *error);

void fv_index_free(FvIndex *index);

/* A list of numbers that grows. */
typedef struct FvNumbers {
    int64_t *item;
    int64_t count, room;
} FvNumbers;

/* false: out of memory. */
bool fv_numbers_add(FvNumbers *numbers, int64_t item);
