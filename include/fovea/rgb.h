/*
 * Frames of RGB that a program pushes, for metrics that take RGB and for those that do not. fovea.h does not include
 * it.
 */
#ifndef FOVEA_RGB_H
#define FOVEA_RGB_H

#include <fovea/session.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * fv_frame_fill_rgb() with alpha, the fourth component: the samples lie over `background`, 0xRRGGBB, as files with
 * alpha do, before they become Y'CbCr. A component s becomes (alpha s + (peak - alpha) background) / peak, to the
 * nearest.
 */
FV_API FvStatus fv_frame_fill_rgba(FvFrame *frame, const void *const data[4], const ptrdiff_t stride[4],
                                   ptrdiff_t step, int background, FvError *error);

/*
 * Gives a frame the same picture as Y'CbCr, and takes over the reference to `ycbcr`, also on failure. Where others
 * hold *frame, it is replaced by a frame over the same samples. FV_ERROR_USAGE: the two differ in size, or `ycbcr` is
 * RGB.
 */
FV_API FvStatus fv_frame_set_ycbcr(FvFrame **frame, FvFrame *ycbcr, FvError *error);

/*
 * fv_session_start() by the formats of a first pair, which is still to be pushed. Where the frames have Y'CbCr
 * (fv_frame_ycbcr), metrics that take no RGB get that, and all pairs must have it.
 */
FV_API FvStatus fv_session_start_frames(FvSession *session, const FvFrame *reference, const FvFrame *distorted,
                                        FvError *error);

#ifdef __cplusplus
}
#endif

#endif
