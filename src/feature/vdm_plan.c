#include "feature/vdm_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arith/scalar.h"
#include "arith/vdm.h"
#include "base/error.h"
#include "picture/frame.h"

FvVdmPlane fv_vdm_plane_at(const float *frame, size_t offset, int width, int height)
{
    return (FvVdmPlane){(float *)frame + offset + FV_VDM_MARGIN, width, height, fv_vdm_stride(width)};
}

FvVdmPlane fv_vdm_level_plane(const FvVdmPlan *plan, const float *frame, int level, size_t offset)
{
    return fv_vdm_plane_at(frame, offset, plan->level[level].width, plan->level[level].height);
}

static size_t take_floats(FvVdmPlan *plan, size_t floats)
{
    size_t at = plan->floats;
    plan->floats += FV_ROUND_UP(floats, 16);
    return at;
}

static size_t take_plane(FvVdmPlan *plan, int width, int height)
{
    return take_floats(plan, fv_vdm_plane_floats(width, height));
}

bool fv_vdm_other_size(const FvVdmPlan *plan)
{
    return plan->halvings || plan->resampled;
}

static FvStatus plan_retina(FvVdmPlan *plan, FvError *error)
{
    const FvVdmParameters *p = &plan->parameters;
    int width = plan->optics.width, height = plan->optics.height;
    plan->ppd = plan->retinal_ppd = fv_vdm_ppd(p, height);
    plan->chain_width[0] = width;
    plan->chain_height[0] = height;
    for (int picture = 0; picture < 2; picture++)
        plan->chain[picture][0] = take_plane(plan, width, height);
    if (p->retinal_ppd > 0) {
        double ratio = plan->ppd / p->retinal_ppd;
        plan->retinal_ppd = p->retinal_ppd;
        plan->resampled = fabs(ratio - 1) > 1e-9;
        if (plan->resampled) {
            double sides = width / ratio > height / ratio ? width / ratio : height / ratio;
            if (sides > FV_MAX_SIDE)
                return fv_fail(error, FV_ERROR_USAGE,
                               "vdm: retinal_ppd=%g enlarges a picture of %dx%d with %g pixels per degree to more "
                               "than %d pixels on a side; "
                               "choose a smaller retinal_ppd",
                               p->retinal_ppd, width, height, plan->ppd, FV_MAX_SIDE);
            if (!fv_vdm_resample_open(&plan->across, width, ratio) ||
                !fv_vdm_resample_open(&plan->down, height, ratio))
                return fv_fail(error, FV_ERROR_MEMORY, "vdm: out of memory");
            plan->wide = take_plane(plan, plan->across.outputs, height);
            plan->chain_width[1] = plan->across.outputs;
            plan->chain_height[1] = plan->down.outputs;
            for (int picture = 0; picture < 2; picture++)
                plan->chain[picture][1] = take_plane(plan, plan->chain_width[1], plan->chain_height[1]);
        }
        return FV_OK;
    }
    for (; plan->retinal_ppd > p->max_ppd; plan->halvings++) {
        int i = plan->halvings;
        plan->retinal_ppd *= 0.5;
        plan->chain_width[i + 1] = (plan->chain_width[i] + 1) >> 1;
        plan->chain_height[i + 1] = (plan->chain_height[i] + 1) >> 1;
        for (int picture = 0; picture < 2; picture++)
            plan->chain[picture][i + 1] = take_plane(plan, plan->chain_width[i + 1], plan->chain_height[i + 1]);
    }
    return FV_OK;
}

static void plan_levels(FvVdmPlan *plan, bool seen)
{
    int levels = plan->parameters.levels, last = plan->resampled ? 1 : plan->halvings;
    for (int k = 0; k < levels + 2; k++) {
        FvVdmPlace *place = &plan->level[k];
        place->width = k ? (place[-1].width + 1) >> 1 : plan->chain_width[last];
        place->height = k ? (place[-1].height + 1) >> 1 : plan->chain_height[last];
        for (int picture = 0; picture < 2; picture++) {
            bool own = k || plan->parameters.temporal;
            place->gauss[picture] = own ? take_plane(plan, place->width, place->height) : plan->chain[picture][last];
            if (k > 0 && k <= levels)
                place->mean[picture] = take_plane(plan, place->width, place->height);
        }
        if (k >= levels)
            continue;
        place->sum = take_plane(plan, place->width, place->height);
        for (int o = 0; seen && o < 8; o++) {
            size_t at = take_plane(plan, place->width, place->height);
            if (o % 2 == 0)
                place->seen[o / 2] = at;
        }
        place->tile = plan->tiles;
        place->across = (place->width + FV_VDM_TILE_WIDTH - 1) / FV_VDM_TILE_WIDTH;
        place->down = (place->height + FV_VDM_TILE_HEIGHT - 1) / FV_VDM_TILE_HEIGHT;
        plan->tiles += place->across * place->down;
    }
}

