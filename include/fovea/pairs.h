/*
 * Pairs: random access to the pairs of frames that fv_score() compares. A program that reads one pair:
 *
 *     FvError error = {0};
 *     FvPairs *pairs = NULL;
 *     FvFrame *frames[2] = {NULL, NULL};
 *     FvStatus status = fv_pairs_open(&pairs, &(FvSourceParams){.path = "reference.mov"},
 *                                     &(FvSourceParams){.path = "distorted.mp4"}, &(FvScoreParams){0}, &error);
 *     if (!status)
 *         status = fv_pairs_read(pairs, 1000, frames, &error);
 *     fv_frame_unref(&frames[FV_REFERENCE]);
 *     fv_frame_unref(&frames[FV_DISTORTED]);
 *     fv_pairs_close(&pairs);
 *
 * The caller owns a reference to each frame.
 */
#ifndef FOVEA_PAIRS_H
#define FOVEA_PAIRS_H

#include <fovea/score.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The pairs of two files, prepared as fv_score() prepares them, for viewing scored frames; FvStill computes their
 * maps. Reading the next pair is fastest; for any other pair, decoding starts at a key frame (fv_source_seek()).
 * Pairs by content or by time are found from the indexes of the files; files whose packets lack the time of a frame
 * are read from their beginning instead. One thread at a time.
 */
typedef struct FvPairs FvPairs;

/*
 * Opens both files; reference may be NULL. The caller closes *pairs. It uses the members of `params` that choose,
 * pair and convert frames, and ignores `fields`; its alignment must outlive the pairs. FV_ERROR_USAGE: a path is
 * NULL, or parameters contradict each other or do not fit the videos. FV_ERROR_INPUT: a file cannot be read, the two
 * videos cannot be compared, or one is a pipe, which can be read only once.
 */
FV_API FvStatus fv_pairs_open(FvPairs **pairs, const FvSourceParams *reference, const FvSourceParams *distorted,
                              const FvScoreParams *params, FvError *error);

/* Describes the file of one side (FvSide); NULL: there is none. Valid until the next pair is read. */
FV_API const FvSourceInfo *fv_pairs_info(const FvPairs *pairs, int side);

/*
 * Reads the pair with this number, as fv_session_frame_number() returns it. frames[0] is the reference's, or NULL;
 * frames[1] is the distorted video's. The caller owns a reference to each. FV_END: the number is after the last pair.
 * FV_ERROR_USAGE: the number is below 0. FV_ERROR_INPUT: the frame has no pair, reading failed, or one of the files
 * has changed. Other pairs can be read after an error.
 */
FV_API FvStatus fv_pairs_read(FvPairs *pairs, int64_t number, FvFrame *frames[2], FvError *error);

/*
 * Sets the number of bytes of frames that a cache may keep, 0 at first, and empties the cache. It keeps the pairs
 * that are decoded between a key frame and the requested pair, so that reading backwards decodes them once instead of
 * once per request.
 */
FV_API void fv_pairs_set_cache(FvPairs *pairs, size_t bytes);

/*
 * Returns the nearest pair at or before `number` that is fast to read, since it is at a key frame of the distorted
 * video. The first call may have to list its packets. Returns `number` itself if all pairs are equally fast, or if
 * the key frames are unknown.
 */
FV_API int64_t fv_pairs_nearest_entry(FvPairs *pairs, int64_t number);

/* How a decoder other than fovea's, such as a browser's WebCodecs, is set up for one side. */
typedef struct FvCoding {
    char codec[64];             /* codec string of RFC 6381: "avc1.640028" */
    const uint8_t *description; /* set-up of the decoder (avcC, hvcC); NULL: the packets contain it */
    size_t description_size;
} FvCoding;

/* One packet of a side, undecoded. */
typedef struct FvPacket {
    const uint8_t *data;
    size_t size;
    int64_t number; /* number of the pair that its frame belongs to; -1: the frame belongs to none */
    bool key;       /* decoding can begin at it */
} FvPacket;

/*
 * Describes the packets of one side. *coding is valid until the pairs are closed. FV_ERROR_INPUT: another decoder's
 * frames would not be those of the pairs, since the frames are aligned, prepared or turned, or are not Y'CbCr 4:2:0
 * of 8 bits; or the reader has no packets of a codec with such a name. FV_ERROR_USAGE: the side has no file.
 */
FV_API FvStatus fv_pairs_coding(FvPairs *pairs, int side, FvCoding *coding, FvError *error);

/*
 * Reads a packet of one side: of those that a decoder needs for pair `number`, in their order, the one after `passed`
 * others. Reading the next packet is fastest. *packet is valid until the next call for this side. FV_END: there is no
 * such packet or pair. FV_ERROR_INPUT: as for fv_pairs_coding(), the packets lack times, reading failed, or the file
 * has changed. FV_ERROR_USAGE: the side has no file, or a number is below 0.
 */
FV_API FvStatus fv_pairs_packet(FvPairs *pairs, int side, int64_t number, int64_t passed, FvPacket *packet,
                                FvError *error);

FV_API void fv_pairs_close(FvPairs **pairs);

#ifdef __cplusplus
}
#endif

#endif
