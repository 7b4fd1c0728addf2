/* Finds the matching frames of two videos from signatures and a few exact comparisons. docs/alignment.md */
#pragma once

#include "align/path.h"

#define FV_ALIGN_LEAST 8 /* least number of frames in each video */

typedef enum FvAlignAnswer { FV_ALIGN_REFUSED, FV_ALIGN_OFFSET, FV_ALIGN_MAP } FvAlignAnswer;

/* Distorted frame `at` follows `change` dropped frames, or, if `change` is -1, repeats the previous frame. */
typedef struct FvAlignEvent {
    int at, change;
} FvAlignEvent;

struct FvAlignment {
    FvAlignAnswer answer;
    const char *why; /* reason of a refusal */
    int base;
    int64_t noise, price, residual, far, least_gap;
    int matched, certain, mixed;
    bool constant; /* one offset, found from all frames together, replaces the path */
    int64_t offset;
    FvAlignEvent *events;
    int event_count;
    /*
     * Numbers of exact comparisons, of frames and of parts: [0] matches, [1] all; number of frames with mixed fields.
     */
    int verified[2], parts[2], fields;
    int64_t *pairs; /* the reference frame of each distorted frame; it may be outside the video */
    int pair_count, reference_frames;
};

/* Squared errors of luma, in even and in odd rows, between a distorted frame and five reference frames. */
typedef struct FvAlignCheck {
    int frame;
    int64_t pair; /* the third of the five reference frames */
    uint64_t sse[2][5];
    bool known;
} FvAlignCheck;

typedef struct FvAlignParams {
    int64_t rate_num, rate_den; /* reference frames per distorted frame; 0/0: unknown, 1 is assumed */
    int reach;                  /* largest offset to try, in frames; 0: chosen from the lengths of the videos */
    /* Fills sse and known of `count` checks, which are sorted by frame; NULL: the pictures cannot be compared. */
    FvStatus (*compare)(void *opaque, FvAlignCheck *checks, int count, FvError *error);
    void *opaque;
} FvAlignParams;

/*
 * Aligns two videos. Changes the signatures of the distorted video. The caller closes the alignment, also after an
 * error.
 */
FvStatus fv_align_find(FvAlignment *alignment, const FvAlignVideo *reference, FvAlignVideo *distorted,
                       const FvAlignParams *params, FvError *error);
void fv_align_close(FvAlignment *alignment);

/* Fills sse[][place] for one of the five reference frames. Both frames have the same size and depth. */
void fv_align_sse(FvAlignCheck *check, int place, const FvFrame *reference, const FvFrame *distorted);
