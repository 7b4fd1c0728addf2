/* Pairs of frames by number. */
#ifndef FOVEA_PAIRS_H
#define FOVEA_PAIRS_H

#include <fovea/score.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Random access to the pairs of frames of two files, as fv_score compares them: for viewing scored frames, with
 * FvStill for their maps. Reading the next pair is fastest; for any other, decoding starts at a key frame
 * (fv_source_seek). Pairs by content or by time are found from indexes; files whose packets do not say when every
 * frame is shown are read from their beginning instead. One thread at a time.
 */
typedef struct FvPairs FvPairs;

/*
 * Opens both files; reference may be NULL. Of `params`, the choice of frames and their conversion count, and
 * `fields` does not; its alignment must outlive the pairs. FV_ERROR_INPUT: the two do not fit together, or one is a
 * pipe, which can be read only once.
 */
FV_API FvStatus fv_pairs_open(FvPairs **pairs, const FvSourceParams *reference, const FvSourceParams *distorted,
                              const FvScoreParams *params, FvError *error);

/* Describes one of the files (FvSide); NULL: there is none. Valid until the next pair is read. */
FV_API const FvSourceInfo *fv_pairs_info(const FvPairs *pairs, int side);

/*
 * The pair with this number, as fv_session_frame_number() counts: frames[0] of the reference, or NULL, and frames[1]
 * of the distorted video. The caller owns a reference to each. FV_END: the number is beyond the last pair.
 * FV_ERROR_INPUT: the frame has no pair, reading failed, or one of the files has changed. Other pairs can be read
 * after an error.
 */
FV_API FvStatus fv_pairs_read(FvPairs *pairs, int64_t number, FvFrame *frames[2], FvError *error);

/*
 * Keeps up to this many bytes of frames for walking backwards: the pairs that are decoded on the way from a key frame
 * to the requested one. The frames after a key frame are then decoded once and not once per request. The default is
 * 0.
 */
FV_API void fv_pairs_keep(FvPairs *pairs, size_t bytes);

/*
 * The nearest pair, this one or an earlier one, that can be reached fast: at a key frame of the distorted video. The
 * first call may have to list its packets. Returns the number itself where all pairs are equally fast, or when
 * nothing is known.
 */
FV_API int64_t fv_pairs_near(FvPairs *pairs, int64_t number);

FV_API void fv_pairs_close(FvPairs **pairs);

#ifdef __cplusplus
}
#endif

#endif
