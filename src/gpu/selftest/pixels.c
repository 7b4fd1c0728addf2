#include "gpu/selftest/pixels.h"

#include <math.h>
#include <string.h>

#include "gpu/pixels.h"
#include "picture/frame.h"

#define U8 FV_SAMPLE_UINT8
#define U16 FV_SAMPLE_UINT16
#define F16 FV_SAMPLE_FLOAT16
#define F32 FV_SAMPLE_FLOAT32
#define F64 FV_SAMPLE_FLOAT64

/* Every type, order, rounding and matrix; with alpha and without; ties and ranges that do not begin at 0; odd sizes.
 */
const FvGpuPixels fv_gpu_pixel_arrays[] = {
    {67, 5, FV_GPU_PACKED, U8, 3, 8, 1, 0, 0, FV_ROUND_NEAREST, false},
    {516, 3, FV_GPU_PLANES, U8, 3, 8, 0, 0, 0, FV_ROUND_NEAREST, false},
    {66, 6, FV_GPU_MIRRORED, U8, 4, 8, 9, 0, 0, FV_ROUND_NEAREST, false},
    {1, 1, FV_GPU_PLANES, U16, 3, 16, 1, 0, 0, FV_ROUND_NEAREST, false},
    {131, 4, FV_GPU_PACKED, U16, 4, 16, 5, 0, 0, FV_ROUND_NEAREST, false},
    {70, 3, FV_GPU_MIRRORED, U16, 3, 10, 6, 0, 0, FV_ROUND_NEAREST, false},
    {65, 7, FV_GPU_PACKED, U16, 4, 12, 1, 0, 0, FV_ROUND_NEAREST, true},
    {67, 5, FV_GPU_PACKED, F16, 3, 8, 1, 0, 1, FV_ROUND_NEAREST, false},
    {129, 4, FV_GPU_PLANES, F16, 4, 10, 9, -1, 1, FV_ROUND_HALF_UP, false},
    {64, 5, FV_GPU_MIRRORED, F16, 3, 16, 0, 0, 1, FV_ROUND_FLOOR, false},
    {130, 6, FV_GPU_PLANES, F32, 3, 8, 1, 0, 255, FV_ROUND_NEAREST, false},
    {67, 6, FV_GPU_PACKED, F32, 3, 8, 6, 0, 255, FV_ROUND_HALF_UP, false},
    {67, 4, FV_GPU_PACKED, F32, 4, 16, 9, 0, 65535, FV_ROUND_FLOOR, false},
    {515, 3, FV_GPU_MIRRORED, F32, 3, 12, 1, -0.25, 1.75, FV_ROUND_NEAREST, false},
    {33, 9, FV_GPU_PACKED, F64, 3, 16, 1, 0, 1, FV_ROUND_NEAREST, false},
    {34, 9, FV_GPU_PLANES, F64, 4, 9, 5, -3, 0.1, FV_ROUND_HALF_UP, false},
    {35, 5, FV_GPU_PLANES, F32, 3, 8, 1, 0, 1, FV_ROUND_FLOOR, true},
    {0},
};

