#include "decoder.h"

#include <stdlib.h>
#include <string.h>

#include "gpu/decode/prores.h"
#include "guard.h"
#include "os/memory.h"
#include "picture/frame.h"
#include "prores/decode.h"
#include "prores/make.h"

enum { FRAMES = 4 }; /* frames that one launch decodes */

/* Copies the planes that the GPU decoded, including their padding, to a frame. */
static void take(FvFrame *frame, const uint8_t *bytes)
{
    for (int plane = 0; plane < 3; plane++) {
        int width, height;
        fv_format_plane_size(&frame->format, plane, &width, &height);
        memcpy(frame->data[plane], bytes, (size_t)frame->stride[plane] * (size_t)height);
        bytes += (size_t)frame->stride[plane] * (size_t)height;
    }
}

static bool has_signature(const FvFormat *format, int frame)
{
    return format->width >= 64 && format->height >= 36 && frame != 1;
}

static bool same_signature(const FvGpuProres *prores, int frame, const FvFrame *want)
{
    int32_t made[FV_SIGNATURE], wanted[FV_SIGNATURE];
    const FvLuma luma = fv_luma_of(want);
    fv_sample_make(wanted, &luma);
    fv_sample_take(made, &want->format, fv_gpu_prores_sums(prores, frame));
    return !memcmp(made, wanted, sizeof made);
}

static FvStatus decode_on(FvGpu *gpu, FvGpuProres *prores, const Maker *packets, int count,
                          const FvProresHeader *headers, FvGpuMemory *local, FvGpuMemory *host, size_t bytes,
                          FvError *error)
{
    const FvGpuOps *ops = gpu->ops;
    uint64_t ticket;
    FvStatus status = ops->begin(gpu, FV_GPU_COPY, error);
    for (int i = 0; i < count && !status; i++) {
        FvPlanes planes = {0};
        uint64_t address = local->address + bytes * (size_t)i;
        for (int plane = 0; plane < 3; plane++) {
            int width, height;
            fv_format_plane_size(&headers[i].format, plane, &width, &height);
            planes.data[plane] = address;
            planes.stride[plane] = (uint32_t)fv_format_stride(&headers[i].format, plane);
            address += (uint64_t)planes.stride[plane] * (uint32_t)height;
        }
        status =
            fv_gpu_prores_send(prores, i, &headers[i], packets[i].bytes, packets[i].used, NULL, 0, &planes, error);
        if (!status && has_signature(&headers[i].format, i))
            fv_gpu_prores_sign(prores, i, &headers[i].format, &planes);
    }
    if (!status)
        status = ops->submit(gpu, FV_GPU_COPY, &ticket, error);
    if (!status)
        status = ops->begin(gpu, FV_GPU_COMPUTE, error);
    if (status)
        return status;
    ops->after(gpu, FV_GPU_COMPUTE, FV_GPU_COPY, ticket);
    ops->fill(gpu, FV_GPU_COMPUTE, local, 0, bytes * (size_t)count, 0xaaaaaaaau);
    ops->barrier(gpu, FV_GPU_COMPUTE);
    fv_gpu_prores_record(prores);
    ops->barrier(gpu, FV_GPU_COMPUTE);
    ops->copy(gpu, FV_GPU_COMPUTE, host, 0, local, 0, bytes * (size_t)count);
    status = ops->submit(gpu, FV_GPU_COMPUTE, &ticket, error);
    return status ? status : ops->wait(gpu, FV_GPU_COMPUTE, ticket, error);
}

