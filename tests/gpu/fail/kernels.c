/* The kernels of PSNR, ProRes, scaling and the self-test of arithmetic in plain C, for the machine of host memory. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/host.h"
#include "kernel/pair.h"
#include "codec/prores/prores.h"
#include "kernel/primitives.h"
#include "kernel/prores.h"
#include "kernel/psnr.h"
#include "kernel/rows.h"
#include "kernel/scale.h"
#include "machine.h"
#include "picture/signature.h"

#include "arith/scalar.h"

#include "arith/scale.h"

#define AT(type, address) ((type *)(uintptr_t)(address))

static uint32_t sample(const uint8_t *row, int x, int bytes)
{
    return bytes == 1 ? row[x] : ((const uint16_t *)row)[x];
}

static void psnr(const FvPsnrArgs *args, uint32_t group, uint32_t pair, int bytes)
{
    const FvPair *frames = AT(FvPair, args->pairs) + pair;
    const int plane = (int)group >= args->first[2] ? 2 : (int)group >= args->first[1] ? 1 : 0;
    const int first = ((int)group - args->first[plane]) * args->rows[plane];
    uint64_t sum = 0;
    for (int y = first; y < first + args->rows[plane] && y < args->height[plane]; y++) {
        const uint8_t *ref = AT(uint8_t, frames->ref.data[plane]) + (size_t)y * frames->ref.stride[plane];
        const uint8_t *dis = AT(uint8_t, frames->dis.data[plane]) + (size_t)y * frames->dis.stride[plane];
        for (int x = 0; x < args->width[plane]; x++) {
            const int64_t difference = (int64_t)sample(ref, x, bytes) - sample(dis, x, bytes);
            sum += (uint64_t)(difference * difference);
        }
    }
    uint32_t *sums = AT(uint32_t, args->sums) + (size_t)pair * args->sums_stride * 64;
    sums[2 * group] = (uint32_t)(sum & 0xffff);
    sums[2 * group + 1] = (uint32_t)(sum >> 16);
}

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static void primitives(const FvPrimitivesArgs *args)
{
    for (uint32_t i = 0; i < args->count; i++) {
        const uint32_t x = AT(uint32_t, args->operands)[2 * i], y = AT(uint32_t, args->operands)[2 * i + 1];
        const uint32_t exponent = x >> 23 & 0xff, limited = (x & 0x807fffff) | (exponent > 156 ? 156 : exponent)
                                                                                   << 23;
        float a, b, small;
        memcpy(&a, &x, sizeof a);
        memcpy(&b, &y, sizeof b);
        memcpy(&small, &limited, sizeof small);
        const float product = a * b;
        const uint32_t results[FV_PRIMITIVES] = {
            [FV_PRIMITIVE_ADD] = bits_of(a + b),
            [FV_PRIMITIVE_SUB] = bits_of(a - b),
            [FV_PRIMITIVE_MUL] = bits_of(product),
            [FV_PRIMITIVE_MUL_ADD] = bits_of(product + a),
            [FV_PRIMITIVE_DIV] = bits_of(a / b),
            [FV_PRIMITIVE_SQRT] = bits_of(sqrtf(fabsf(a))),
            [FV_PRIMITIVE_ABS] = x & 0x7fffffff,
            [FV_PRIMITIVE_MAX] = bits_of(a > b ? a : b),
            [FV_PRIMITIVE_LESS] = a < b,
            [FV_PRIMITIVE_FROM_INT] = bits_of((float)(int32_t)x),
            [FV_PRIMITIVE_TO_INT] = (uint32_t)(int32_t)(exponent == 0xff && !isfinite(small) ? 0 : small),
            [FV_PRIMITIVE_MULHRS] = (uint32_t)(((int32_t)(int16_t)x * (int16_t)y + 16384) >> 15),
            [FV_PRIMITIVE_SHIFT] = (uint32_t)((int32_t)x >> (y & 31)),
            [FV_PRIMITIVE_PRODUCT] = x * y,
        };
        memcpy(AT(uint32_t, args->results) + (size_t)i * FV_PRIMITIVES, results, sizeof results);
    }
}

/* Copies the rows of a frame to a picture's memory; a field takes every second row. */
static void take_rows(const FvProresGpuPicture *picture, const FvFrame *frame, int field, int step)
{
    for (int plane = 0; plane < 3; plane++) {
        int width, height;
        fv_format_plane_size(&frame->format, plane, &width, &height);
        for (int y = 0; picture->data[plane] && field + y * step < height; y++)
            memcpy(AT(uint8_t, picture->data[plane]) + (size_t)y * picture->stride[plane],
                   frame->data[plane] + (field + y * step) * frame->stride[plane], 2 * (size_t)width);
    }
}

