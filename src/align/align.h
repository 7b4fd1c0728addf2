/* Which frames of two videos belong together, from their signatures and a few exact comparisons. docs/alignment.md */
#ifndef FV_ALIGN_H
#define FV_ALIGN_H

#include "align/path.h"

#define FV_ALIGN_LEAST 8 /* frames on each side */

typedef enum FvAlignAnswer { FV_ALIGN_REFUSED, FV_ALIGN_OFFSET, FV_ALIGN_MAP } FvAlignAnswer;

/* Frame `at` of the distorted video: the frames before it were dropped (change > 0), or it is a repeat (-1). */
typedef struct FvAlignEvent {
    int at, change;
} FvAlignEvent;

struct FvAlignment {
    FvAlignAnswer answer;
    const char *why; /* refused */
    int base;
    int64_t noise, price, residual, far, least_gap;
    int matched, certain, mixed;
    bool constant; /* one offset, gathered from all frames, instead of the path */
    int64_t offset;
    FvAlignEvent *events;
    int event_count;
    int verified[2], parts[2], fields; /* good and tried; [0, 0]: no exact comparison was possible */
    int64_t *pairs;                    /* the reference frame of each distorted frame, or one outside the video */
    int pair_count, reference_frames;
};

/* Squared errors of luma between a distorted frame and five reference frames, of even and of odd rows. */
typedef struct FvAlignCheck {
    int frame;
    int64_t pair; /* the third of the five */
    uint64_t sse[2][5];
    bool known;
} FvAlignCheck;

typedef struct FvAlignParams {
    int64_t rate_num, rate_den; /* reference frames for each distorted frame; 0/0: not known, or 1 */
    int reach;                  /* frames; 0: chosen */
    /* Fills sse and known of `count` checks, in the order of their frames; NULL: the pictures cannot be compared. */
    FvStatus (*compare)(void *opaque, FvAlignCheck *checks, int count, FvError *error);
    void *opaque;
} FvAlignParams;

/* Changes the signatures of the distorted video. To be closed in any case. */
FvStatus fv_align_find(FvAlignment *alignment, const FvAlignVideo *reference, FvAlignVideo *distorted,
                       const FvAlignParams *params, FvError *error);
void fv_align_close(FvAlignment *alignment);

/* Fills the sums of one of the five reference frames; both frames have the same size and depth. */
void fv_align_sse(FvAlignCheck *check, int place, const FvFrame *reference, const FvFrame *distorted);

#endif
