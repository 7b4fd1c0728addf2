#include "pixels.h"

#include <string.h>

#include "bench/frame.h"
#include "fovea/fovea.h"
#include "fovea/pixels.h"
#include "gpu/selftest/pixels.h"
#include "guard.h"

enum { WIDTH = 67, HEIGHT = 35, FRAMES = 2 };

static void one_array(Tap *tap, FvGpu *gpu, const FvGpuPixels *array, uint32_t seed)
{
    char name[200], why[300] = "";
    guard_install(gpu);
    const bool good = fv_gpu_verify_array(gpu, array, seed, why, sizeof why) == FV_TEST_SAME;
    guard_remove(gpu);
    if (guard_damaged && good)
        snprintf(why, sizeof why, "%d of %d blocks were written outside their bounds", guard_damaged, guard_checked);
    snprintf(name, sizeof name, "%s:%d pixels %dx%d, order %d, type %d, %d components, %d bits%s", gpu->ops->kind,
             gpu->index, array->width, array->height, array->order, array->type, array->components, array->depth,
             array->bad ? ", refused" : "");
    tap_case(tap, good && !guard_damaged, name, why);
}

/* Makes a gray frame whose samples are the bytes of packed 16-bit pixels, with `peak` at least at one of them. */
static FvStatus make_array(FvFrame **array, uint32_t seed, unsigned peak, FvError *error)
{
    const FvFormat format = {.width = WIDTH * 3, .height = HEIGHT, .chroma = FV_CHROMA_400, .depth = 16};
    FvStatus status = fv_frame_alloc(array, &format, error);
    for (int y = 0; y < HEIGHT && !status; y++)
        for (int x = 0; x < WIDTH * 3; x++) {
            seed = seed * 1664525u + 1013904223u;
            ((uint16_t *)(void *)((*array)->data[0] + y * (*array)->stride[0]))[x] =
                (uint16_t)(y == 20 && x == 34 ? peak : seed >> 22);
        }
    return status;
}

/* Describes the pixels in a frame of make_array(), in host memory or on a device. */
static FvPixels pixels_of(const FvFrame *array)
{
    FvDeviceFrame where;
    const bool local = fv_frame_device(array, &where);
    return (FvPixels){.address = local ? where.address[0] : (uint64_t)(uintptr_t)array->data[0],
                      .row = array->stride[0],
                      .pixel = 6,
                      .component = 2,
                      .components = 3,
                      .type = FV_SAMPLE_UINT16};
}

static const FvFormat rgb = {.width = WIDTH, .height = HEIGHT, .chroma = FV_CHROMA_RGB, .depth = 10};

static FvStatus push_pair(FvSession *session, bool on_device, int number, FvError *error)
{
    FvFrame *pair[2] = {NULL, NULL};
    FvStatus status = FV_OK;
    for (int i = 0; i < 2 && !status; i++) {
        FvFrame *array = NULL, *local = NULL;
        status = make_array(&array, (uint32_t)(2 * number + i), 1023, error);
        if (!status && on_device)
            status = bench_frame(session, &local, array, RESIDENT, error);
        if (!status) {
            const FvPixels pixels = pixels_of(local ? local : array);
            status = fv_frame_from_pixels(&pair[i], on_device ? session : NULL, &rgb, &pixels, 1, error);
        }
        fv_frame_unref(&local);
        fv_frame_unref(&array);
    }
    if (!status && !number)
        status = fv_session_start_frames(session, pair[0], pair[1], error);
    if (!status)
        status = fv_session_push(session, number, pair[0], pair[1], error);
    fv_frame_unref(&pair[0]);
    fv_frame_unref(&pair[1]);
    return status;
}

/* Refuses a sample that exceeds the depth, and pixels at odd addresses. */
static bool refuses(FvSession *session, FvError *error)
{
    FvFrame *array = NULL, *local = NULL, *frame = NULL;
    bool good = !make_array(&array, 1, 1024, error) && !bench_frame(session, &local, array, RESIDENT, error);
    if (good) {
        FvPixels pixels = pixels_of(local);
        good = fv_frame_from_pixels(&frame, session, &rgb, &pixels, 1, error) == FV_ERROR_INPUT && !frame &&
               strstr(error->message, "green of column 11, row 20") && strstr(error->message, "exceeds 10 bits");
        pixels.address++;
        good = good && fv_frame_from_pixels(&frame, session, &rgb, &pixels, 1, error) == FV_ERROR_USAGE && !frame;
    }
    fv_frame_unref(&local);
    fv_frame_unref(&array);
    return good;
}

/* Metrics get the Y'CbCr variant of RGB on the device, with the scores of the same pixels in host memory. */
static void score_pixels(Tap *tap, FvGpu *gpu)
{
    FvSession *sessions[2] = {NULL, NULL};
    char name[128], device[32];
    FvError error = {0};
    FvStatus status = FV_OK;
    bool refused = false;
    snprintf(device, sizeof device, "%s:%d", gpu->ops->kind, gpu->index);
    for (int i = 0; i < 2 && !status; i++) {
        status =
            fv_session_open(&sessions[i], &(FvSessionParams){.device = i ? device : "cpu", .threads = 1}, &error);
        if (!status)
            status = fv_session_add(sessions[i], "psnr", &error);
        for (int number = 0; number < FRAMES && !status; number++)
            status = push_pair(sessions[i], i, number, &error);
        if (!status && i)
            refused = refuses(sessions[i], &error);
        if (!status)
            status = fv_session_finish(sessions[i], &error);
    }
    bool equal = !status;
    for (int frame = 0; frame < FRAMES; frame++)
        for (int output = 0; output < 3 && equal; output++)
            equal = fv_session_value(sessions[0], frame, output) == fv_session_value(sessions[1], frame, output);
    fv_session_close(&sessions[0]);
    fv_session_close(&sessions[1]);
    snprintf(name, sizeof name, "%s scores pixels in its own memory", device);
    tap_case(tap, equal && refused, name, error.message);
}

void test_pixels(Tap *tap, FvGpu *gpu, uint32_t seed)
{
    for (const FvGpuPixels *array = fv_gpu_pixel_arrays; array->width; array++)
        one_array(tap, gpu, array, seed++);
    score_pixels(tap, gpu);
}
