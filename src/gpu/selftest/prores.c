#include "gpu/selftest/prores.h"

#include <string.h>

#include "base/error.h"
#include "gpu/decode/prores.h"
#include "gpu/planes.h"
#include "os/memory.h"
#include "picture/frame.h"
#include "picture/signature.h"

enum {
    FRAMES = 4,       /* number of frames that one launch decodes */
    UNTOUCHED = 0xaa, /* every byte of a frame before it is decoded */
    HEADERS = 700,    /* bytes at the start of a packet that are never damaged: headers and the slice table */
};

/*
 * Cases with both chroma formats and depths, every width of slices, fields in both orders, matrices, alpha, large
 * levels.
 */
const FvGpuProresCase fv_gpu_prores_cases[] = {
    {{.width = 130, .height = 65, .log2_slice = 3, .coefficients = 5, .greatest = 40}, 10, false},
    {{.width = 144,
      .height = 72,
      .chroma_444 = true,
      .interlaced = true,
      .log2_slice = 2,
      .coefficients = 8,
      .greatest = 30000},
     12,
     false},
    {{.width = 67,
      .height = 43,
      .interlaced = true,
      .bottom_first = true,
      .matrices = true,
      .log2_slice = 1,
      .coefficients = 11,
      .greatest = 40},
     10,
     true},
    {{.width = 33,
      .height = 40,
      .chroma_444 = true,
      .matrices = true,
      .alpha_bits = 16,
      .log2_slice = 0,
      .coefficients = 14,
      .greatest = 40},
     12,
     false},
    {{0}, 0, false},
};

typedef struct Case {
    const FvGpuProresCase *one;
    FvProresMaker packet[FRAMES];
    FvProresHeader header[FRAMES];
    FvGpuProres *prores;
    FvGpuMemory local, host; /* the decoded frames, `bytes` each, with the strides of fv_format_stride() */
    size_t bytes;
} Case;

static bool has_signature(const Case *c, int frame)
{
    return frame != 1 && c->one->shape.width >= 2 * FV_SIGNATURE_COLUMNS && c->one->shape.height >= FV_SIGNATURE_ROWS;
}

/*
 * Makes the packets, with wrong bits in all but the first. A packet that no decoder accepts is made again without
 * them.
 */
static FvStatus make_packets(Case *c, uint32_t seed, FvError *error)
{
    FvProresMaker random = {.random = seed | 1};
    FvStatus status = FV_OK;
    for (int i = 0; i < FRAMES && !status; i++) {
        FvProresMaker *packet = &c->packet[i];
        packet->random = fv_prores_maker_random(&random) | 1;
        fv_prores_maker_frame(packet, &c->one->shape);
        if (packet->failed)
            return fv_fail_memory(error, 2 * packet->room);
        for (int edits = 8 * i; edits && packet->used > HEADERS; edits--) {
            const size_t at = HEADERS + fv_prores_maker_random(&random) % (packet->used - HEADERS);
            packet->bytes[at] ^= (uint8_t)(1 << fv_prores_maker_random(&random) % 8);
        }
        if (fv_prores_parse(&c->header[i], packet->bytes, packet->used, c->one->depth, error)) {
            packet->used = 0;
            fv_prores_maker_frame(packet, &c->one->shape);
            status = fv_prores_parse(&c->header[i], packet->bytes, packet->used, c->one->depth, error);
        }
    }
    return status;
}

static FvStatus decode_on_gpu(Case *c, FvGpu *gpu, FvError *error)
{
    const FvGpuOps *ops = gpu->ops;
    uint64_t ticket = 0;
    FvStatus status = ops->begin(gpu, FV_GPU_COPY, error);
    if (status)
        return status;
    for (int i = 0; i < FRAMES && !status; i++) {
        FvPlanes planes = {0};
        fv_gpu_planes(&c->header[i].format, c->local.address + c->bytes * (size_t)i, &planes);
        if (c->one->luma_only)
            planes.data[1] = planes.data[2] = 0;
        status = fv_gpu_prores_send(c->prores, i, &c->header[i], c->packet[i].bytes, c->packet[i].used, NULL, 0,
                                    &planes, error);
        if (!status && has_signature(c, i))
            fv_gpu_prores_sign(c->prores, i, &c->header[i].format, &planes);
    }
    const bool open = status != FV_OK;
    if (!status)
        status = ops->submit(gpu, FV_GPU_COPY, &ticket, error);
    if (!status)
        status = ops->begin(gpu, FV_GPU_COMPUTE, error);
    if (status) {
        fv_gpu_settle(gpu, FV_GPU_COPY, open, ticket);
        return status;
    }
    ops->after(gpu, FV_GPU_COMPUTE, FV_GPU_COPY, ticket);
    ops->fill(gpu, FV_GPU_COMPUTE, &c->local, 0, c->local.bytes, UNTOUCHED * 0x01010101u);
    ops->barrier(gpu, FV_GPU_COMPUTE);
    fv_gpu_prores_record(c->prores);
    ops->barrier(gpu, FV_GPU_COMPUTE);
    ops->copy(gpu, FV_GPU_COMPUTE, &c->host, 0, &c->local, 0, c->local.bytes);
    status = ops->submit(gpu, FV_GPU_COMPUTE, &ticket, error);
    return status ? status : ops->wait(gpu, FV_GPU_COMPUTE, ticket, error);
}