/* Compares frames of one shape. The first one is undamaged, the others have wrong bits in their slices. */
static void one_shape(Tap *tap, FvGpu *gpu, FvProresDecoder *decoder, Maker *random, const MakerFrame *shape,
                      int depth)
{
    Maker packets[FRAMES] = {{0}};
    FvProresHeader headers[FRAMES];
    FvError error = {0};
    char name[200], why[300] = "";
    for (int i = 0; i < FRAMES; i++) {
        packets[i].random = maker_random(random) | 1;
        maker_frame(&packets[i], shape);
        size_t slices = shape->matrices ? 164 : 36;
        for (int edits = 8 * i; edits && packets[i].used > slices + 600; edits--)
            packets[i].bytes[slices + 500 + maker_random(random) % (packets[i].used - slices - 500)] ^=
                (uint8_t)(1 << maker_random(random) % 8);
        if (fv_prores_parse(&headers[i], packets[i].bytes, packets[i].used, depth, &error)) {
            /* A wrong bit in the header of the second field makes the frame unusable, so an undamaged one replaces
             * it. */
            packets[i].used = 0;
            maker_frame(&packets[i], shape);
            fv_prores_parse(&headers[i], packets[i].bytes, packets[i].used, depth, &error);
        }
    }
    size_t bytes = FV_ROUND_UP(fv_format_plane_bytes(&headers[0].format), (size_t)256);
    FvGpuMemory local = {0}, host = {0};
    FvGpuProres *prores = NULL;
    guard_install(gpu);
    FvStatus status = gpu->ops->alloc(gpu, &local, bytes * FRAMES, FV_GPU_LOCAL, &error);
    if (!status)
        status = gpu->ops->alloc(gpu, &host, bytes * FRAMES, FV_GPU_HOST, &error);
    if (!status)
        status = fv_gpu_prores_open(&prores, gpu, FRAMES, &error);
    if (!status)
        status = decode_on(gpu, prores, packets, FRAMES, headers, &local, &host, bytes, &error);
    if (status)
        snprintf(why, sizeof why, "%.250s", error.message);
    int damaged = 0;
    for (int i = 0; i < FRAMES && !*why; i++) {
        Decoded want = decode_packet(decoder, packets[i].bytes, packets[i].used, depth), got = want;
        int count = fv_gpu_prores_damaged(prores, i, 0) + fv_gpu_prores_damaged(prores, i, 1);
        if (want.status)
            continue; /* without a valid slice, the GPU only counts the damage */
        damaged += count;
        fv_frame_alloc(&got.frame, &headers[i].format, NULL);
        take(got.frame, host.host + bytes * (size_t)i);
        if (count != want.damage.damaged)
            snprintf(why, sizeof why, "frame %d: %d damaged slices instead of %d", i, count, want.damage.damaged);
        else if (!decoded_same(&want, &got))
            snprintf(why, sizeof why, "frame %d: other samples", i);
        else if (has_signature(&want.frame->format, i) && !same_signature(prores, i, want.frame))
            snprintf(why, sizeof why, "frame %d: another signature", i);
        fv_frame_unref(&got.frame);
        decoded_free(&want);
    }
    fv_gpu_prores_close(&prores);
    gpu->ops->free(gpu, &local);
    gpu->ops->free(gpu, &host);
    guard_remove(gpu);
    if (guard_damaged && !*why)
        snprintf(why, sizeof why, "%d of %d blocks were written outside their bounds", guard_damaged, guard_checked);
    snprintf(name, sizeof name, "%s:%d prores %dx%d %s %d-bit%s slices of %d, %d damaged", gpu->ops->kind, gpu->index,
             shape->width, shape->height, shape->chroma_444 ? "4:4:4" : "4:2:2", depth,
             shape->interlaced ? " interlaced" : "", 1 << shape->log2_slice, damaged);
    tap_case(tap, !*why, name, why);
    for (int i = 0; i < FRAMES; i++)
        maker_free(&packets[i]);
}

void test_prores(Tap *tap, FvGpu *gpu, uint32_t seed, bool full)
{
    static const int sizes[][2] = {{1, 1}, {17, 33}, {130, 65}, {144, 48}, {200, 70}, {337, 211}, {720, 576}};
    FvProresDecoder *decoder = NULL;
    Maker random = {.random = seed | 1};
    if (fv_prores_open(&decoder, FV_ISA_SCALAR, 1, NULL))
        abort();
    for (int i = 0; i < (full ? 28 : 7); i++) {
        const int *size = sizes[i % (full ? 7 : 6)];
        MakerFrame shape = {.width = size[0],
                            .height = size[1],
                            .chroma_444 = i & 1,
                            .interlaced = i % 3 == 1,
                            .bottom_first = i & 4,
                            .matrices = i & 2,
                            .alpha_bits = i % 5 == 4 ? 16 : 0,
                            .log2_slice = 3 - i % 4,
                            .coefficients = 2 + 3 * i % 20,
                            .greatest = i % 4 ? 40 : 30000};
        one_shape(tap, gpu, decoder, &random, &shape, i % 2 ? 12 : 10);
    }
    fv_prores_close(&decoder);
}
