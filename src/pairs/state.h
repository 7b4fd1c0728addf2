/* What opening pairs sets up and reading a pair uses. */
#pragma once

#include "align/match.h"
#include "input/read_ahead.h"
#include "pairs/files.h"
#include "pairs/order.h"
#include "pairs/pair_cache.h"
#include "picture/prepare.h"
#include "picture/twin.h"

struct FvPairs {
    FvPairFiles files;
    bool stale; /* a failure left the sources at unknown frames */
    FvPreparation *preparation[2];
    FvFormat format[2]; /* of the frames that are compared */
    FvTwins *twins[2];  /* NULL: the frames come without Y'CbCr of their own */
    FvPairOrder order;
    const FvAlignment *content; /* of pairs by content, else NULL */
    FvReadAhead *reader[2];     /* and `match`: for a sequential order */
    FvMatch match;
    int64_t asked;     /* the number asked for last, -1 for none */
    int64_t next;      /* sequential order: the lowest number that the next pair can have */
    size_t pair_bytes; /* of the pair read last; 0: none */
    FvPassedPairs passed;
};

static inline void fv_pairs_end_matching(FvPairs *pairs)
{
    fv_match_close(&pairs->match);
    for (int side = 0; side < 2; side++)
        fv_read_ahead_close(&pairs->reader[side]);
    pairs->next = 0;
}
