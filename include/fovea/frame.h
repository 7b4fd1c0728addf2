/*
 * Frames: their format, and their samples in memory.
 *
 * A program that makes a gray frame:
 *
 *     FvError error = {0};
 *     FvFrame *frame = NULL;
 *     const FvFormat format = {.width = 64, .height = 36, .chroma = FV_CHROMA_400, .depth = 8};
 *     FvStatus status = fv_frame_alloc(&frame, &format, &error);
 *     for (int y = 0; !status && y < format.height; y++)
 *         for (int x = 0; x < format.width; x++)
 *             frame->data[0][y * frame->stride[0] + x] = 128;
 *     fv_frame_unref(&frame);
 *
 * fv_frame_copy() makes a frame from planes that a program already has.
 */
#ifndef FOVEA_FRAME_H
#define FOVEA_FRAME_H

#include <fovea/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One of the two videos that are compared. */
typedef enum FvSide { FV_REFERENCE, FV_DISTORTED } FvSide;

typedef enum FvChroma {
    FV_CHROMA_400 = 0, /* luma only */
    FV_CHROMA_420,
    FV_CHROMA_422,
    FV_CHROMA_444,
    FV_CHROMA_RGB, /* full-range R', G' and B' planes of equal size */
    /* Sources and frames have these formats, but no session compares them: FV_CONVERT_CHROMA makes another. */
    FV_CHROMA_411, /* a chroma sample for four luma samples of a row */
    FV_CHROMA_440, /* a chroma sample for two luma samples of a column */
    FV_CHROMA_410, /* a chroma sample for four by four luma samples */
} FvChroma;

typedef enum FvRange {
    FV_RANGE_UNKNOWN = 0,
    FV_RANGE_LIMITED, /* luma 16..235 at 8 bits, multiplied by 2^(depth - 8) at other depths */
    FV_RANGE_FULL,
} FvRange;

/*
 * The position of a chroma sample among the luma samples that share it. The vertical position matters for 4:2:0,
 * 4:4:0 and 4:1:0 only.
 */
typedef enum FvSiting {
    FV_SITING_UNKNOWN = 0,
    FV_SITING_LEFT,   /* in the column of the left luma sample, between two rows */
    FV_SITING_CENTER, /* in the middle of the luma samples that share it */
    FV_SITING_TOPLEFT,
    FV_SITING_TOP,
    FV_SITING_BOTTOMLEFT,
    FV_SITING_BOTTOM,
} FvSiting;

#define FV_MAX_SIDE 32768 /* largest width and height of a frame, in luma samples */

/*
 * The format of a frame: planar Y'CbCr, or R'G'B' for metrics that accept it (FvMetricInfo.takes_rgb). Subsampled
 * chroma sizes are rounded up: an odd width W has (W+1)/2 chroma columns in 4:2:0. No sample may exceed 2^depth - 1.
 * The library's readers refuse files that break this rule, and a session refuses such frames in host memory
 * (FV_ERROR_INPUT) when they are first pushed. For frames in device memory the caller is responsible.
 */
typedef struct FvFormat {
    int width, height; /* luma samples, each in [1, FV_MAX_SIDE] */
    FvChroma chroma;
    int depth; /* bits per sample, [8, 16]. 8: one byte per sample; others: the low bits of 16-bit words in host order
                */
    FvRange range;
    int rate_num, rate_den; /* frames per second as a fraction; 0/0: unknown */
    /*
     * Colour, as code points of ITU-T H.273 in [0, 255]; 0, or 2 in a session: unknown. Metrics whose options are
     * "auto" follow it (docs/metrics).
     */
    int transfer;  /* transfer characteristics */
    int primaries; /* colour primaries */
    int matrix;    /* matrix coefficients */
    FvSiting siting;
    int peak; /* peak luminance of the mastering display, [0, 10000] cd/m2; 0: unknown */
} FvFormat;

/* Returns the number of planes: 1 for 4:0:0, else 3. */
FV_API int fv_format_planes(const FvFormat *format);

/*
 * Writes the size of one plane in samples. Plane 0 is luma, 1 Cb and 2 Cr; with FV_CHROMA_RGB they are red, green and
 * blue.
 */
FV_API void fv_format_plane_size(const FvFormat *format, int plane, int *width, int *height);

/* Returns the bytes per sample: 1 or 2. */
FV_API int fv_format_sample_bytes(const FvFormat *format);

/* Writes a description such as "1920x1080 4:2:0 10-bit limited 25/1 fps" to text, always terminated. Returns text. */
FV_API char *fv_format_describe(const FvFormat *format, char *text, size_t size);

typedef enum FvColourTag { FV_TAG_PRIMARIES = 0, FV_TAG_TRANSFER, FV_TAG_MATRIX } FvColourTag;

/*
 * Writes the name of a code point to text, always terminated: "bt709", "pq", ..., "unknown", or "code point N" if it
 * has no name. Returns text.
 */
FV_API char *fv_colour_name(FvColourTag tag, int code, char *text, size_t size);

/* Returns the code point for its name or for the text of a number from 1 to 255; -1: `name` is neither. */
FV_API int fv_colour_code(FvColourTag tag, const char *name);

/*
 * Returns the siting for "left", "center", "topleft", "top", "bottomleft" or "bottom"; FV_SITING_UNKNOWN for anything
 * else.
 */
FV_API FvSiting fv_siting_parse(const char *name);

/*
 * A frame with a reference count. Its samples must not change once it has been pushed. Reference counting is
 * thread-safe, and any number of threads may read the samples.
 */
