/* Spatial and temporal information of ITU-T P.910: sums of gradients and of changes. docs/metrics/siti.md */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arith/transfer.h"
#include "base/error.h"
#include "feature/check.h"

const char *const fv_siti_domains[] = {"pq", "code", NULL};

#define OPTION_LIST(X) X(FvSitiOptions, domain, TEXT, FV_SITI_DOMAIN)
FV_OPTIONS(siti_options, OPTION_LIST);

#define TERMS(side)                                                                                                  \
    {"si_sum" side, FV_TERM_INTEGER}, {"si_squares_low" side, FV_TERM_INTEGER},                                      \
        {"si_squares_high" side, FV_TERM_INTEGER}, {"ti_sum" side, FV_TERM_INTEGER},                                 \
        {"ti_squares_low" side, FV_TERM_INTEGER},                                                                    \
    {                                                                                                                \
        "ti_squares_high" side, FV_TERM_INTEGER                                                                      \
    }
static const FvTermInfo terms_info[] = {TERMS(""), TERMS("_ref")};

#define WHOLE 1048575 /* value of the signal 1 in the domain pq */

static bool takes_codes(const FvSitiOptions *options)
{
    return !strcmp(options->domain, "code");
}

int64_t fv_siti_unit(const FvSitiOptions *options, const FvFormat *format)
{
    const FvCheckRange range = fv_check_range(format);
    return takes_codes(options) ? (int64_t)(range.high - range.low) << (20 - format->depth) : WHOLE;
}

/* Returns the PQ signal that has the light of a signal v on the displays of P.910. */
static double signal_of(FvCheckTransfer transfer, double v)
{
    switch (transfer) {
    case FV_CHECK_PQ:
        return v;
    case FV_CHECK_HLG:
        return fv_pq_signal((1000.0 - 0.01) * fv_d_pow(fv_hlg(v), 1.2) + 0.01);
    case FV_CHECK_SRGB:
        return fv_pq_signal((300.0 - 0.1) * fv_srgb(v) + 0.1);
    default:
        return fv_pq_signal((300.0 - 0.1) * fv_d_pow(v, 2.4) + 0.1);
    }
}

static FvStatus make_table(int32_t **table, const FvSitiOptions *options, const FvFormat *format, FvError *error)
{
    const FvCheckRange range = fv_check_range(format);
    const int codes = 1 << format->depth;
    if (!(*table = malloc((size_t)codes * sizeof **table)))
        return fv_fail_memory(error, (size_t)codes * sizeof **table);
    for (int code = 0; code < codes; code++) {
        const int legal = code < range.low ? range.low : code > range.high ? range.high : code;
        const double v = (double)(legal - range.low) / (range.high - range.low);
        (*table)[code] = takes_codes(options)
                             ? code << (20 - format->depth)
                             : (int32_t)floor((double)WHOLE * signal_of(fv_check_transfer(format), v) + 0.5);
    }
    return FV_OK;
}

static FvStatus init(FvFeatureInstance *run, FvError *error)
{
    FvSiti *siti = run->state;
    FvStatus status = fv_check_plan(&siti->plan, run, error);
    for (int side = 0; side < siti->plan.sides && !status; side++)
        status = make_table(&siti->table[side], run->options, fv_check_format(run, side), error);
    run->planes = 1;
    run->behind = 1;
    run->frame_bytes = (size_t)run->jobs[0] * sizeof(FvSitiBand);
    run->scratch_bytes = fv_check_siti_scratch(run->dis.width);
    return status;
}

static void band_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvSiti *siti = run->state;
    const FvCheckBand band = fv_check_band(&siti->plan, run, job);
    FvSitiBand *sums = (FvSitiBand *)work->frame + job;
    *sums = (FvSitiBand){{0}, {0}};
    siti->plan.kernels->siti(siti->table[band.side], fv_check_frame(work, band.side),
                             fv_check_before(work, band.side), band.first, band.rows, &sums->si, &sums->ti,
                             work->scratch);
}

static void add_terms(FvTerm *row, const FvCheckSums *sums)
{
    row[0].integer += sums->sum;
    const uint64_t low = (uint64_t)row[1].integer + sums->low;
    row[1].integer = (int64_t)(low & 0xffffffffu);
    row[2].integer += (int64_t)(sums->high + (low >> 32));
}

static FvStatus terms(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error)
{
    const FvSiti *siti = run->state;
    const FvSitiBand *sums = work->frame;
    for (int job = 0; job < run->jobs[0]; job++) {
        FvTerm *at = row + fv_check_band(&siti->plan, run, job).side * FV_SITI_TERMS;
        add_terms(at + FV_SITI_SI, &sums[job].si);
        add_terms(at + FV_SITI_TI, &sums[job].ti);
    }
    return FV_OK;
}

static void close_run(FvFeatureInstance *run)
{
    FvSiti *siti = run->state;
    for (int side = 0; side < FV_CHECK_SIDES; side++)
        free(siti->table[side]);
}

static const FvStage stages[] = {{"gradients and changes", band_job, 0, false}};

const FvFeature fv_feature_siti = {
    .name = "siti",
    .cost = 1300,
    FV_FEATURE_OPTIONS(siti_options, FvSitiOptions),
    FV_FEATURE_TERMS(terms_info),
    .every_frame = true,
    .state_size = sizeof(FvSiti),
    .init = init,
    FV_FEATURE_STAGES(stages),
    .gpu = FV_GPU_FEATURE(fv_siti_gpu),
    .terms = terms,
    .close = close_run,
};
