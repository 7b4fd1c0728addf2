/* RGB frames from arrays of pixels, in host memory or in the memory of a session's device. */
#ifndef FOVEA_PIXELS_H
#define FOVEA_PIXELS_H

#include <fovea/session.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum FvSampleType {
    FV_SAMPLE_UINT8,
    FV_SAMPLE_UINT16,
    FV_SAMPLE_FLOAT16,
    FV_SAMPLE_FLOAT32,
    FV_SAMPLE_FLOAT64
} FvSampleType;

/* How a real number becomes one of the two codes between which it lies. */
typedef enum FvRounding { FV_ROUND_NEAREST, FV_ROUND_HALF_UP, FV_ROUND_FLOOR } FvRounding; /* nearest: ties to even */

/*
 * An array of R'G'B' pixels of full range, in any layout: for packed RGB, `component` is the bytes of a sample and
 * `pixel` three times as much; for planes, `component` is the bytes of a plane and `pixel` those of a sample.
 */
typedef struct FvPixels {
    uint64_t address; /* address of the first pixel's red: in host memory, or a CUdeviceptr or VkDeviceAddress */
    int64_t row, pixel, component; /* bytes from each row, pixel and component to the next, of any sign */
    int components;                /* 3, or 4 with alpha */
    FvSampleType type;
    FvRounding rounding;    /* how real numbers are rounded */
    double lowest, highest; /* values of code 0 and of code 2^depth - 1, in [-1e30, 1e30], at least 1e-30 apart */
    int background;         /* 0xRRGGBB, over which pixels with alpha are blended */
} FvPixels;

/*
 * Makes an RGB frame from pixels; the caller owns one reference. `format` has FV_CHROMA_RGB, with depth 8 for
 * FV_SAMPLE_UINT8, 9 to 16 for FV_SAMPLE_UINT16 and any for real numbers. A value v becomes the code
 * (v - lowest) / (highest - lowest) * (2^depth - 1), computed in binary64 from left to right and rounded; alpha and
 * Y'CbCr are those of fv_frame_fill_rgba(). matrix: the frame also gets a Y'CbCr variant (fv_frame_ycbcr()) by this
 * matrix, as fv_frame_fill_rgb() makes it; 0: none.
 *
 * session NULL: the pixels and the frame are in host memory. Otherwise both are in memory of the session's device,
 * which reads the pixels during the call: on CUDA after the work that was submitted to FvDeviceHandles.cuda_stream,
 * on other devices at once. Samples must be at multiples of their size there, and readable up to a multiple of 4
 * bytes. The frames have equal samples in both memories. FV_ERROR_USAGE: a member is outside its range, the format
 * does not fit, the session is on the CPU, or a real number is not from lowest to highest. FV_ERROR_INPUT: an integer
 * exceeds the depth. FV_ERROR_DEVICE: the device failed, or cannot compute this.
 */
FV_API FvStatus fv_frame_from_pixels(FvFrame **frame, FvSession *session, const FvFormat *format,
                                     const FvPixels *pixels, int matrix, FvError *error);

#ifdef __cplusplus
}
#endif

#endif