typedef struct FvFrame {
    FvFormat format;
    uint8_t *data[3]; /* first sample of each plane, 64-byte aligned; NULL for planes the format lacks and in device
                         memory */
    ptrdiff_t stride[3]; /* bytes from one row to the next, a multiple of 64 */
} FvFrame;

/*
 * Makes a frame with uninitialised samples and one reference, which the caller owns. Rows are padded: the 64 bytes
 * after the last sample of each row are readable, have undefined values, and may change. FV_ERROR_USAGE: the format
 * is outside the ranges above. FV_ERROR_MEMORY: memory ran out.
 */
FV_API FvStatus fv_frame_alloc(FvFrame **frame, const FvFormat *format, FvError *error);

/*
 * Makes a frame with a copy of the caller's planes; strides are in bytes. Planes that the format lacks are ignored.
 * Fails as fv_frame_alloc() does.
 */
FV_API FvStatus fv_frame_copy(FvFrame **frame, const FvFormat *format, const void *const data[3],
                              const ptrdiff_t stride[3], FvError *error);

/*
 * Copies the caller's planes, as fv_frame_copy does, into a frame in host memory. The caller must have the only
 * reference to the frame, and the samples must not change afterwards. The samples are checked during the copy. If one
 * exceeds the depth, pushing the frame fails; otherwise pushing does not check them again. FV_ERROR_USAGE: the frame
 * is in device memory.
 */
FV_API FvStatus fv_frame_fill(FvFrame *frame, const void *const data[3], const ptrdiff_t stride[3], FvError *error);

/*
 * Recognises a layout with interleaved components by libav's name: nv12 nv21 nv16 nv24 nv42, p010 p012 p016 and p2..,
 * p4.., yuyv422 yvyu422 uyvy422, y210 y212, v210. A suffix "le" may follow the name of a layout with 16-bit words.
 * Fills chroma and depth of *format; format may be NULL. Returns false for other names and NULL.
 */
FV_API bool fv_raw_layout(const char *name, FvFormat *format);

/*
 * Returns the bytes of a row of plane 0 or 1 of a layout, for frames of this width in luma samples; 0: the layout or
 * plane is unknown, or the width is outside [1, FV_MAX_SIDE].
 */
FV_API size_t fv_raw_layout_row(const char *name, int width, int plane);

/*
 * Fills a frame as fv_frame_fill() does, from interleaved components. `layout` is a name that fv_raw_layout()
 * recognises, with the frame's chroma format and depth. data and stride (bytes, of any sign) are the layout's own
 * planes: two for nv.. and p.., else one. Words of 16 bits are little-endian, with the samples in their high bits.
 * FV_ERROR_USAGE: the layout is unknown or does not fit the frame, the width is odd in a layout of one plane, or the
 * frame is in device memory. FV_ERROR_INPUT: a word is not a sample of that depth. The frame's samples are undefined
 * after an error.
 */
FV_API FvStatus fv_frame_fill_layout(FvFrame *frame, const char *layout, const void *const data[2],
                                     const ptrdiff_t stride[2], FvError *error);

/*
 * Fills a frame from full-range R'G'B', 0 to 2^depth - 1, by the rule for RGB of docs/scaling.md. data and stride
 * describe R, G and B; `step` is the distance of a component from pixel to pixel in bytes, in [-65536, 65536] but not
 * 0. Packed 8-bit RGBA has data {p, p + 1, p + 2} and step 4; planes have a step of one sample. A frame of
 * FV_CHROMA_RGB gets the samples unchanged. Any other frame must be limited-range 4:4:4, and its matrix selects the
 * coefficients: 1 (BT.709), 5 or 6 (BT.601), 9 (BT.2020). FV_ERROR_USAGE: the frame is neither, has another matrix or
 * is in device memory, or `step` is out of its range. FV_ERROR_INPUT: a sample exceeds the depth; the frame's samples
 * are then undefined.
 */
FV_API FvStatus fv_frame_fill_rgb(FvFrame *frame, const void *const data[3], const ptrdiff_t stride[3],
                                  ptrdiff_t step, FvError *error);

/*
 * Makes a frame over the caller's planes in host memory, without a copy. The planes must not change while the frame
 * exists; the padding is only read. Each plane must begin at a multiple of 64 bytes, its stride must be a multiple of
 * 64 and hold a row, and 64 bytes after the last sample of each row must be readable. FV_ERROR_USAGE: the format is
 * outside its ranges, or an address or a stride breaks this rule; the padding is not checked. `release` is required.
 * The library calls it once, in any thread, after the last reference is gone or when this call fails.
 */
FV_API FvStatus fv_frame_borrow(FvFrame **frame, const FvFormat *format, void *const data[3],
                                const ptrdiff_t stride[3], void (*release)(void *opaque), void *opaque,
                                FvError *error);

/*
 * Returns the Y'CbCr form of an RGB frame, for metrics that do not accept RGB; NULL: it has none. fv_pairs_read()
 * makes it with FV_RGB_BOTH, and fv_frame_set_ycbcr() sets it. It exists as long as the frame.
 */
FV_API FvFrame *fv_frame_ycbcr(const FvFrame *frame);

FV_API FvFrame *fv_frame_ref(FvFrame *frame);
FV_API void fv_frame_unref(FvFrame **frame);

/* An SMPTE time code. Its text needs at most FV_TIMECODE_TEXT bytes. */
#define FV_TIMECODE_TEXT 16
typedef struct FvTimecode {
    int64_t frame; /* number of frames since 00:00:00:00, [0, a day) */
    int base;      /* frame numbers per second, [1, 120]; 0: there is no time code */
    bool drop;     /* frame numbers are dropped to keep up with a clock */
} FvTimecode;

#ifdef __cplusplus
}
#endif

#endif
