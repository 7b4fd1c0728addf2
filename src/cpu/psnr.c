/* PSNR kernels for one instruction set. */
#include "cpu/psnr.h"

#include "cpu/simd.h"

/*
 * Number of times that a sum of two squares can be added to an unsigned 32-bit lane. Differences are below 2^8
 * (2^12), so a sum of two squares is below 2^17 (2^25).
 */
#define ROUNDS8 32768
#define ROUNDS12 128

static uint64_t sum_u32(fv_u32 v)
{
    uint64_t sum = 0;
    for (int i = 0; i < FV_LANES; i++)
        sum += v[i];
    return sum;
}

/* Returns the sums of neighbouring squares of 16-bit lanes, as 32-bit lanes. */
FV_FN fv_u32 square_pairs(fv_i16 d)
{
#if defined(__SSE2__)
    return (fv_u32)FV_X86(madd_epi16)((fv_x86i)d, (fv_x86i)d);
#elif defined(__wasm_simd128__)
    return (fv_u32)wasm_i32x4_dot_i16x8((v128_t)d, (v128_t)d);
#else
    int16x8_t n = (int16x8_t)d;
    int32x4_t low = vmull_s16(vget_low_s16(n), vget_low_s16(n));
    return (fv_u32)vmlal_s16(low, vget_high_s16(n), vget_high_s16(n));
#endif
}

static uint64_t sse8(const uint8_t *ref, ptrdiff_t ref_stride, const uint8_t *dis, ptrdiff_t dis_stride, int width,
                     int rows)
{
    const int step = FV_VECTOR_BYTES;
    uint64_t total = 0;
    for (int y = 0; y < rows; y++, ref += ref_stride, dis += dis_stride) {
        int x = 0;
        while (x + step <= width) {
            fv_u32 even = {0}, odd = {0};
            int end = (width - x) / step > ROUNDS8 ? x + ROUNDS8 * step : width;
            for (; x + step <= end; x += step) {
                fv_u16 r = FV_LOAD(fv_u16, ref + x), d = FV_LOAD(fv_u16, dis + x);
                even += square_pairs((fv_i16)(r & 255) - (fv_i16)(d & 255));
                odd += square_pairs((fv_i16)(r >> 8) - (fv_i16)(d >> 8));
            }
            total += sum_u32(even) + sum_u32(odd);
        }
        for (; x < width; x++)
            total += (uint32_t)((ref[x] - dis[x]) * (ref[x] - dis[x]));
    }
    return total;
}

static uint64_t sse12(const uint8_t *ref, ptrdiff_t ref_stride, const uint8_t *dis, ptrdiff_t dis_stride, int width,
                      int rows)
{
    const int step = FV_VECTOR_BYTES / 2;
    uint64_t total = 0;
    for (int y = 0; y < rows; y++, ref += ref_stride, dis += dis_stride) {
        const uint16_t *r16 = (const uint16_t *)ref, *d16 = (const uint16_t *)dis;
        fv_u64 wide = {0};
        int x = 0;
        while (x + step <= width) {
            fv_u32 sums[2] = {{0}, {0}};
            int end = (width - x) / step > ROUNDS12 ? x + ROUNDS12 * step : width;
            for (; x + 2 * step <= end; x += 2 * step) {
                sums[0] += square_pairs(FV_LOAD(fv_i16, r16 + x) - FV_LOAD(fv_i16, d16 + x));
                sums[1] += square_pairs(FV_LOAD(fv_i16, r16 + x + step) - FV_LOAD(fv_i16, d16 + x + step));
            }
            for (; x + step <= end; x += step)
                sums[0] += square_pairs(FV_LOAD(fv_i16, r16 + x) - FV_LOAD(fv_i16, d16 + x));
            for (int i = 0; i < 2; i++)
                wide += ((fv_u64)sums[i] & 0xffffffffu) + ((fv_u64)sums[i] >> 32);
        }
        for (int i = 0; i < FV_LANES / 2; i++)
            total += wide[i];
        for (; x < width; x++)
            total += (uint32_t)((r16[x] - d16[x]) * (r16[x] - d16[x]));
    }
    return total;
}

/*
 * For any 16-bit samples: differences are below 2^16 in magnitude and squares below 2^32, so lanes of 64 bits add
 * them.
 */
static uint64_t sse16(const uint8_t *ref, ptrdiff_t ref_stride, const uint8_t *dis, ptrdiff_t dis_stride, int width,
                      int rows)
{
    const int step = FV_LANES;
    fv_u64 even = {0}, odd = {0};
    uint64_t total = 0;
    for (int y = 0; y < rows; y++, ref += ref_stride, dis += dis_stride) {
        const uint16_t *r16 = (const uint16_t *)ref, *d16 = (const uint16_t *)dis;
        int x = 0;
        for (; x + step <= width; x += step) {
            fv_i32 d =
                fv_i32_from_u16(FV_LOAD(fv_u16_half, r16 + x)) - fv_i32_from_u16(FV_LOAD(fv_u16_half, d16 + x));
            fv_u64 squares = (fv_u64)((fv_u32)d * (fv_u32)d);
            even += squares & 0xffffffffu;
            odd += squares >> 32;
        }
        for (; x < width; x++) {
            uint32_t d = (uint32_t)(r16[x] > d16[x] ? r16[x] - d16[x] : d16[x] - r16[x]);
            total += d * d;
        }
    }
    for (int i = 0; i < FV_LANES / 2; i++)
        total += even[i] + odd[i];
    return total;
}

const FvPsnrKernels FV_ISA_STRUCT(fv_psnr_kernels) = {.sse8 = sse8, .sse12 = sse12, .sse16 = sse16};
