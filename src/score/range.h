/* Scores a part of two videos exactly as a full run would; shards are made of such parts. */
#pragma once

#include "align/gaps.h"
#include "align/pair_signatures.h"
#include "align/shift.h"
#include "doubt/looks.h"
#include "input/frame_selection.h"

/* A part of a run: frames [first, end) of the frames that are compared. */
typedef struct FvScoreRange {
    int64_t first, end;
    bool last; /* frame end - 1 must be the last of the videos; else the run fails */
    /*
     * Called after every frame, and once more, with `ended`, after a success. Row i of the session is frame first_row
     * + i.
     */
    FvStatus (*on_rows)(void *opaque, int64_t first_row, bool ended, FvError *error);
    void *opaque;
    int64_t first_row;      /* result: first frame that was read, which may be before `first` if features look back */
    FvPairSignatures pairs; /* signatures of pairs from `first` on, until a pair has none; the caller frees it */
    FvLooks looked;         /* looks at pairs from `first` on; the caller frees it */
} FvScoreRange;

/*
 * Scores a range as fv_score() does, for regular files whose frames pair by index. Both sources have an index and are
 * checked against it.
 */
FvStatus fv_score_range(FvSession *session, FvSource *reference, FvSource *distorted, const FvScoreParams *params,
                        FvScoreRange *range, FvError *error);

/*
 * Returns the pairs that a run needs. Call it after the start of the session. If some pairs are not needed, the check
 * for shifts covers only the first FV_SHIFT_FRAMES pairs.
 */
FvFrameSelection fv_score_selection(const FvSession *session, const FvScoreParams *params);

/* Report where the videos show different frames. Call them after the last pair. FV_ERROR_INPUT in strict mode. */
FvStatus fv_score_report_gaps(FvSession *session, const FvGaps *gaps, FvError *error);
FvStatus fv_score_report_shift(FvSession *session, FvShift *shift, const FvLooks *looked, FvError *error);

/* Returns the status of a run that failed after it had scored frames, which are kept. */
FvStatus fv_score_partial(FvStatus failure);

/*
 * Starts a session that computes nothing and receives rows of terms, for two videos with these descriptions.
 * reference: NULL: no reference is used.
 */
FvStatus fv_score_import(FvSession *session, const FvSourceInfo *reference, const FvSourceInfo *distorted,
                         const FvScoreParams *params, FvError *error);