static void plan_weights(FvVdmPlan *plan, const FvVdmPlan *before)
{
    const FvVdmParameters *p = &plan->parameters, *q = before ? &before->parameters : NULL;
    bool same = q && before->retinal_ppd == plan->retinal_ppd && p->optics == q->optics &&
                p->barten03 == q->barten03 && p->csf_width == q->csf_width && p->csf_gain == q->csf_gain &&
                p->levels <= q->levels;
    FvVdmNodes nodes;
    if (same)
        memcpy(plan->weights, before->weights, sizeof plan->weights);
    else
        fv_vdm_nodes(p, &nodes);
    for (int k = 0; k < p->levels && !same; k++)
        fv_vdm_weights(p, &nodes, plan->retinal_ppd, k, plan->weights[k]);
}

static void plan_time(FvVdmPlan *plan)
{
    if (!plan->parameters.temporal)
        return;
    const FvVdmPlace *place = plan->level;
    plan->lasting_plane = fv_vdm_plane_floats(place->width, place->height);
    plan->lasting_floats = 2 * FV_VDM_LASTING * plan->lasting_plane;
    for (int picture = 0; picture < 2; picture++) {
        for (int k = 0; k <= FV_VDM_TRANSIENT_LEVEL; k++)
            plan->transient[picture][k] = take_plane(plan, place[k].width, place[k].height);
        plan->flicker[picture] =
            take_plane(plan, place[FV_VDM_TRANSIENT_LEVEL].width, place[FV_VDM_TRANSIENT_LEVEL].height);
    }
}

static void plan_map(FvVdmPlan *plan)
{
    int height = plan->optics.height, bands = (height + FV_VDM_MAP_BAND - 1) / FV_VDM_MAP_BAND;
    plan->segments = (plan->optics.width + FV_VDM_SEGMENT - 1) / FV_VDM_SEGMENT;
    if (fv_vdm_other_size(plan))
        for (int i = 0; i <= (plan->resampled ? 1 : plan->halvings); i++)
            plan->maps[i] = take_plane(plan, plan->chain_width[i], plan->chain_height[i]);
    if (plan->resampled)
        plan->map_wide = take_plane(plan, plan->chain_width[0], plan->chain_height[1]);
    plan->sums = take_floats(plan, (size_t)height * plan->segments * sizeof(FvVdmSums) / sizeof(float));
    plan->counts = take_floats(plan, bands * sizeof(FvVdmCounted) / sizeof(float));
    plan->bins = take_floats(plan, FV_VDM_BINS);
    int widest = plan->chain_width[plan->resampled] > plan->chain_width[0] ? plan->chain_width[plan->resampled]
                                                                           : plan->chain_width[0];
    size_t map = fv_vdm_stride(widest) * (size_t)FV_VDM_MAP_BAND + FV_VDM_MARGIN + FV_VDM_BINS;
    plan->scratch_floats = fv_vdm_work_floats(widest) + map;
}

FvStatus fv_vdm_plan_open(FvVdmPlan *plan, const FvVdmParameters *parameters, int width, int height, int depth,
                          int bytes, bool seen, FvIsa isa, const FvVdmPlan *before, FvError *error)
{
    if (parameters->temporal && !(parameters->fps >= 1 && parameters->fps <= 1000))
        return fv_fail(error, FV_ERROR_USAGE, "vdm: temporal=true needs a frame rate from 1 to 1000, %s; set fps",
                       parameters->fps > 0 ? "and the video's is not in that range" : "and the video states none");
    *plan = (FvVdmPlan){.parameters = *parameters, .kernels = fv_vdm_kernels(isa)};
    plan->optics = (FvVdmOptics){.width = width, .height = height, .bytes = bytes};
    if (bytes != 4) {
        plan->display = malloc(sizeof *plan->display << depth);
        if (!plan->display)
            return fv_fail(error, FV_ERROR_MEMORY, "vdm: out of memory");
        if (before && before->display && before->optics.greatest == (1 << depth) - 1 &&
            fv_vdm_same_display(parameters, &before->parameters))
            memcpy(plan->display, before->display, sizeof *plan->display << depth);
        else
            fv_vdm_display(parameters, depth, plan->display);
        plan->optics.display = plan->display;
        plan->optics.greatest = (1 << depth) - 1;
    }
    FvStatus status = plan_retina(plan, error);
    if (status)
        return status;
    bool same_eye = before && before->ppd == plan->ppd && before->parameters.optics == parameters->optics;
    plan->optics.spread = same_eye ? before->optics.spread : fv_vdm_spread_at(parameters, plan->ppd);
    plan->transducer = fv_vdm_transducer(parameters);
    plan_levels(plan, seen);
    plan_weights(plan, before);
    plan_time(plan);
    plan_map(plan);
    return FV_OK;
}

void fv_vdm_plan_close(FvVdmPlan *plan)
{
    free(plan->display);
    plan->display = NULL;
    fv_vdm_resample_close(&plan->across);
    fv_vdm_resample_close(&plan->down);
    fv_weigher_close(&plan->region);
}
