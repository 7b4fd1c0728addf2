/* Scoring a part of two videos, as a whole run would: what shards are made of. */
#pragma once

#include "align/gaps.h"
#include "align/shift.h"
#include "align/signed.h"
#include "doubt/looks.h"
#include "input/need.h"

/* Frames [first, end) of those that are compared. */
typedef struct FvScoreRange {
    int64_t first, end;
    bool last; /* the videos end with frame end - 1, which is checked */
    /*
     * Called after every frame, and once more with `ended` when everything went well: row i of the session is frame
     * first_row + i.
     */
    FvStatus (*landed)(void *opaque, int64_t first_row, bool ended, FvError *error);
    void *opaque;
    int64_t first_row; /* is set: the frames from here to `first` are those that features look back at */
    FvSigned pairs;    /* from `first` on, as long as they are signed; the caller's to take and free */
    FvLooks looked;    /* pairs from `first` on that were looked at; the caller's to free */
} FvScoreRange;

/* As fv_score, for ordinary files whose frames pair by index. Both sources have an index and are checked against it.
 */
FvStatus fv_score_range(FvSession *session, FvSource *reference, FvSource *distorted, const FvScoreParams *params,
                        FvScoreRange *range, FvError *error);

/*
 * After start: which pairs a scoring needs. Where some are not needed, the watch for shifts looks at the first
 * FV_SHIFT_FRAMES pairs only.
 */
FvNeed fv_score_need(const FvSession *session, const FvScoreParams *params);

/* Tell what the watch found in pairs, after the last one. FV_ERROR_INPUT by --strict. */
FvStatus fv_score_tell_gaps(FvSession *session, const FvGaps *gaps, FvError *error);
FvStatus fv_score_tell_shift(FvSession *session, FvShift *shift, const FvLooks *looked, FvError *error);

/* The status of a scoring that keeps frames and failed behind them. */
FvStatus fv_score_partial(FvStatus failure);

/*
 * Starts a session that computes nothing and takes rows of terms, for the same two videos (the reference NULL where
 * it is not used), by what their sources said of themselves.
 */
FvStatus fv_score_import(FvSession *session, const FvSourceInfo *reference, const FvSourceInfo *distorted,
                         const FvScoreParams *params, FvError *error);
