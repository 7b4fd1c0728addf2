/* Delta E ITP for one instruction set. */
#include "cpu/itp.h"

#include "cpu/neighbours-inl.h"

#include "arith/itp.h"

FV_FN fv_f32 signal_of(const FvItpCurves *curves, fv_f32 light)
{
    const fv_i32 step = fv_itp_step(light);
    fv_f32 here, next;
    FV_NEIGHBOURS(curves->signal, step, 1, here, next);
    return fv_itp_signal(light, here, next);
}

FV_FN void convert_row(const FvItpCurves *curves, float *const row[3], int columns, bool hlg)
{
    for (int x = 0; x < columns; x += FV_LANES) {
        fv_f32 r = FV_LOAD(fv_f32, row[0] + x), g = FV_LOAD(fv_f32, row[1] + x), b = FV_LOAD(fv_f32, row[2] + x);
        if (hlg) {
            const fv_f32 gain = fv_pu_displayed(FV_LIGHT_LUMINANCE(r, g, b), curves->gamma, curves->peak);
            r = r * gain;
            g = g * gain;
            b = b * gain;
        }
        const fv_f32 l = signal_of(curves, FV_ITP_L(r, g, b)), m = signal_of(curves, FV_ITP_M(r, g, b)),
                     s = signal_of(curves, FV_ITP_S(r, g, b));
        FV_STORE(row[0] + x, fv_itp_i(l, m));
        FV_STORE(row[1] + x, fv_itp_t(l, m, s));
        FV_STORE(row[2] + x, fv_itp_p(l, m, s));
    }
}

static void convert(const FvItpCurves *curves, float *const row[3], int columns)
{
    if (curves->peak > 0)
        convert_row(curves, row, columns, true);
    else
        convert_row(curves, row, columns, false);
}

static void compare(const float *const ref[3], const float *const dis[3], int columns, FvItpSum *sum, float *map)
{
    fv_u64 sums = {0};
    fv_i32 visible = {0};
    for (int x = 0; x < columns; x += FV_LANES) {
        fv_f32 apart[3];
        for (int i = 0; i < 3; i++)
            apart[i] = FV_LOAD(fv_f32, ref[i] + x) - FV_LOAD(fv_f32, dis[i] + x);
        const fv_mask inside = fv_lane_index() < columns - x;
        const fv_i32 difference = fv_itp_difference(apart[0], apart[1], apart[2]) & inside;
        const fv_word words = (fv_word)difference;
        sums += (words & 0xffffffff) + (words >> 32);
        visible -= difference > FV_ITP_UNIT;
        if (map)
            FV_STORE(map + x, fv_f32_from_i32(difference) * (1.0f / FV_ITP_UNIT));
    }
    for (int lane = 0; lane < FV_LANES; lane++) {
        sum->sum += lane % 2 ? 0 : sums[lane / 2];
        sum->visible += (uint64_t)visible[lane];
    }
}

const FvItpKernels FV_ISA_STRUCT(fv_itp_kernels) = {.convert = convert, .compare = compare};
