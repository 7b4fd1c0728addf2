/* Measures steps at a grid of eight samples (blockiness) and noise. docs/metrics/texture.md */
#include <string.h>

#include "feature/check.h"

#define GRID(name, side)                                                                                             \
    {name "_0" side, FV_TERM_INTEGER}, {name "_1" side, FV_TERM_INTEGER}, {name "_2" side, FV_TERM_INTEGER},         \
        {name "_3" side, FV_TERM_INTEGER}, {name "_4" side, FV_TERM_INTEGER}, {name "_5" side, FV_TERM_INTEGER},     \
        {name "_6" side, FV_TERM_INTEGER},                                                                           \
    {                                                                                                                \
        name "_7" side, FV_TERM_INTEGER                                                                              \
    }
#define TERMS(side)                                                                                                  \
    GRID("grid_h", side), GRID("grid_v", side), {"noise" side, FV_TERM_INTEGER},                                     \
    {                                                                                                                \
        "noise_floor" side, FV_TERM_INTEGER                                                                          \
    }
static const FvTermInfo terms_info[] = {TERMS(""), TERMS("_ref")};

typedef struct Texture {
    FvCheckPlan plan;
} Texture;

static FvStatus init(FvFeatureInstance *run, FvError *error)
{
    Texture *texture = run->state;
    FvStatus status = fv_check_plan(&texture->plan, run, error);
    run->planes = 1;
    run->frame_bytes = (size_t)run->jobs[0] * sizeof(FvTextureBand);
    run->scratch_bytes = (size_t)texture->plan.blocks * sizeof(uint32_t);
    return status;
}

static bool has_noise(const FvFeatureInstance *run)
{
    return run->dis.width >= FV_CHECK_BLOCK + 2 && run->dis.height >= FV_CHECK_BLOCK + 2;
}

static void band_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvCheckPlan *plan = &((const Texture *)run->state)->plan;
    const FvCheckBand part = fv_check_band(plan, run, job);
    const FvFrame *frame = fv_check_frame(work, part.side);
    const int end =
        part.first + part.rows + 1 < run->dis.height - 1 ? part.first + part.rows + 1 : run->dis.height - 1;
    const uint32_t *block = work->scratch;
    FvTextureBand *band = (FvTextureBand *)work->frame + job;
    memset(band, 0, sizeof *band);
    plan->kernels->steps(frame, part.first, part.rows, band->across, band->down);
    /* Blocks start one row below the bands, because the operator needs a row above. */
    for (int y = part.first + 1; y < end && has_noise(run); y += FV_CHECK_BLOCK) {
        const int rows = end - y < FV_CHECK_BLOCK ? end - y : FV_CHECK_BLOCK;
        band->noise += plan->kernels->noise(frame, y, rows, work->scratch);
        for (int i = 0; i < (run->dis.width - 2) / FV_CHECK_BLOCK && rows == FV_CHECK_BLOCK; i++)
            band->bin[fv_check_bin(block[i])]++;
    }
}

static FvStatus terms(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error)
{
    const Texture *texture = run->state;
    for (int side = 0; side < texture->plan.sides; side++, row += FV_TEXTURE_TERMS) {
        FvTextureBand *all = (FvTextureBand *)work->frame + side * texture->plan.bands;
        for (int i = 1; i < texture->plan.bands; i++)
            for (int k = 0; k < FV_CHECK_BINS; k++)
                all->bin[k] += all[i].bin[k];
        for (int i = 0; i < texture->plan.bands; i++) {
            for (int k = 0; k < 8; k++) {
                row[FV_TEXTURE_ACROSS + k].integer += (int64_t)all[i].across[k];
                row[FV_TEXTURE_DOWN + k].integer += (int64_t)all[i].down[k];
            }
            row[FV_TEXTURE_NOISE].integer += (int64_t)all[i].noise;
        }
        if (has_noise(run))
            row[FV_TEXTURE_FLOOR].integer = fv_check_rank(all->bin,
                                                          (uint64_t)((run->dis.width - 2) / FV_CHECK_BLOCK) *
                                                              (uint64_t)((run->dis.height - 2) / FV_CHECK_BLOCK),
                                                          1, 10);
    }
    return FV_OK;
}

static const FvStage stages[] = {{"steps and noise", band_job, 0, false}};

const FvFeature fv_feature_texture = {
    .name = "texture",
    .cost = 400,
    FV_FEATURE_TERMS(terms_info),
    .state_size = sizeof(Texture),
    .init = init,
    FV_FEATURE_STAGES(stages),
    .gpu = FV_GPU_FEATURE(fv_texture_gpu),
    .terms = terms,
};
