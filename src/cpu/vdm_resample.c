/*
 * Resamples frames to a retina of another density than the display's. Plain C, because the result must be the same on
 * every instruction set.
 */
#include "cpu/vdm_resample.h"

#include <math.h>
#include <stdlib.h>

#include "arith/dmath.h"

bool fv_vdm_resample_open(FvVdmResample *resample, int inputs, double ratio)
{
    double outputs = floor(inputs / ratio + 0.5), sigma = 0.6 * (ratio > 1 ? ratio : 1);
    int reach = (int)ceil(2.5 * sigma);
    *resample = (FvVdmResample){inputs, outputs < 1 ? 1 : (int)outputs, 2 * reach, NULL, NULL};
    resample->first = malloc(resample->outputs * sizeof *resample->first);
    resample->weights = malloc((size_t)resample->outputs * resample->taps * sizeof *resample->weights);
    double *exact = malloc(resample->taps * sizeof *exact);
    bool good = resample->first && resample->weights && exact;
    for (int i = 0; good && i < resample->outputs; i++) {
        double centre = (i + 0.5) * ratio - 0.5, total = 0;
        int first = (int)floor(centre) - reach + 1;
        for (int t = 0; t < resample->taps; t++) {
            double distance = first + t - centre;
            exact[t] = fv_d_exp(-0.5 * (distance / sigma) * (distance / sigma));
            total += exact[t];
        }
        resample->first[i] = first;
        for (int t = 0; t < resample->taps; t++)
            resample->weights[i * resample->taps + t] = (float)(exact[t] / total);
    }
    free(exact);
    if (!good)
        fv_vdm_resample_close(resample);
    return good;
}

void fv_vdm_resample_close(FvVdmResample *resample)
{
    free(resample->first);
    free(resample->weights);
    *resample = (FvVdmResample){0};
}

void fv_vdm_resample(const FvVdmResample *across, const FvVdmResample *down, const FvVdmPlane *from,
                     const FvVdmPlane *between, const FvVdmPlane *to)
{
    for (int y = 0; y < from->height; y++) {
        const float *row = fv_vdm_row(from, y);
        float *out = fv_vdm_row(between, y);
        for (int x = 0; x < between->width; x++)
            for (int t = 0; t < across->taps; t++) {
                float term =
                    row[fv_vdm_mirror(across->first[x] + t, from->width)] * across->weights[x * across->taps + t];
                out[x] = t ? out[x] + term : term;
            }
    }
    for (int y = 0; y < to->height; y++) {
        float *out = fv_vdm_row(to, y);
        for (int t = 0; t < down->taps; t++) {
            const float *row = fv_vdm_row(between, fv_vdm_mirror(down->first[y] + t, between->height));
            float weight = down->weights[y * down->taps + t];
            for (int x = 0; x < to->width; x++)
                out[x] = t ? out[x] + row[x] * weight : row[x] * weight;
        }
        fv_vdm_reflect(out, to->width, 2);
    }
}

FvVdmBetween fv_vdm_between(int i, int inputs, int outputs)
{
    double place = (i + 0.5) * inputs / outputs - 0.5, first = floor(place);
    return (FvVdmBetween){(int)first, (float)(place - first)};
}

void fv_vdm_bilinear(const FvVdmPlane *from, const FvVdmPlane *between, const FvVdmPlane *to)
{
    for (int x = 0; x < to->width; x++) {
        FvVdmBetween at = fv_vdm_between(x, from->width, to->width);
        int left = fv_vdm_mirror(at.first, from->width), right = fv_vdm_mirror(at.first + 1, from->width);
        for (int y = 0; y < from->height; y++) {
            const float *row = fv_vdm_row(from, y);
            fv_vdm_row(between, y)[x] = row[left] + at.part * (row[right] - row[left]);
        }
    }
    for (int y = 0; y < to->height; y++) {
        FvVdmBetween at = fv_vdm_between(y, from->height, to->height);
        const float *upper = fv_vdm_row(between, fv_vdm_mirror(at.first, from->height));
        const float *lower = fv_vdm_row(between, fv_vdm_mirror(at.first + 1, from->height));
        float *out = fv_vdm_row(to, y);
        for (int x = 0; x < to->width; x++)
            out[x] = upper[x] + at.part * (lower[x] - upper[x]);
    }
}
