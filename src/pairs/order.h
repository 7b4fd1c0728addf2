/* Lists which frames of two files are pairs, in order. */
#pragma once

#include "input/source.h"

/*
 * The order of pairs. A pair has a number, by which callers request it, and a place, which counts pairs from 0. For
 * pairs by index both are equal. For pairs by content or by time, the number is that of the distorted frame, and the
 * place is the index in a list.
 */
typedef struct FvPairOrder {
    bool listed; /* pairs are by content or by time */
    int64_t skip[2],
        frames; /* for pairs by index: number of frames dropped at the start of each file; number of pairs, 0: all */
    /*
     * (`made`) fv_pair_order_make() was called; (`sequential`) the files lack the times for a list, so they are read
     * from their start.
     */
    bool made, sequential;
    int64_t *frame[2]; /* the list; frames of the distorted video ascend */
    int64_t count, room;
} FvPairOrder;

/* Lists the pairs by the times in the indexes of the files, as if all frames were read. `content` NULL: by time. */
FvStatus fv_pair_order_make(FvPairOrder *order, FvSource *const source[2], const FvAlignment *content,
                            FvError *error);

/* Returns the place of the first listed pair with this distorted frame or a later one. */
int64_t fv_pair_order_find(const FvPairOrder *order, int64_t frame);

/*
 * Finds the place of the pair with this number. FV_END: it is after the last pair. FV_ERROR_INPUT: the number has no
 * pair.
 */
FvStatus fv_pair_order_place(const FvPairOrder *order, int64_t number, int64_t *place);

/* Return the frame of one side of the pair at a place, and that pair's number. */
int64_t fv_pair_order_frame(const FvPairOrder *order, int side, int64_t place);
int64_t fv_pair_order_number(const FvPairOrder *order, int64_t place);

void fv_pair_order_free(FvPairOrder *order);
