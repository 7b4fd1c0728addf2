/* The state of pairs: set up by opening, used by reading. */
#pragma once

#include "align/match.h"
#include "input/read_ahead.h"
#include "pairs/files.h"
#include "pairs/order.h"
#include "pairs/pair_cache.h"
#include "picture/prepare.h"
#include "picture/ycbcr_variant.h"

/* The packets of one side. The source never delivers frames. */
typedef struct FvCodedSide {
    FvSource *source;      /* NULL: not open */
    int64_t begun, passed; /* the next packet is the one after `passed` others, from entry `begun` on; -1: unknown */
} FvCodedSide;

struct FvPairs {
    FvPairFiles files;
    bool stale; /* a failure left the sources at unknown frames */
    FvPreparation *preparation[2];
    FvFormat format[2];      /* formats of the frames that are compared */
    FvVariants *variants[2]; /* makes the Y'CbCr variant of frames; NULL: not needed */
    FvPairOrder order;
    const FvAlignment *content; /* alignment, if pairs are by content; else NULL */
    FvReadAhead *reader[2];     /* readers of both files, for a sequential order only */
    FvMatch match;
    int64_t asked;     /* number of the last requested pair; -1: none */
    int64_t next;      /* lowest number that the next pair of a sequential order can have */
    size_t pair_bytes; /* bytes of the last pair read; 0: none */
    FvPassedPairs passed;
    FvCodedSide coded[2];
};

static inline void fv_pairs_end_matching(FvPairs *pairs)
{
    fv_match_close(&pairs->match);
    for (int side = 0; side < 2; side++)
        fv_read_ahead_close(&pairs->reader[side]);
    pairs->next = 0;
}
