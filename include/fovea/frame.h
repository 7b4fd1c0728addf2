/* Pictures: their format, and frames in memory. */
#ifndef FOVEA_FRAME_H
#define FOVEA_FRAME_H

#include <fovea/error.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum FvChroma {
    FV_CHROMA_400 = 0, /* luma only */
    FV_CHROMA_420,
    FV_CHROMA_422,
    FV_CHROMA_444,
} FvChroma;

typedef enum FvRange {
    FV_RANGE_UNKNOWN = 0,
    FV_RANGE_LIMITED, /* 16..235 at 8 bits, and so on */
    FV_RANGE_FULL,
} FvRange;

/* Where a chroma sample lies among the luma samples that share it. Vertically it matters for 4:2:0 only. */
typedef enum FvSiting {
    FV_SITING_UNKNOWN = 0,
    FV_SITING_LEFT,   /* beside: in the column of the left luma sample, between two rows */
    FV_SITING_CENTER, /* between all of them */
    FV_SITING_TOPLEFT,
    FV_SITING_TOP,
    FV_SITING_BOTTOMLEFT,
    FV_SITING_BOTTOM,
} FvSiting;

/*
 * What a picture is. Samples never exceed 2^depth - 1: the readers of this library refuse a file in which they do,
 * and a session refuses a frame in host memory (FV_ERROR_INPUT) when it is pushed for the first time. Of frames in a
 * device's memory the caller sees to it. Planar Y'CbCr, chroma sizes rounded up: an odd width W has (W+1)/2 chroma
 * columns when subsampled.
 */
typedef struct FvFormat {
    int width, height; /* luma samples, each in [1, 32768] */
    FvChroma chroma;
    int depth; /* bits per sample, [8, 16]. 8: one byte a sample; else 16-bit words in host order, low bits */
    FvRange range;
    int rate_num, rate_den; /* frames per second as a fraction; 0/0 when not known */
    /* Code points of ITU-T H.273 in [0, 255]; 0 when not known. */
    int transfer;  /* transfer characteristics */
    int primaries; /* colour primaries */
    int matrix;    /* matrix coefficients */
    FvSiting siting;
} FvFormat;

/* Number of planes: 1 for 4:0:0, else 3. */
FV_API int fv_format_planes(const FvFormat *format);

/* Size of one plane in samples. Plane 0 is luma, 1 Cb, 2 Cr. */
FV_API void fv_format_plane_size(const FvFormat *format, int plane, int *width, int *height);

/* Bytes per sample: 1 or 2. */
FV_API int fv_format_sample_bytes(const FvFormat *format);

/* "1920x1080 4:2:0 10-bit limited 25/1 fps" into text, always terminated. Returns text. */
FV_API char *fv_format_describe(const FvFormat *format, char *text, size_t size);

typedef enum FvColourTag { FV_TAG_PRIMARIES = 0, FV_TAG_TRANSFER, FV_TAG_MATRIX } FvColourTag;

/* "bt709", "pq", ..., "unknown", or "code point N" when it has no name here, into text, always terminated. Returns
 * text. */
FV_API char *fv_colour_name(FvColourTag tag, int code, char *text, size_t size);

/* The code point of a name, or of a number from 1 to 255; -1 when there is none. */
FV_API int fv_colour_code(FvColourTag tag, const char *name);

/* "left", "center", "topleft", "top", "bottomleft", "bottom"; FV_SITING_UNKNOWN for anything else. */
FV_API FvSiting fv_siting_parse(const char *name);

/*
 * A picture: planes in host memory, counted. Its samples must not change any more once it has been pushed.
 * Reference counting is thread-safe; the samples may be read by any number of threads.
 */
typedef struct FvFrame {
    FvFormat format;
    uint8_t *data[3];    /* first sample of each plane, 64-byte aligned; NULL for planes the format lacks */
    ptrdiff_t stride[3]; /* bytes from one row to the next, a multiple of 64 */
} FvFrame;

/*
 * A frame with uninitialised samples and reference count 1. Rows are padded: the 64 bytes after the last sample of
 * each row may be read, have any content, and need not keep it. Fails with FV_ERROR_USAGE for a format outside the
 * ranges above, FV_ERROR_MEMORY when memory runs out.
 */
FV_API FvStatus fv_frame_alloc(FvFrame **frame, const FvFormat *format, FvError *error);

/* A frame that is a copy of planes the caller owns. stride in bytes; planes the format lacks are ignored. */
FV_API FvStatus fv_frame_copy(FvFrame **frame, const FvFormat *format, const void *const data[3],
                              const ptrdiff_t stride[3], FvError *error);

/*
 * Copies planes of the caller's, as for fv_frame_copy, into a frame in host memory that only the caller has and does
 * not change afterwards. It looks at the samples on the way, which need not be looked at again when the frame is
 * pushed. FV_ERROR_USAGE for a frame in a device's memory.
 */
FV_API FvStatus fv_frame_fill(FvFrame *frame, const void *const data[3], const ptrdiff_t stride[3], FvError *error);

/*
 * A frame over planes of the caller's in host memory, which are not copied and do not change meanwhile. They lie and
 * are padded as those of fv_frame_alloc; the padding is only read. `release`, which is required, is called once
 * nobody has the frame any more, from any thread, and also when this fails: FV_ERROR_USAGE for planes that lie
 * otherwise.
 */
FV_API FvStatus fv_frame_borrow(FvFrame **frame, const FvFormat *format, void *const data[3],
                                const ptrdiff_t stride[3], void (*release)(void *opaque), void *opaque,
                                FvError *error);

FV_API FvFrame *fv_frame_ref(FvFrame *frame);
FV_API void fv_frame_unref(FvFrame **frame);

#ifdef __cplusplus
}
#endif

#endif
