/* Pictures: their format, and frames in memory. */
#ifndef FOVEA_FRAME_H
#define FOVEA_FRAME_H

#include <fovea/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which of the two videos, where there is one of each. */
typedef enum FvSide { FV_REFERENCE, FV_DISTORTED } FvSide;

typedef enum FvChroma {
    FV_CHROMA_400 = 0, /* luma only */
    FV_CHROMA_420,
    FV_CHROMA_422,
    FV_CHROMA_444,
    FV_CHROMA_RGB, /* the planes are R', G' and B', all of the same size, of full range */
} FvChroma;

typedef enum FvRange {
    FV_RANGE_UNKNOWN = 0,
    FV_RANGE_LIMITED, /* 16..235 at 8 bits, and so on */
    FV_RANGE_FULL,
} FvRange;

/* Where a chroma sample lies among the luma samples that share it. The vertical position matters for 4:2:0 only. */
typedef enum FvSiting {
    FV_SITING_UNKNOWN = 0,
    FV_SITING_LEFT,   /* in the column of the left luma sample, between two rows */
    FV_SITING_CENTER, /* between all of them */
    FV_SITING_TOPLEFT,
    FV_SITING_TOP,
    FV_SITING_BOTTOMLEFT,
    FV_SITING_BOTTOM,
} FvSiting;

#define FV_MAX_SIDE 32768 /* luma samples of the longest side of a picture */

/*
 * The format of a picture: planar Y'CbCr, or R'G'B' for metrics that take it (FvMetricInfo.takes_rgb). Subsampled
 * chroma sizes are rounded up: an odd width W has (W+1)/2 chroma columns. No sample exceeds 2^depth - 1. The
 * library's readers refuse files that break this rule, and a session refuses such frames in host memory
 * (FV_ERROR_INPUT) when they are first pushed. For frames in device memory the caller is responsible.
 */
typedef struct FvFormat {
    int width, height; /* luma samples, each in [1, FV_MAX_SIDE] */
    FvChroma chroma;
    int depth; /* bits per sample, [8, 16]. 8: one byte per sample; else the low bits of 16-bit words in host order */
    FvRange range;
    int rate_num, rate_den; /* frames per second as a fraction; 0/0: not known */
    /*
     * The colour, which metrics with options of "auto" follow (docs/metrics). Code points of ITU-T H.273 in [0, 255];
     * 0, or 2 in a session: not known.
     */
    int transfer;  /* transfer characteristics */
    int primaries; /* colour primaries */
    int matrix;    /* matrix coefficients */
    FvSiting siting;
    int peak; /* of the mastering display, [0, 10000] cd/m2; 0: not known */
} FvFormat;

/* The number of planes: 1 for 4:0:0, else 3. */
FV_API int fv_format_planes(const FvFormat *format);

/* The size of one plane in samples. Plane 0 is luma, 1 Cb, 2 Cr; of FV_CHROMA_RGB red, green and blue. */
FV_API void fv_format_plane_size(const FvFormat *format, int plane, int *width, int *height);

/* Bytes per sample: 1 or 2. */
FV_API int fv_format_sample_bytes(const FvFormat *format);

/* Writes "1920x1080 4:2:0 10-bit limited 25/1 fps" into text, always terminated. Returns text. */
FV_API char *fv_format_describe(const FvFormat *format, char *text, size_t size);

typedef enum FvColourTag { FV_TAG_PRIMARIES = 0, FV_TAG_TRANSFER, FV_TAG_MATRIX } FvColourTag;

/* Writes "bt709", "pq", ..., "unknown", or "code point N" for one without a name into text, always terminated.
 * Returns text. */
FV_API char *fv_colour_name(FvColourTag tag, int code, char *text, size_t size);

/* The code point of a name or of a number from 1 to 255 as text; -1: neither. */
FV_API int fv_colour_code(FvColourTag tag, const char *name);

/* "left", "center", "topleft", "top", "bottomleft", "bottom"; FV_SITING_UNKNOWN for anything else. */
FV_API FvSiting fv_siting_parse(const char *name);

/*
 * A picture with a reference count: planes in host memory. Its samples must not change once it has been pushed.
 * Reference counting is thread-safe, and any number of threads may read the samples.
 */
typedef struct FvFrame {
    FvFormat format;
    uint8_t *data[3];    /* first sample of each plane, 64-byte aligned; NULL for planes the format lacks */
    ptrdiff_t stride[3]; /* bytes from one row to the next, a multiple of 64 */
} FvFrame;

