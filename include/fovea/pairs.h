/*
 * Pairs of frames by number.
 *
 */
#ifndef FOVEA_PAIRS_H
#define FOVEA_PAIRS_H

#include <fovea/score.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Two files of which any pair of frames can be asked for, as fv_score would compare it: for looking at what was
 * scored, with FvStill for its maps. A pair that follows the one before is the fastest; for others the files are
 * entered at a key frame (fv_source_seek). Which frames are pairs by content or by time is found from indexes; files
 * whose packets do not tell when every frame is shown are read from their beginning instead. One thread at a time.
 */
typedef struct FvPairs FvPairs;

/*
 * Opens both files; reference may be NULL. Of `params`, what decides which frames are compared and what is done to
 * them counts; its alignment must outlive the pairs. FV_ERROR_INPUT when the two do not fit, and for pipes, which
 * can be read only once.
 */
FV_API FvStatus fv_pairs_open(FvPairs **pairs, const FvSourceParams *reference, const FvSourceParams *distorted,
                              const FvScoreParams *params, FvError *error);

/* Of one of the files, side 0 the reference; NULL when there is none. Valid until the next pair is read. */
FV_API const FvSourceInfo *fv_pairs_info(const FvPairs *pairs, int side);

/*
 * The pair of this number, as fv_session_frame_number() counts: frames[0] is of the reference, or NULL, and
 * frames[1] of the distorted video. The caller owns a reference of each. FV_END behind the last pair; FV_ERROR_INPUT
 * for a frame without a pair, when reading fails, and once somebody has written into one of the files. After an error
 * of one pair others can be asked for.
 */
FV_API FvStatus fv_pairs_read(FvPairs *pairs, int64_t number, FvFrame *frames[2], FvError *error);

/*
 * From now on, when a pair a few numbers before the last one is asked for, those in front of it that are decoded
 * anyway are kept, up to this many bytes of frames: walking backwards decodes what lies behind a key frame once and
 * not once for each frame. 0, as at first: none are.
 */
FV_API void fv_pairs_keep(FvPairs *pairs, size_t bytes);

/*
 * The nearest pair up to this one that is reached fast: at a key frame of the distorted video, whose packets the
 * first call may have to list. The number itself where every pair is as fast or nothing else is known.
 */
FV_API int64_t fv_pairs_near(FvPairs *pairs, int64_t number);

FV_API void fv_pairs_close(FvPairs **pairs);

#ifdef __cplusplus
}
#endif

#endif