static void prores(const FvProresArgs *args, uint32_t index)
{
    const FvProresGpuPicture *picture = AT(FvProresGpuPicture, args->pictures) + index;
    const uint8_t *packet = AT(uint8_t, picture->packet);
    FvProresHeader header;
    FvProresDamage damage;
    FvProresDecoder *decoder = NULL;
    FvFrame *frame = NULL;
    if (fv_prores_parse(&header, packet, picture->bytes, args->depth, NULL) ||
        fv_prores_open(&decoder, FV_ISA_SCALAR, 1, NULL) || fv_frame_alloc(&frame, &header.format, NULL))
        abort();
    int i = 0;
    while (i < header.pictures - 1 && header.picture[i].data != AT(uint32_t, picture->offsets)[0])
        i++;
    header.picture[0] = header.picture[i];
    header.pictures = 1;
    fv_prores_decode(decoder, &header, packet, picture->bytes, frame, NULL, &damage, NULL);
    *AT(uint32_t, picture->damaged) += (uint32_t)damage.damaged;
    take_rows(picture, frame, header.picture[0].field, header.interlaced ? 2 : 1);
    fv_frame_unref(&frame);
    fv_prores_close(&decoder);
}

static void sign(const FvProresArgs *args, uint32_t index)
{
    const FvProresGpuPicture *picture = AT(FvProresGpuPicture, args->pictures) + index;
    const FvLuma luma = {.data = AT(uint8_t, picture->luma),
                         .stride = picture->luma_stride,
                         .width = picture->width,
                         .height = picture->height,
                         .bytes = 2};
    uint64_t sums[FV_SIGNATURE] = {0};
    if (picture->has_signature)
        fv_sample_add(sums, &luma, 0, luma.height);
    for (int block = 0; picture->has_signature && block < FV_SIGNATURE; block++)
        AT(uint32_t, picture->sums)[block] = (uint32_t)sums[block];
}

static int limit(int value, int most)
{
    return value < 0 ? 0 : value > most ? most : value;
}

/* Returns a sample scaled in one of the two directions. take() returns an input sample by its number. */
static int32_t resample(const FvScaleGpuPlane *plane, int way, int i, int count, int32_t sum,
                        int32_t (*take)(const FvScaleGpuPlane *plane, int n, int fixed), int fixed)
{
    const int first = AT(int32_t, plane->first[way])[i];
    for (int pair = 0; pair < plane->pairs[way]; pair++) {
        const uint32_t both = AT(uint32_t, plane->coefficients[way])[pair * plane->padded[way] + i];
        for (int k = 0; k < 2; k++)
            sum += (int16_t)(both >> 16 * k) * take(plane, limit(first + 2 * pair + k, count - 1), fixed);
    }
    return sum;
}

static int32_t take_across(const FvScaleGpuPlane *plane, int x, int y)
{
    const uint8_t *row = AT(uint8_t, plane->from) + (size_t)y * plane->from_stride;
    const int v = (int)sample(row, x, plane->maximum > 255 ? 2 : 1);
    return plane->shift < 0 ? AT(uint16_t, plane->table)[v] : v << plane->shift;
}

