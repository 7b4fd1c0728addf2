/*
 * Transfer functions from a component in [0, 1] to light, in binary64, for tables that the host computes. The caller
 * passes the power function: fv_d_pow, or fv_pow_exact where the last bit matters.
 */
#ifndef FV_ARITH_TRANSFER_H
#define FV_ARITH_TRANSFER_H

#include "arith/dmath.h"
#include "curves.h"

typedef double FvPower(double x, double y);

/* The EOTF of sRGB (IEC 61966-2-1), relative to the peak. */
static inline double fv_srgb(double v)
{
    return v <= 0.04045 ? v / 12.92 : fv_d_pow((v + 0.055) / 1.055, 2.4);
}

/* The EOTF of SMPTE ST 2084 (PQ; ITU-R BT.2100, table 4), relative to 10000 cd/m2. */
static inline double fv_pq(FvPower *power, double v)
{
    double t = power(v, 1 / FV_PQ_M2), top = t - FV_PQ_C1;
    return power((top > 0 ? top : 0) / (FV_PQ_C2 - FV_PQ_C3 * t), 1 / FV_PQ_M1);
}

/* The inverse of fv_pq(): returns the signal in [0, 1] of `light`, in cd/m2. */
static inline double fv_pq_signal(double light)
{
    const double p = fv_d_pow(light / 10000.0, FV_PQ_M1);
    return fv_d_pow((FV_PQ_C1 + FV_PQ_C2 * p) / (1.0 + FV_PQ_C3 * p), FV_PQ_M2);
}

/* The inverse OETF of HLG (ITU-R BT.2100, table 5): scene light, without the system gamma. */
static inline double fv_hlg(double v)
{
    return v <= 0.5 ? v * v / 3 : (fv_d_exp((v - FV_HLG_C) / FV_HLG_A) + FV_HLG_B) / 12;
}

/*
 * Returns the exponent of HLG's system gamma for a display of nominal peak `peak` cd/m2 in dark surroundings: ITU-R
 * BT.2100, table 5.
 */
static inline double fv_hlg_gamma(double peak)
{
    return 1.2 + 0.42 * fv_d_log10(peak / 1000);
}

/* The weights of R, G and B in the luminance, for each set of primaries. */
#define FV_LUMINANCE_709                                                                                             \
    {                                                                                                                \
        0.2126729, 0.7151522, 0.0721750                                                                              \
    }
#define FV_LUMINANCE_2020                                                                                            \
    {                                                                                                                \
        0.2627, 0.6780, 0.0593                                                                                       \
    }
#define FV_LUMINANCE_P3                                                                                              \
    {                                                                                                                \
        0.2290, 0.6917, 0.0793                                                                                       \
    }

/* The EOTF of ITU-R BT.1886, annex 1, L = a (v + b)^2.4, for a display of given peak and black level in cd/m2. */
typedef struct FvBt1886 {
    FvPower *power;
    double a, b;
} FvBt1886;

static inline FvBt1886 fv_bt1886(FvPower *power, double peak, double black)
{
    double high = power(peak, 1 / 2.4), low = power(black, 1 / 2.4);
    return (FvBt1886){power, power(high - low, 2.4), low / (high - low)};
}

static inline double fv_bt1886_light(FvBt1886 display, double v)
{
    return display.a * display.power(v + display.b, 2.4);
}

#endif