static uint32_t next(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Writes a sample of the array's range; `bad`: one outside it, or infinity or NaN. */
static void write_sample(uint8_t *to, const FvGpuPixels *array, uint32_t *state, bool bad)
{
    const uint32_t number = next(state);
    const double span = array->highest - array->lowest;
    /* A quarter of the values is the middle between two codes or a code, and the others are any numbers. */
    const uint32_t codes = 2u * ((1u << array->depth) - 1);
    const double share = number & 3 ? (double)number / 16777215. : (double)(next(state) % (codes + 1)) / codes;
    const double inside = fmin(array->lowest + share * span, array->highest);
    const double value = bad ? (number & 1 ? (double)NAN : array->highest + span) : inside;
    const float single = (float)value;
    const uint16_t half = (uint16_t)(number % 0x3c01 | (array->lowest < 0 && number & 1 << 20 ? 0x8000 : 0));
    const uint16_t word = (uint16_t)(number & ((1u << array->depth) - 1));
    if (array->type == FV_SAMPLE_UINT8)
        *to = (uint8_t)number;
    else if (array->type == FV_SAMPLE_UINT16)
        memcpy(to, bad ? &(uint16_t){0xffff} : &word, sizeof word);
    else if (array->type == FV_SAMPLE_FLOAT16)
        memcpy(to, &half, sizeof half);
    else if (array->type == FV_SAMPLE_FLOAT32)
        memcpy(to, &single, sizeof single);
    else
        memcpy(to, &value, sizeof value);
}

/* Describes the array, and fills its memory. Returns the number of its bytes before the first pixel. */
static size_t lay_out(FvPixels *pixels, const FvGpuPixels *array, uint8_t *memory, size_t bytes, uint32_t *state)
{
    const int64_t sample = fv_pixels_bytes(pixels), packed = sample * array->components;
    const int64_t row = array->order == FV_GPU_PLANES ? sample * (array->width + 3) : packed * array->width + sample;
    const size_t samples = bytes / (size_t)sample;
    for (size_t i = 0; i < samples; i++)
        write_sample(memory + i * (size_t)sample, array, state,
                     array->bad && i > samples / 2 && next(state) % 7 == 0);
    if (array->order == FV_GPU_PLANES) {
        pixels->row = row;
        pixels->pixel = sample;
        pixels->component = row * array->height;
        return (size_t)sample;
    }
    const int64_t sign = array->order == FV_GPU_MIRRORED ? -1 : 1;
    pixels->row = sign * row;
    pixels->pixel = sign * packed;
    pixels->component = sample;
    return (size_t)(sign < 0 ? row * (array->height - 1) + packed * (array->width - 1) : 0);
}

static FvStatus end(FvGpu *gpu, FvError *error)
{
    uint64_t ticket;
    FvStatus status = gpu->ops->submit(gpu, FV_GPU_COMPUTE, &ticket, error);
    return status ? status : gpu->ops->wait(gpu, FV_GPU_COMPUTE, ticket, error);
}

static FvStatus move(FvGpu *gpu, const FvGpuMemory *to, const FvGpuMemory *from, size_t bytes, FvError *error)
{
    FvStatus status = gpu->ops->begin(gpu, FV_GPU_COMPUTE, error);
    if (status)
        return status;
    gpu->ops->copy(gpu, FV_GPU_COMPUTE, to, 0, from, 0, bytes);
    return end(gpu, error);
}

/* Compares a frame on the device with one in host memory. false: *status is a failure, or `why` has a difference. */
static bool is_same(FvGpu *gpu, const FvFrame *made, const FvFrame *want, FvStatus *status, char *why, size_t size)
{
    FvGpuMemory host = {0};
    FvError error;
    const FvFormat *format = &want->format;
    const int bytes = fv_format_sample_bytes(format);
    *status = gpu->ops->alloc(gpu, &host, fv_format_plane_bytes(format), FV_GPU_HOST, &error);
    if (!*status)
        *status = move(gpu, &host, fv_frame_place(made)->memory, host.bytes, &error);
    if (*status)
        snprintf(why, size, "%s", error.message);
    bool same = !*status;
    for (int plane = 0; plane < 3 && same; plane++)
        for (int y = 0; y < format->height && same; y++) {
            const uint8_t *got = host.host +
                                 (fv_frame_place(made)->address[plane] - fv_frame_place(made)->address[0]) +
                                 (size_t)y * (size_t)made->stride[plane];
            const uint8_t *row = want->data[plane] + y * want->stride[plane];
            same = !memcmp(got, row, (size_t)format->width * (size_t)bytes);
            for (int x = 0; x < format->width && !same && !*why; x++)
                if (memcmp(got + x * bytes, row + x * bytes, (size_t)bytes))
                    snprintf(why, size, "%dx%d of %d bits, %s: plane %d, column %d, row %d is %02x%02x, not %02x%02x",
                             format->width, format->height, format->depth, fv_chroma_name(format->chroma), plane, x,
                             y, bytes > 1 ? got[x * bytes + 1] : 0, got[x * bytes],
                             bytes > 1 ? row[x * bytes + 1] : 0, row[x * bytes]);
        }
    gpu->ops->free(gpu, &host);
    return same;
}

FvTestVerdict fv_gpu_verify_array(FvGpu *gpu, const FvGpuPixels *array, uint32_t seed, char *why, size_t size)
{
    const FvFormat format = {
        .width = array->width, .height = array->height, .chroma = FV_CHROMA_RGB, .depth = array->depth};
    FvPixels pixels = {.components = array->components,
                       .type = array->type,
                       .rounding = array->rounding,
                       .lowest = array->lowest,
                       .highest = array->highest,
                       .background = 0x80ff03};
    if (fv_pixels_are_real(&pixels) && !gpu->info.float64)
        return FV_TEST_SAME;
    const size_t bytes = (size_t)fv_pixels_bytes(&pixels) * (size_t)(array->width + 4) * (size_t)(array->height + 1) *
                         (size_t)array->components;
    FvGpuStore *store = fv_gpu_store_open(gpu);
    FvGpuRefused refused = {.local = {0}};
    FvGpuMemory host = {0}, local = {0};
    FvFrame *made = NULL, *want = NULL;
    FvError error = {0}, refusal = {0};
    FvStatus status = store ? gpu->ops->alloc(gpu, &host, bytes, FV_GPU_HOST, &error) : FV_ERROR_MEMORY;
    if (!status)
        status = gpu->ops->alloc(gpu, &local, bytes, FV_GPU_LOCAL, &error);
    const size_t first = status ? 0 : lay_out(&pixels, array, host.host, bytes, &seed);
    if (!status)
        status = move(gpu, &local, &host, bytes, &error);
    FvStatus wanted = FV_OK, got = FV_OK;
    if (!status) {
        pixels.address = (uint64_t)(uintptr_t)host.host + first;
        wanted = fv_pixels_make(&want, &format, &pixels, array->matrix, &refusal);
        pixels.address = local.address + first;
        got = fv_gpu_pixels_make(gpu, store, &refused, &made, &format, &pixels, array->matrix, &error);
        status = got && !array->bad ? got : FV_OK;
    }
    bool good = !status && got == wanted;
    if (status)
        snprintf(why, size, "%s", error.message);
    else if (!good)
        snprintf(why, size, "%s: '%s' instead of '%s'", array->bad ? "bad pixels" : "pixels", error.message,
                 refusal.message);
    if (good && made)
        good = is_same(gpu, made, want, &status, why, size);
    if (good && made && array->matrix)
        good = is_same(gpu, fv_frame_ycbcr(made), fv_frame_ycbcr(want), &status, why, size);
    fv_frame_unref(&made);
    fv_frame_unref(&want);
    fv_gpu_store_close(&store);
    fv_gpu_refused_free(gpu, &refused);
    gpu->ops->free(gpu, &host);
    gpu->ops->free(gpu, &local);
    return status ? FV_TEST_UNTESTED : good ? FV_TEST_SAME : FV_TEST_DIFFERS;
}

FvTestVerdict fv_gpu_verify_pixels(FvGpu *gpu, int number, char *why, size_t size)
{
    const FvGpuPixels *array = &fv_gpu_pixel_arrays[number];
    return array->width ? fv_gpu_verify_array(gpu, array, 1, why, size) : FV_TEST_REFUSES;
}