static int32_t take_down(const FvScaleGpuPlane *plane, int y, int x)
{
    return AT(int32_t, plane->between)[(size_t)y * (size_t)plane->between_stride + (size_t)x];
}

static void scale_across(const FvScaleGpuPlane *plane)
{
    const int extra = fv_scale_extra(plane->depth);
    for (int y = 0; y < plane->height; y++)
        for (int x = 0; x < plane->columns; x++)
            AT(int32_t, plane->between)
    [(size_t)y * (size_t)plane->between_stride + (size_t) x] =
        fv_scale_between(resample(plane, 0, x, plane->width, fv_scale_between_half(extra), take_across, y), extra);
}

static void scale_down(const FvScaleGpuPlane *plane)
{
    const int extra = fv_scale_extra(plane->depth), maximum = (1 << plane->depth) - 1;
    for (int y = 0; y < plane->rows; y++)
        for (int x = 0; x < plane->columns; x++) {
            const int32_t sum = resample(plane, 1, y, plane->height, fv_scale_end_half(extra), take_down, x);
            const int32_t value = fv_scale_clip(fv_scale_end(sum, extra), maximum);
            uint8_t *row = AT(uint8_t, plane->to) + (size_t)y * plane->to_stride;
            if (plane->depth == 8)
                row[x] = (uint8_t)value;
            else
                ((uint16_t *)row)[x] = (uint16_t)value;
        }
}

static void scale(const FvScaleArgs *args, uint32_t frames, void (*direction)(const FvScaleGpuPlane *plane))
{
    for (uint32_t i = 0; i < frames * (uint32_t)args->count; i++)
        direction(AT(FvScaleGpuPlane, args->planes) + i);
}

static void rows(const FvRowsArgs *args)
{
    for (uint32_t y = 0; y < args->height; y++)
        memcpy(AT(uint8_t, args->to) + (size_t)y * args->to_stride,
               AT(uint8_t, args->from) + args->skew + (size_t)y * args->from_stride, args->bytes);
}

size_t machine_args_bytes(const char *kernel)
{
    if (!strcmp(kernel, "rows"))
        return sizeof(FvRowsArgs);
    if (!strncmp(kernel, "psnr_sse", 8))
        return sizeof(FvPsnrArgs);
    if (!strncmp(kernel, "prores_", 7))
        return sizeof(FvProresArgs);
    if (!strncmp(kernel, "scale_", 6))
        return sizeof(FvScaleArgs);
    return !strcmp(kernel, "primitives") ? sizeof(FvPrimitivesArgs) : 0;
}

bool machine_kernel(const char *kernel, const void *args, uint32_t x, uint32_t y, uint32_t z)
{
    const int bytes = !strcmp(kernel, "psnr_sse8") ? 1 : !strcmp(kernel, "psnr_sse16") ? 2 : 0;
    const bool decodes = !strcmp(kernel, "prores_transform"); /* also does the work of prores_entropy */
    if (!strcmp(kernel, "primitives")) {
        primitives(args);
        return true;
    }
    if (!strcmp(kernel, "rows")) {
        rows(args);
        return true;
    }
    if (!strncmp(kernel, "scale_", 6)) {
        scale(args, z, strncmp(kernel, "scale_down", 10) ? scale_across : scale_down);
        return true;
    }
    const bool signs = !strcmp(kernel, "prores_signature");
    for (uint32_t k = 0; decodes && k < z; k++)
        prores(args, k);
    for (uint32_t k = 0; signs && k < z; k++)
        sign(args, k);
    for (uint32_t k = 0; bytes && k < z; k++)
        for (uint32_t group = 0; group < x; group++)
            psnr(args, group, k, bytes);
    return bytes || decodes || signs || !strcmp(kernel, "prores_entropy");
}
