/* Selects CAMBI's greatest c-values, for one instruction set. */
#include "cpu/cambi_contrast.h"

#include "cpu/cambi_lanes.h"

#define CAMBI_SOON 512 /* values between a prefetch and its use */

uint64_t FV_ISA_STRUCT(fv_cambi_select)(const FvCambiScale *scale, void *frame, int bin, uint32_t *count)
{
    uint32_t first = (uint32_t)(FV_CAMBI_FIRST_BIN + bin) << FV_CAMBI_BIN_SHIFT;
    uint64_t fixed = 0;
    for (int y = 0; y < scale->height; y++) {
        const float *c = fv_cambi_c(scale, frame, y);
        fv_f64 sum = {0};
        for (int x = 0; x < scale->width; x += FV_LANES) {
            __builtin_prefetch(c + x + CAMBI_SOON);
            fv_f32 v = FV_LOAD(fv_f32, c + x);
            fv_i32 offset = (fv_i32)v - (int32_t)first;
            fv_f32 above = fv_sel_f32(offset >= FV_CAMBI_IN_BIN, v, (fv_f32){0});
            sum += widen_low(above) + widen_high(above);
            uint32_t within = bits_of((fv_i32)((fv_u32)offset < (uint32_t)FV_CAMBI_IN_BIN));
            if (!within)
                continue;
            int32_t offsets[FV_LANES];
            FV_STORE(offsets, offset);
            for (; within; within &= within - 1)
                count[offsets[__builtin_ctz(within)]]++;
        }
        for (int i = 0; i < FV_LANES / 2; i++)
            fixed += (uint64_t)(sum[i] * 0x1p24);
    }
    return fixed;
}
