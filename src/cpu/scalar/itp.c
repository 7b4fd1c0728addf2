/* Delta E ITP in plain C: the reference. docs/metrics/delta_e_itp.md */
#include "arith/scalar.h"

#include "arith/itp.h"
#include "cpu/itp.h"

static float signal_of(const FvItpCurves *curves, float light)
{
    const float *here = curves->signal + fv_itp_step(light);
    return fv_itp_signal(light, here[0], here[1]);
}

static void convert(const FvItpCurves *curves, float *const row[3], int columns)
{
    for (int x = 0; x < columns; x++) {
        float r = row[0][x], g = row[1][x], b = row[2][x];
        if (curves->peak > 0) {
            const float gain = fv_pu_displayed(FV_LIGHT_LUMINANCE(r, g, b), curves->gamma, curves->peak);
            r = r * gain;
            g = g * gain;
            b = b * gain;
        }
        const float l = signal_of(curves, FV_ITP_L(r, g, b)), m = signal_of(curves, FV_ITP_M(r, g, b)),
                    s = signal_of(curves, FV_ITP_S(r, g, b));
        row[0][x] = fv_itp_i(l, m);
        row[1][x] = fv_itp_t(l, m, s);
        row[2][x] = fv_itp_p(l, m, s);
    }
}

static void compare(const float *const ref[3], const float *const dis[3], int columns, FvItpSum *sum, float *map)
{
    for (int x = 0; x < columns; x++) {
        const int difference = fv_itp_difference(ref[0][x] - dis[0][x], ref[1][x] - dis[1][x], ref[2][x] - dis[2][x]);
        sum->sum += (uint64_t)difference;
        sum->visible += difference > FV_ITP_UNIT;
        if (map)
            map[x] = (float)difference * (1.0f / FV_ITP_UNIT);
    }
}

const FvItpKernels fv_itp_kernels_scalar = {.convert = convert, .compare = compare};
