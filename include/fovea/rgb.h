/* RGB frames that a program pushes, for metrics that accept RGB and for metrics that do not. */
#ifndef FOVEA_RGB_H
#define FOVEA_RGB_H

#include <fovea/session.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Fills a frame as fv_frame_fill_rgb() does, with alpha as the fourth component. The samples are blended over
 * `background`, 0xRRGGBB, as those of files with alpha are, before any conversion to Y'CbCr. A component s becomes
 * (alpha s + (peak - alpha) background) / peak, rounded to nearest.
 */
FV_API FvStatus fv_frame_fill_rgba(FvFrame *frame, const void *const data[4], const ptrdiff_t stride[4],
                                   ptrdiff_t step, int background, FvError *error);

/*
 * Gives an RGB frame its Y'CbCr variant. The call takes over the caller's reference to `ycbcr`, even if it fails,
 * unless an argument is NULL. If there are other references to *frame, it is replaced by a new frame over the same
 * samples. FV_ERROR_USAGE: the two differ in size, or `ycbcr` is RGB. FV_ERROR_MEMORY: memory ran out; the reference
 * to *frame is then released, too, and *frame is NULL.
 */
FV_API FvStatus fv_frame_set_ycbcr(FvFrame **frame, FvFrame *ycbcr, FvError *error);

/*
 * Starts a session, as fv_session_start() does, with the formats of the first pair, which must still be pushed. If
 * the frames have a Y'CbCr variant (fv_frame_ycbcr()), metrics that do not accept RGB get it, and all later pairs
 * must have it too. FV_ERROR_USAGE: only one of the two frames has it. Otherwise fails as fv_session_start() does.
 */
FV_API FvStatus fv_session_start_frames(FvSession *session, const FvFrame *reference, const FvFrame *distorted,
                                        FvError *error);

#ifdef __cplusplus
}
#endif

#endif
