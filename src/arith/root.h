/*
 * Cube roots of ADM, with bits that do not depend on a C library: x to the power 0x1.555556p-2, which is 1/3 rounded
 * to a float, as powf of glibc (2.28 and later) and musl computes it. log2(x) comes from a table of 16 intervals and
 * a polynomial; the power comes from a table of 32 steps per octave and a polynomial. All operations are in binary64,
 * each rounded once. The result is within 0.502 units in the last place of the exact power (tests/unit/fmath.c).
 *
 * The constants are from S. Nagy, Arm Optimized Routines, math/powf_log2_data.c and math/exp2f_data.c, 2017.
 */
#ifndef FV_ARITH_ROOT_H
#define FV_ARITH_ROOT_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "arith/exp.h"

/* clang-format off */
static const double fv_root_inverse[16] = { /* inverse of a number near the middle of an interval */
    0x1.661ec79f8f3bep+0, 0x1.571ed4aaf883dp+0, 0x1.49539f0f010bp+0,  0x1.3c995b0b80385p+0,
    0x1.30d190c8864a5p+0, 0x1.25e227b0b8eap+0,  0x1.1bb4a4a1a343fp+0, 0x1.12358f08ae5bap+0,
    0x1.0953f419900a7p+0, 0x1p+0,               0x1.e608cfd9a47acp-1, 0x1.ca4b31f026aap-1,
    0x1.b2036576afce6p-1, 0x1.9c2d163a1aa2dp-1, 0x1.886e6037841edp-1, 0x1.767dcf5534862p-1,
};
static const double fv_root_log[16] = { /* binary logarithm of the same number near the middle of the interval */
    -0x1.efec65b963019p-2, -0x1.b0b6832d4fca4p-2, -0x1.7418b0a1fb77bp-2, -0x1.39de91a6dcf7bp-2,
    -0x1.01d9bf3f2b631p-2, -0x1.97c1d1b3b7afp-3,  -0x1.2f9e393af3c9fp-3, -0x1.960cbbf788d5cp-4,
    -0x1.a6f9db6475fcep-5, 0x0p+0,                0x1.338ca9f24f53dp-4,  0x1.476a9543891bap-3,
    0x1.e840b4ac4e4d2p-3,  0x1.40645f0c6651cp-2,  0x1.88e9c2c1b9ff8p-2,  0x1.ce0a44eb17bccp-2,
};
/* clang-format on */

static inline double fv_root_log2(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    uint32_t place = bits - 0x3f330000u, exponent = place & 0xff800000u;
    bits -= exponent;
    float leading;
    memcpy(&leading, &bits, sizeof leading);
    int interval = (int)(place >> 19 & 15u);
    double r = (double)leading * fv_root_inverse[interval] - 1, square = r * r;
    double whole = fv_root_log[interval] + (double)((int32_t)exponent / 0x00800000);
    double high = 0x1.27616c9496e0bp-2 * r + -0x1.71969a075c67ap-2;
    double middle = 0x1.ec70a6ca7baddp-2 * r + -0x1.7154748bef6c8p-1;
    double low = 0x1.71547652ab82bp0 * r + whole;
    return high * (square * square) + (middle * square + low);
}

/* Returns the cube root of ADM for a normal x or 0. Sums that have wrapped may be negative; their root is a NaN. */
static inline float fv_adm_root(float x)
{
    if (!(x > 0))
        return x < 0 ? NAN : 0;
    const double shift = 0x1.8p+47; /* rounds to multiples of 1/32 when it is added and then subtracted */
    double power = (double)0x1.555556p-2f * fv_root_log2(x), near = power + shift;
    uint64_t bits, scale;
    memcpy(&bits, &near, sizeof bits);
    double r = power - (near - shift), base = fv_exp_power[2 * (bits & 31)];
    memcpy(&scale, &base, sizeof scale);
    scale += (bits >> 5) << 52;
    memcpy(&base, &scale, sizeof base);
    double upper = 0x1.c6af84b912394p-5 * r + 0x1.ebfce50fac4f3p-3;
    return (float)((upper * (r * r) + (0x1.62e42ff0c52d6p-1 * r + 1)) * base);
}

#endif
