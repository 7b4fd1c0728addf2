/* Pushed pairs made comparable. */
#ifndef FOVEA_PREPARER_H
#define FOVEA_PREPARER_H

#include <fovea/score.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Scales, crops and converts frames as fv_score() does, for callers who push their own: open a preparer, start the
 * session with its formats, and push the frames that it makes. Samples equal those of fv_score(). docs/scaling.md
 */
typedef struct FvPreparer FvPreparer;

/*
 * For frames of these formats; reference NULL: there is none. Of `params`, ignore_rate, ignore_range, ignore_colour,
 * convert, crop and scale count. `session` gets the decisions for its report and has not been started; NULL: they are
 * not recorded. It lends the preparer its instruction set and its number of threads and need not outlive it.
 * FV_ERROR_INPUT: the two do not fit together. FV_ERROR_USAGE: a crop or a scale does not fit the formats.
 */
FV_API FvStatus fv_preparer_open(FvPreparer **preparer, FvSession *session, const FvFormat *reference,
                                 const FvFormat *distorted, const FvScoreParams *params, FvError *error);

/* The format of the prepared frames, for fv_session_start(). NULL: there is no reference. */
FV_API const FvFormat *fv_preparer_format(const FvPreparer *preparer, FvSide side);

/*
 * *prepared is the frame made comparable, of which the caller gets a reference; where nothing changes, the same
 * frame. FV_ERROR_USAGE: the frame is in device memory. FV_ERROR_INPUT: its size, chroma format or depth differs from
 * the format of its side, or a sample exceeds its depth.
 */
FV_API FvStatus fv_preparer_run(FvPreparer *preparer, FvSide side, FvFrame *frame, FvFrame **prepared,
                                FvError *error);

/* Accepts NULL and a pointer to NULL. */
FV_API void fv_preparer_close(FvPreparer **preparer);

#ifdef __cplusplus
}
#endif

#endif
