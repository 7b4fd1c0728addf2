/*
 * ColorVideoVDP: computes the base band, and the difference of a frame from the differences of its bands, in
 * binary64.
 */
#include "arith/scalar.h"

#include "arith/cvvdp.h"
#include "arith/dmath.h"
#include "feature/cvvdp.h"

/* Weights of the channels in the bands, and in the base band. */
static const double of_channel[FV_CVVDP_CHANNELS] = {1, 1, 1, 0.8081134557723999};
static const double of_base[FV_CVVDP_CHANNELS] = {0.0036334486212581396, 1.6627724170684814, 4.11874532699585,
                                                  25.25969886779785};

double fv_cvvdp_power(double x, double y)
{
    return fv_d_pow(x + 1e-5, y) - fv_d_pow(1e-5, y);
}

/* Computes the mean luminances of the distorted and the reference frame. */
static void means_of(const FvVdmPlane *planes, double mean[2])
{
    for (int p = 0; p < 2; p++) {
        double sum = 0;
        for (int y = 0; y < planes[p].height; y++)
            for (int x = 0; x < planes[p].width; x++)
                sum = sum + (double)fv_cvvdp_luminance(fv_vdm_row(&planes[p], y)[x]);
        mean[p] = sum / ((double)planes[p].width * planes[p].height);
    }
}

static double base_difference(const FvVdmPlane *planes, const double mean[2], double sensitivity, int x, int y)
{
    double contrast[2];
    for (int p = 0; p < 2; p++) {
        contrast[p] = (double)fv_vdm_row(&planes[p], y)[x] / mean[p];
        contrast[p] = contrast[p] > 1000 ? 1000 : contrast[p];
    }
    double e = contrast[0] - contrast[1];
    return (e < 0 ? 0 - e : e) * sensitivity;
}

/* Returns the mean square of a channel's contrast differences in the base band. */
static double base_square(const FvCvvdp *cvvdp, const FvVdmPlane *planes, const double mean[2], int channel)
{
    const FvVdmPlane *pair = planes + 2 * channel;
    double sensitivity = fv_cvvdp_sensitivity(cvvdp->base[channel], mean[1]), sum = 0;
    for (int y = 0; y < pair->height; y++)
        for (int x = 0; x < pair->width; x++) {
            double e = base_difference(pair, mean, sensitivity, x, y);
            sum = sum + e * (e + 2e-5);
        }
    return sum / ((double)pair->width * pair->height);
}

double fv_cvvdp_pool(const FvCvvdp *cvvdp, const FvCvvdpView *view,
                     const FvCvvdpSum sums[FV_CVVDP_LEVELS][FV_CVVDP_CHANNELS])
{
    const FvVdmPlane *base = view->plane[cvvdp->bands];
    double mean[2], all = 0;
    means_of(base, mean);
    for (int c = 0; c < view->channels; c++) {
        double channel = 0;
        for (int b = 0; b <= cvvdp->bands; b++) {
            const uint64_t *limb = sums[b][c].limb;
            double square;
            if (b < cvvdp->bands)
                square = ((double)limb[0] * 0x1p-10 + (double)limb[1] * 0x1p-40) /
                         ((double)cvvdp->level[b].width * cvvdp->level[b].height);
            else
                square = base_square(cvvdp, base, mean, c);
            double difference = fv_cvvdp_power(square, 0.5);
            channel = channel + fv_cvvdp_power(difference * of_channel[c] * (b < cvvdp->bands ? 1 : of_base[c]), 4);
        }
        all = all + fv_cvvdp_power(fv_cvvdp_power(channel, 0.25), 4);
    }
    return fv_cvvdp_power(all, 0.25);
}

void fv_cvvdp_map_of(FvCvvdpMap *map, int channels)
{
    for (int c = 0; c < FV_CVVDP_CHANNELS; c++)
        map->weight[c] = (float)(of_channel[c] * (channels < FV_CVVDP_CHANNELS ? FV_CVVDP_STILL : 1));
    map->zero_fourth = (1e-5f * 1e-5f) * (1e-5f * 1e-5f);
    map->zero_root = fv_cvvdp_grow(0, 0.25f, 0);
    map->slope = (float)(FV_CVVDP_JOD_SCALE * fv_d_pow(0.1, FV_CVVDP_JOD_EXPONENT - 1) * 0.1);
    map->scale = (float)(FV_CVVDP_JOD_SCALE * 0.1);
    map->exponent = (float)FV_CVVDP_JOD_EXPONENT;
}

void fv_cvvdp_draw_base(const FvCvvdp *cvvdp, const FvCvvdpView *view)
{
    const FvVdmPlane *base = view->plane[cvvdp->bands], *to = &view->drawn[cvvdp->bands];
    double mean[2], sensitivity[FV_CVVDP_CHANNELS];
    float weight[FV_CVVDP_CHANNELS];
    means_of(base, mean);
    for (int c = 0; c < view->channels; c++) {
        sensitivity[c] = fv_cvvdp_sensitivity(cvvdp->base[c], mean[1]);
        weight[c] = (float)((of_channel[c] * (view->channels < FV_CVVDP_CHANNELS ? FV_CVVDP_STILL : 1)) * of_base[c]);
    }
    for (int y = 0; y < to->height; y++)
        for (int x = 0; x < to->width; x++) {
            float sum = 0;
            for (int c = 0; c < view->channels; c++) {
                float e = (float)base_difference(base + 2 * c, mean, sensitivity[c], x, y);
                float v = fv_cvvdp_fourth(e, weight[c], cvvdp->map.zero_fourth);
                sum = c ? sum + v : v;
            }
            fv_vdm_row(to, y)[x] = fv_cvvdp_grow(sum, 0.25f, cvvdp->map.zero_root);
        }
}
