#include "feature/vdm_time.h"

#include <string.h>

#include "arith/scalar.h"

#include "arith/vdm.h"

void fv_vdm_follow_rows(const FvVdmPlan *plan, const FvVdmPair *pair, int picture, int row, int rows)
{
    int last = plan->resampled ? 1 : plan->halvings, width = plan->level[0].width;
    FvVdmPlane retina = fv_vdm_level_plane(plan, pair->frame, 0, plan->chain[picture][last]);
    FvVdmPlane sustained = fv_vdm_level_plane(plan, pair->frame, 0, plan->level[0].gauss[picture]);
    FvVdmPlane transient = fv_vdm_level_plane(plan, pair->frame, 0, plan->transient[picture][0]);
    float slow = fv_vdm_share(&plan->parameters, plan->parameters.tau_s);
    float fast = fv_vdm_share(&plan->parameters, plan->parameters.tau_f);
    for (int y = row; y < row + rows; y++) {
        const float *x = fv_vdm_row(&retina, y);
        float *first = pair->lasting + (size_t)picture * FV_VDM_LASTING * plan->lasting_plane + y * retina.stride;
        float *second = first + plan->lasting_plane, *quick = second + plan->lasting_plane;
        float *stays = fv_vdm_row(&sustained, y), *changes = fv_vdm_row(&transient, y);
        if (pair->first) {
            memcpy(first, x, (size_t)width * sizeof *x);
            memcpy(second, x, (size_t)width * sizeof *x);
            memcpy(quick, x, (size_t)width * sizeof *x);
        } else
            for (int i = 0; i < width; i++) {
                first[i] = fv_vdm_follow(first[i], x[i], slow);
                second[i] = fv_vdm_follow(second[i], first[i], slow);
                quick[i] = fv_vdm_follow(quick[i], x[i], fast);
            }
        for (int i = 0; i < width; i++) {
            stays[i] = second[i];
            changes[i] = quick[i] - second[i];
        }
        fv_vdm_reflect(stays, width, 2);
        fv_vdm_reflect(changes, width, 2);
    }
}

void fv_vdm_flicker(const FvVdmPlan *plan, const FvVdmPair *pair, int picture)
{
    int level = FV_VDM_TRANSIENT_LEVEL;
    for (int k = 0; k < level; k++) {
        FvVdmPlane from = fv_vdm_level_plane(plan, pair->frame, k, plan->transient[picture][k]);
        FvVdmPlane to = fv_vdm_level_plane(plan, pair->frame, k + 1, plan->transient[picture][k + 1]);
        plan->kernels->reduce(&from, 0, to.height, &to, pair->scratch);
    }
    FvVdmPlane mean = fv_vdm_level_plane(plan, pair->frame, level + 1, plan->level[level + 1].mean[picture]);
    FvVdmPlane change = fv_vdm_level_plane(plan, pair->frame, level, plan->transient[picture][level]);
    FvVdmPlane flicker = fv_vdm_level_plane(plan, pair->frame, level, plan->flicker[picture]);
    plan->kernels->expand(&mean, 0, flicker.height, &flicker, pair->scratch);
    for (int y = 0; y < flicker.height; y++) {
        float *row = fv_vdm_row(&flicker, y), *from = fv_vdm_row(&change, y);
        for (int x = 0; x < flicker.width; x++)
            row[x] = from[x] * fv_vdm_inverse(fv_vdm_adaptation(row[x]));
    }
}

static float response(const FvVdmPlan *plan, float flicker)
{
    const FvVdmTransducer *t = &plan->transducer;
    return fv_vdm_transient(flicker, (float)plan->parameters.transient_sens, t->half_n, t->half_difference, t->kappa,
                            t->gain, t->square);
}

/* Computes row y of the difference of responses, averaged along the row. `line` is scratch memory. */
static void difference_row(const FvVdmPlan *plan, const FvVdmPlane flicker[2], int y, float *line, float *to)
{
    int width = flicker->width;
    const float *ref = fv_vdm_row(&flicker[0], y), *dis = fv_vdm_row(&flicker[1], y);
    for (int x = 0; x < width; x++)
        line[x] = response(plan, ref[x]) - response(plan, dis[x]);
    fv_vdm_reflect(line, width, 2);
    for (int x = 0; x < width; x++)
        to[x] = plan->parameters.pool == 5 ? fv_vdm_mean5(line[x - 2], line[x - 1], line[x], line[x + 1], line[x + 2])
                                           : line[x];
}

void fv_vdm_transient_rows(const FvVdmPlan *plan, const FvVdmPair *pair, int row, int rows)
{
    int level = FV_VDM_TRANSIENT_LEVEL;
    FvVdmPlane sum = fv_vdm_level_plane(plan, pair->frame, level, plan->level[level].sum);
    FvVdmPlane flicker[2] = {fv_vdm_level_plane(plan, pair->frame, level, plan->flicker[0]),
                             fv_vdm_level_plane(plan, pair->frame, level, plan->flicker[1])};
    float *line = pair->scratch + FV_VDM_MARGIN, *means = line + sum.stride;
    float q = (float)plan->parameters.q;
    for (int y = row; y < row + rows; y++) {
        float *to = fv_vdm_row(&sum, y), *near[5];
        for (int i = 0; i < 5; i++) {
            int from = fv_vdm_mirror(y + i - 2, sum.height);
            near[i] = means + i * sum.stride;
            difference_row(plan, flicker, from, line, near[i]);
        }
        for (int x = 0; x < sum.width; x++) {
            float difference = near[2][x];
            if (plan->parameters.pool == 5)
                difference = fv_vdm_mean5(near[0][x], near[1][x], near[2][x], near[3][x], near[4][x]);
            to[x] = to[x] + fv_vdm_distance(difference, q);
        }
    }
}