static bool has_same_samples(const Case *c, int number, const FvFrame *want, char *why, size_t size)
{
    const uint8_t *got = c->host.host + c->bytes * (size_t)number;
    for (int plane = 0; plane < 3; plane++) {
        int width, height;
        const ptrdiff_t stride = fv_format_stride(&want->format, plane);
        fv_format_plane_size(&want->format, plane, &width, &height);
        for (int y = 0; y < height && (!plane || !c->one->luma_only); y++)
            for (int x = 0; x < width; x++) {
                uint16_t word, expected;
                memcpy(&word, got + y * stride + 2 * x, 2);
                memcpy(&expected, want->data[plane] + y * want->stride[plane] + 2 * x, 2);
                if (word == expected)
                    continue;
                snprintf(why, size, "frame %d, plane %d, column %d, row %d is %u instead of %u", number, plane, x, y,
                         word, expected);
                return false;
            }
        got += stride * height;
    }
    return true;
}

/* Compares a frame with that of scalar C. A frame without a valid slice has no samples to compare. */
static FvStatus compare_frame(const Case *c, FvProresDecoder *decoder, int i, int *damaged, char *why, size_t size,
                              FvError *error)
{
    const FvProresHeader *header = &c->header[i];
    const int count = fv_gpu_prores_damaged(c->prores, i, 0) + fv_gpu_prores_damaged(c->prores, i, 1);
    FvFrame *want = NULL;
    FvProresDamage damage = {0};
    FvStatus status = fv_frame_alloc(&want, &header->format, error);
    if (status)
        return status;
    for (int plane = 0; plane < 3; plane++) {
        int width, height;
        fv_format_plane_size(&header->format, plane, &width, &height);
        memset(want->data[plane], UNTOUCHED, (size_t)want->stride[plane] * (size_t)height);
    }
    status = fv_prores_decode(decoder, header, c->packet[i].bytes, c->packet[i].used, want, NULL, &damage, error);
    const FvLuma luma = fv_luma_of(want);
    int32_t made[FV_SIGNATURE], wanted[FV_SIGNATURE];
    if (!status && count != damage.damaged) {
        snprintf(why, size, "frame %d has %d damaged slices instead of %d", i, count, damage.damaged);
    } else if (!status && has_same_samples(c, i, want, why, size) && has_signature(c, i)) {
        fv_sample_make(wanted, &luma);
        fv_sample_take(made, &want->format, fv_gpu_prores_sums(c->prores, i));
        if (memcmp(made, wanted, sizeof made))
            snprintf(why, size, "frame %d has another signature", i);
    }
    *damaged += status ? 0 : count;
    fv_frame_unref(&want);
    return status == FV_ERROR_INPUT ? FV_OK : status;
}

FvTestVerdict fv_gpu_verify_prores_case(FvGpu *gpu, const FvGpuProresCase *one, uint32_t seed, int *damaged,
                                        char *why, size_t size)
{
    Case c = {.one = one};
    FvProresDecoder *decoder = NULL;
    FvError error = {0};
    char what[200] = "";
    *damaged = 0;
    FvStatus status = make_packets(&c, seed, &error);
    c.bytes = status ? 0 : FV_ROUND_UP(fv_format_plane_bytes(&c.header[0].format), (size_t)256);
    if (!status)
        status = gpu->ops->alloc(gpu, &c.local, c.bytes * FRAMES, FV_GPU_LOCAL, &error);
    if (!status)
        status = gpu->ops->alloc(gpu, &c.host, c.bytes * FRAMES, FV_GPU_HOST, &error);
    if (!status)
        status = fv_gpu_prores_open(&c.prores, gpu, FRAMES, &error);
    if (!status)
        status = fv_prores_open(&decoder, FV_ISA_SCALAR, 1, &error);
    if (!status)
        status = decode_on_gpu(&c, gpu, &error);
    for (int i = 0; i < FRAMES && !status && !*what; i++)
        status = compare_frame(&c, decoder, i, damaged, what, sizeof what, &error);
    if (status)
        snprintf(why, size, "%s", error.message);
    else if (*what)
        snprintf(why, size, "ProRes of %dx%d, %s, %d bits: %s", one->shape.width, one->shape.height,
                 one->shape.chroma_444 ? "4:4:4" : "4:2:2", one->depth, what);
    fv_prores_close(&decoder);
    fv_gpu_prores_close(&c.prores);
    gpu->ops->free(gpu, &c.local);
    gpu->ops->free(gpu, &c.host);
    for (int i = 0; i < FRAMES; i++)
        fv_prores_maker_free(&c.packet[i]);
    return status ? FV_TEST_UNTESTED : *what ? FV_TEST_DIFFERS : FV_TEST_SAME;
}

FvTestVerdict fv_gpu_verify_prores(FvGpu *gpu, int number, char *why, size_t size)
{
    const FvGpuProresCase *one = &fv_gpu_prores_cases[number];
    int damaged;
    return one->shape.width ? fv_gpu_verify_prores_case(gpu, one, 1, &damaged, why, size) : FV_TEST_REFUSES;
}
