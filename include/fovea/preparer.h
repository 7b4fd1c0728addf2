/* Preparers: they make the frames of two videos comparable for programs that push their own. */
#ifndef FOVEA_PREPARER_H
#define FOVEA_PREPARER_H

#include <fovea/score.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Scales, crops and converts frames as fv_score() does, with the same samples. Open a preparer, start the session
 * with its formats, and push the frames that it makes. docs/scaling.md describes each step.
 */
typedef struct FvPreparer FvPreparer;

/*
 * Opens a preparer for frames of these formats; reference NULL: there is none. It uses these members of `params`:
 * ignore_rate, ignore_range, ignore_colour, convert, crop and scale. `session`, which must not have been started,
 * records the decisions for its report; NULL: they are not recorded. The preparer uses the session's instruction set
 * and number of threads; the session need not outlive it. The caller closes *preparer. FV_ERROR_INPUT: the formats
 * cannot be compared. FV_ERROR_USAGE: a format is outside its ranges, a crop or a scale does not fit the formats, or
 * the session has been started.
 */
FV_API FvStatus fv_preparer_open(FvPreparer **preparer, FvSession *session, const FvFormat *reference,
                                 const FvFormat *distorted, const FvScoreParams *params, FvError *error);

/*
 * Returns the format of the prepared frames, for fv_session_start(). NULL: there is no reference. It belongs to the
 * preparer.
 */
FV_API const FvFormat *fv_preparer_format(const FvPreparer *preparer, FvSide side);

/*
 * Prepares one frame. The caller owns a reference to *prepared, which is the same frame if nothing has to change.
 * FV_ERROR_USAGE: the frame is in device memory, or there is no video on this side. FV_ERROR_INPUT: its size, chroma
 * format or depth differs from the format of its side, or a sample exceeds its depth.
 */
FV_API FvStatus fv_preparer_run(FvPreparer *preparer, FvSide side, FvFrame *frame, FvFrame **prepared,
                                FvError *error);

FV_API void fv_preparer_close(FvPreparer **preparer);

#ifdef __cplusplus
}
#endif

#endif
