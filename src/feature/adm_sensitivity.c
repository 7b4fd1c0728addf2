/*
 * Contrast sensitivity for ADM: Watson et al., Visibility of wavelet quantization noise, 1997 (mode 0); Barten's
 * function as HDR-VDP-2 uses it, Mantiuk et al., 2011 (mode 1); two tables for VMAF version 1 (modes 2 and 3). It is
 * computed once per run, on the host.
 */
#include <math.h>

#include "arith/dmath.h"
#include "base/error.h"
#include "feature/adm.h"

#define PI 3.14159265358979323846

static double log_10(double x)
{
    return 0.30102999566398119521 * fv_d_log2(x);
}

static float pixels_per_degree(const FvAdmOptions *options)
{
    return (float)(options->view_distance * options->display_height * PI / 180.0);
}

/* Returns the sensitivity by Watson's model. orientation: 1 for bands h and v, 2 for d. */
static float watson(const FvAdmOptions *options, int scale, int orientation)
{
    static const float gain[4] = {1.501f, 1.0f, 0.534f, 1.0f};
    static const float amplitude[2][FV_ADM_SCALES] = {{0.67234f, 0.41317f, 0.22727f, 0.11792f},
                                                      {0.72709f, 0.49428f, 0.28688f, 0.15214f}};
    const float a = 0.495f, k = 0.466f, f0 = 0.401f;
    float t = (float)log_10(ldexp(1, scale + 1) * f0 * gain[orientation] / pixels_per_degree(options));
    float step = (float)(2.0 * a * fv_d_pow(10, k * t * t) / amplitude[orientation - 1][scale]);
    return 1.0f / step;
}

/* Returns a parameter of the neural part at 100 cd/m2, interpolated between its values at 20 and 150 cd/m2. */
static float at_100(float at_20, float at_150)
{
    float low = (float)log_10(20.0), high = (float)log_10(150.0), here = (float)log_10(100.0);
    return at_20 + ((at_150 - at_20) / (high - low)) * (here - low);
}

static float barten(const FvAdmOptions *options, int scale, double factor)
{
    static const float share[4] = {0.424838596301290f, 0.572435103936480f, 0.000167576239164937f,
                                   0.00255872352306433f};
    static const float decay[4] = {0.028f, 0.37f, 37.0f, 360.0f};
    float rho = (float)(pixels_per_degree(options) / ldexp(1, scale + 1));
    float p0 = at_100(0.334278f, 0.394533f), p1 = at_100(3.79542f, 2.7755f);
    float p2 = at_100(1.07327f, 1.16577f), p3 = at_100(6.4635f, 7.45665f);
    double square = (double)(rho / 7) * (rho / 7);
    float a = (float)(1 + fv_d_pow(p0 * rho, p1));
    float b = (float)(1 / fv_d_pow(1 - fv_d_exp(-square), p2));
    float neural = (float)(p3 / sqrt(a * b)), optics = 0;
    for (int i = 0; i < 4; i++)
        optics = (float)(optics + share[i] * fv_d_exp(-decay[i] * rho));
    float cones = (float)(30.162f * fv_d_pow(fv_d_pow(4.0627f / 100.0f, 1.6596f) + 1, -0.2712f));
    return (float)(neural * optics * cones * factor);
}

typedef struct Row {
    int height;
    double distance;
    FvAdmSensitivity at[2][FV_ADM_SCALES]; /* sensitivities of modes 2 and 3 */
} Row;

/* The viewing conditions for which models of VMAF version 1 have a table. */
static const Row rows[] = {
    {1080,
     3,
     {{{0.01183f, 0.004302f}, {0.025026f, 0.011778f}, {0.04295f, 0.023918f}, {0.058621f, 0.035901f}},
      {{0.011249f, 0.004097f}, {0.022606f, 0.010921f}, {0.035930f, 0.021430f}, {0.045673f, 0.031313f}}}},
    {2160,
     1.5,
     {{{0.01183f, 0.004302f}, {0.025026f, 0.011778f}, {0.04295f, 0.023918f}, {0.058621f, 0.035901f}},
      {{0.011249f, 0.004097f}, {0.022606f, 0.010921f}, {0.035930f, 0.021430f}, {0.045673f, 0.031313f}}}},
    {1080,
     5,
     {{{0.004212f, 0.000984f}, {0.014809f, 0.005852f}, {0.029642f, 0.0146f}, {0.047464f, 0.027574f}},
      {{0.004052f, 0.000927f}, {0.013939f, 0.005544f}, {0.026298f, 0.013415f}, {0.038833f, 0.024515f}}}},
    {2160,
     3,
     {{{0.00226f, 0.000479f}, {0.01183f, 0.004302f}, {0.025026f, 0.011778f}, {0.04295f, 0.023918f}},
      {{0.002166f, 0.000447f}, {0.011249f, 0.004097f}, {0.022606f, 0.010921f}, {0.035930f, 0.021430f}}}},
    {2160,
     5,
     {{{0.000092f, 0.000050f}, {0.004212f, 0.000984f}, {0.014809f, 0.005852f}, {0.029642f, 0.0146f}},
      {{0.000077f, 0.000045f}, {0.004052f, 0.000927f}, {0.013939f, 0.005544f}, {0.026298f, 0.013415f}}}},
    {720,
     5,
     {{{0.010144f, 0.003463f}, {0.022561f, 0.010282f}, {0.040309f, 0.021839f}, {0.05672f, 0.034641f}},
      {{0.009689f, 0.003302f}, {0.020577f, 0.009579f}, {0.034162f, 0.019661f}, {0.044523f, 0.030318f}}}},
};

FvStatus fv_adm_sensitivities(const FvAdmOptions *options, const char *owner, FvAdmSensitivity to[FV_ADM_SCALES],
                              FvError *error)
{
    if (options->view_distance * options->display_height < 3240)
        return fv_fail(error, FV_ERROR_USAGE,
                       "%s: adm_norm_view_dist %g times adm_ref_display_height %d is below 3240; fewer pixels per "
                       "degree than 1080 lines at 3 heights are not defined",
                       owner, options->view_distance, options->display_height);
    for (int scale = 0; scale < FV_ADM_SCALES && options->csf_mode < 2; scale++)
        to[scale] = options->csf_mode == 0 ? (FvAdmSensitivity){watson(options, scale, 1), watson(options, scale, 2)}
                                           : (FvAdmSensitivity){barten(options, scale, options->csf_scale),
                                                                barten(options, scale, options->csf_diag_scale)};
    if (options->csf_mode < 2)
        return FV_OK;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].height == options->display_height && rows[i].distance == options->view_distance) {
            for (int scale = 0; scale < FV_ADM_SCALES; scale++)
                to[scale] = rows[i].at[options->csf_mode - 2][scale];
            return FV_OK;
        }
    return fv_fail(
        error, FV_ERROR_USAGE,
        "%s: adm_csf_mode %d has no factors for adm_norm_view_dist %g and adm_ref_display_height %d; it has "
        "them for 3 and 5 at 1080, for 1.5, 3 and 5 at 2160, and for 5 at 720",
        owner, options->csf_mode, options->view_distance, options->display_height);
}