/*
 * A frame with uninitialised samples and reference count 1. Rows are padded: the 64 bytes after the last sample of
 * each row are readable, hold anything, and may change. FV_ERROR_USAGE: the format is outside the ranges above.
 * FV_ERROR_MEMORY: memory ran out.
 */
FV_API FvStatus fv_frame_alloc(FvFrame **frame, const FvFormat *format, FvError *error);

/* A frame with a copy of the caller's planes; strides in bytes. Planes that the format lacks are ignored. */
FV_API FvStatus fv_frame_copy(FvFrame **frame, const FvFormat *format, const void *const data[3],
                              const ptrdiff_t stride[3], FvError *error);

/*
 * Copies the caller's planes, as fv_frame_copy does, into a frame in host memory. Only the caller may hold the frame,
 * and its samples must not change afterwards. The samples are checked during the copy, so pushing the frame does not
 * check them again. FV_ERROR_USAGE: the frame is in device memory.
 */
FV_API FvStatus fv_frame_fill(FvFrame *frame, const void *const data[3], const ptrdiff_t stride[3], FvError *error);

/*
 * Layouts with interleaved components, by libav's names: nv12 nv21 nv16 nv24 nv42, p010 p012 p016 and p2.., p4..,
 * yuyv422 yvyu422 uyvy422, y210 y212, v210. A suffix "le" may follow those with 16-bit words. Fills chroma and depth
 * of *format; format may be NULL. False for other names and NULL.
 */
FV_API bool fv_raw_layout(const char *name, FvFormat *format);

/* Bytes of a row of plane 0 or 1 of a layout, for pictures of this width; 0: an unknown layout or plane. */
FV_API size_t fv_raw_layout_row(const char *name, int width, int plane);

/*
 * The same for interleaved components: `layout` is a name of fv_raw_layout(), of the frame's chroma format and depth.
 * data and stride (bytes, of any sign) are the layout's own planes: two for nv.. and p.., else one. Words of 16 bits
 * are in little-endian order, the samples in their high bits. FV_ERROR_USAGE: the layout does not fit the frame;
 * FV_ERROR_INPUT: a word is not a sample of that depth. The frame's samples are undefined after an error.
 */
FV_API FvStatus fv_frame_fill_layout(FvFrame *frame, const char *layout, const void *const data[2],
                                     const ptrdiff_t stride[2], FvError *error);

/*
 * The same for R'G'B' of full range, 0 to 2^depth - 1, by the rule for RGB of docs/scaling.md. data and stride are of
 * R, G and B; `step` is the distance of a component from pixel to pixel in bytes, in [-65536, 65536] but not 0.
 * Packed RGBA of 8 bits has data {p, p + 1, p + 2} and step 4; planes have a step of one sample. A frame of
 * FV_CHROMA_RGB gets the samples as they are. Else it is 4:4:4
 * of limited range; its matrix says by which coefficients: 1 (BT.709), 5 or 6 (BT.601), 9 (BT.2020). FV_ERROR_USAGE
 * for other frames. FV_ERROR_INPUT: a sample exceeds the depth; the frame's samples are then undefined.
 */
FV_API FvStatus fv_frame_fill_rgb(FvFrame *frame, const void *const data[3], const ptrdiff_t stride[3],
                                  ptrdiff_t step, FvError *error);

/*
 * A frame over the caller's planes in host memory, without a copy. They are aligned and padded as fv_frame_alloc does
 * it, or FV_ERROR_USAGE, and must not change while the frame lives; the padding is only read. `release` is required.
 * It is called when the last reference is gone, from any thread, and also when this call fails.
 */
FV_API FvStatus fv_frame_borrow(FvFrame **frame, const FvFormat *format, void *const data[3],
                                const ptrdiff_t stride[3], void (*release)(void *opaque), void *opaque,
                                FvError *error);

/*
 * The same picture as Y'CbCr, for metrics that take no RGB: of frames that fv_pairs_read made of RGB that is kept and
 * converted (FV_RGB_BOTH). NULL: there is none. It lives as long as the frame.
 */
FV_API FvFrame *fv_frame_ycbcr(const FvFrame *frame);

FV_API FvFrame *fv_frame_ref(FvFrame *frame);
FV_API void fv_frame_unref(FvFrame **frame);

/* SMPTE time code: numbers of frames, as text with FV_TIMECODE_TEXT bytes at most. */
#define FV_TIMECODE_TEXT 16
typedef struct FvTimecode {
    int64_t frame; /* how many frames it counts from 00:00:00:00 on, [0, a day) */
    int base;      /* numbers a second, [1, 120]; 0: there is no time code */
    bool drop;     /* numbers are dropped, so that they keep up with a clock */
} FvTimecode;

#ifdef __cplusplus
}
#endif

#endif
