/* ADM as a feature: each scale is a stage, and its jobs are bands of rows. docs/metrics/adm.md */
#include "feature/adm.h"

#include "base/error.h"
#include "os/memory.h"

#define OPTION_LIST(X) FV_ADM_OPTION_LIST(X, FvAdmOptions, )
FV_OPTIONS(adm_options, OPTION_LIST);

#define BANDS_OF(scale, what)                                                                                        \
    {what "_h_scale" #scale, FV_TERM_INTEGER}, {what "_v_scale" #scale, FV_TERM_INTEGER},                            \
    {                                                                                                                \
        what "_d_scale" #scale, FV_TERM_INTEGER                                                                      \
    }
#define TERMS_OF(scale) BANDS_OF(scale, "detail"), BANDS_OF(scale, "restored"), BANDS_OF(scale, "additive")
static const FvTermInfo terms_info[FV_ADM_TERMS] = {TERMS_OF(0), TERMS_OF(1), TERMS_OF(2), TERMS_OF(3)};

/* Number of rows of coefficients per job. */
#define BAND 64

/* Minimum side of a frame in samples: libvmaf reads outside smaller frames. */
#define LEAST 33

static void job(const FvFeatureInstance *run, const FvWork *work, int band)
{
    const FvAdm *adm = run->state;
    const int scale = work->level;
    uint8_t *frame = work->frame;
    FvAdmPlane input[2] = {{work->ref->data[0], work->ref->stride[0]}, {work->dis->data[0], work->dis->stride[0]}};
    FvAdmPlane low[2];
    for (int i = 0; i < 2; i++) {
        if (scale)
            input[i] = (FvAdmPlane){frame + adm->low[scale - 1][i], adm->low_stride[scale - 1]};
        low[i] = (FvAdmPlane){frame + adm->low[scale][i], adm->low_stride[scale]};
    }
    int first = band * BAND, rows = adm->scale[scale].rows - first;
    FvAdmSums *sums = (FvAdmSums *)(frame + adm->sums[scale]);
    adm->kernels[scale]->rows(&adm->scale[scale], input, low, first, rows < BAND ? rows : BAND, work->scratch,
                              &sums[band]);
}

static FvStatus init(FvFeatureInstance *run, FvError *error)
{
    const FvFormat *format = &run->dis;
    if (format->width < LEAST || format->height < LEAST)
        return fv_fail(error, FV_FAIL_UNDEFINED_METRIC,
                       "adm: %dx%d is too small; the metric takes pictures from %dx%d", format->width, format->height,
                       LEAST, LEAST);
    FvAdm *adm = run->state;
    FvStatus status = fv_adm_sensitivities(run->options, "adm", adm->sensitivity, error);
    if (status)
        return status;
    fv_adm_scales(run->options, adm->sensitivity, format->width, format->height, format->depth, adm->scale);
    size_t bytes = 0;
    for (int i = 0; i < FV_ADM_SCALES; i++) {
        const FvAdmScale *scale = &adm->scale[i];
        adm->kernels[i] = fv_adm_kernels(scale->wraps ? FV_ISA_SCALAR : run->isa);
        run->jobs[i] = (scale->rows + BAND - 1) / BAND;
        adm->low_stride[i] = (ptrdiff_t)FV_ROUND_UP((size_t)scale->columns * (i ? 4 : 2) + 64, 64);
        for (int picture = 0; picture < 2; picture++) {
            adm->low[i][picture] = bytes;
            bytes += (size_t)scale->rows * (size_t)adm->low_stride[i];
        }
        adm->sums[i] = bytes;
        bytes += FV_ROUND_UP((size_t)run->jobs[i] * sizeof(FvAdmSums), 64);
    }
    run->planes = 1;
    run->frame_bytes = bytes;
    run->scratch_bytes = fv_adm_scratch_bytes(adm->scale);
    return FV_OK;
}

static FvStatus terms(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error)
{
    const FvAdm *adm = run->state;
    for (int i = 0; i < FV_ADM_SCALES; i++, row += 9) {
        const FvAdmSums *sums = (const FvAdmSums *)((const uint8_t *)work->frame + adm->sums[i]);
        for (int band = 0; band < run->jobs[i]; band++)
            for (int k = 0; k < 3; k++) {
                row[k].integer += sums[band].detail[k];
                row[3 + k].integer += sums[band].restored[k];
                row[6 + k].integer += sums[band].additive[k];
            }
    }
    return FV_OK;
}

static const FvStage stages[] = {
    {"scale 0", job, 0, false},
    {"scale 1", job, 1, false},
    {"scale 2", job, 2, false},
    {"scale 3", job, 3, false},
};

const FvFeature fv_feature_adm = {
    .name = "adm",
    .cost = 3200,
    FV_FEATURE_OPTIONS(adm_options, FvAdmOptions),
    FV_FEATURE_TERMS(terms_info),
    .state_size = sizeof(FvAdm),
    .init = init,
    FV_FEATURE_STAGES(stages),
    .gpu = FV_GPU_FEATURE(fv_adm_gpu),
    .terms = terms,
};
