/* Measures the light of pixels in PQ and HLG, and counts colours outside smaller gamuts. docs/metrics/light.md */
#include <string.h>

#include "base/error.h"
#include "feature/check.h"
#include "os/memory.h"
#include "picture/colour.h"

#define OPTION_LIST(X) X(FvPeaksOptions, hlg_peak, INT, FV_PEAKS_HLG_PEAK)
FV_OPTIONS(peaks_options, OPTION_LIST);

#define TERMS(side)                                                                                                  \
    {"light_max" side, FV_TERM_INTEGER}, {"light_sum" side, FV_TERM_INTEGER}, {"light_p99" side, FV_TERM_INTEGER},   \
        {"light_p9999" side, FV_TERM_INTEGER}, {"outside_bt709" side, FV_TERM_INTEGER},                              \
        {"outside_p3" side, FV_TERM_INTEGER},                                                                        \
    {                                                                                                                \
        "lit" side, FV_TERM_INTEGER                                                                                  \
    }
static const FvTermInfo terms_info[] = {TERMS(""), TERMS("_ref")};

static size_t row_of(const FvFeatureInstance *run)
{
    return FV_ROUND_UP((size_t)run->dis.width + 64, 32);
}

static FvStatus init(FvFeatureInstance *run, FvError *error)
{
    const FvPeaksOptions *options = run->options;
    FvPeaks *peaks = run->state;
    FvStatus status = fv_check_plan(&peaks->plan, run, error);
    for (int side = 0; side < peaks->plan.sides && !status; side++)
        status = fv_check_light_open(&peaks->light[side], fv_check_format(run, side), 200, options->hlg_peak, error);
    run->frame_bytes = (size_t)run->jobs[0] * sizeof(FvCheckPeaks);
    run->scratch_bytes = 3 * row_of(run) * sizeof(uint16_t);
    return status;
}

static void band_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvPeaks *peaks = run->state;
    const FvCheckBand part = fv_check_band(&peaks->plan, run, job);
    const FvFormat *format = fv_check_format(run, part.side);
    FvCheckPeaks *of = (FvCheckPeaks *)work->frame + job;
    uint16_t *row = work->scratch, *const place[3] = {row, row + row_of(run), row + 2 * row_of(run)};
    memset(of, 0, sizeof *of);
    for (int y = part.first; y < part.first + part.rows && fv_check_is_hdr(format); y++) {
        peaks->plan.kernels->places(&peaks->light[part.side], fv_check_frame(work, part.side), y, place);
        fv_check_peaks(&peaks->light[part.side], place, format->width, format->primaries == FV_H273_BT2020, of);
    }
}

static FvStatus terms(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error)
{
    const FvPeaks *peaks = run->state;
    const uint64_t pixels = (uint64_t)run->dis.width * (uint64_t)run->dis.height;
    for (int side = 0; side < peaks->plan.sides; side++, row += FV_PEAKS_TERMS) {
        if (!fv_check_is_hdr(fv_check_format(run, side)))
            continue;
        FvCheckPeaks *all = (FvCheckPeaks *)work->frame + side * peaks->plan.bands;
        for (int i = 1; i < peaks->plan.bands; i++) {
            all->sum += all[i].sum;
            all->lit += all[i].lit;
            all->most = all[i].most > all->most ? all[i].most : all->most;
            for (int k = 0; k < 2; k++)
                all->outside[k] += all[i].outside[k];
            for (int k = 0; k < FV_CHECK_BINS; k++)
                all->bin[k] += all[i].bin[k];
        }
        const uint32_t p99 = fv_check_rank(all->bin, pixels, 99, 100),
                       p9999 = fv_check_rank(all->bin, pixels, 9999, 10000);
        row[FV_PEAKS_MOST].integer = all->most;
        row[FV_PEAKS_SUM].integer = (int64_t)all->sum;
        row[FV_PEAKS_P99].integer = p99 < all->most ? p99 : all->most;
        row[FV_PEAKS_P9999].integer = p9999 < all->most ? p9999 : all->most;
        row[FV_PEAKS_BT709].integer = (int64_t)all->outside[0];
        row[FV_PEAKS_P3].integer = (int64_t)all->outside[1];
        row[FV_PEAKS_LIT].integer = (int64_t)all->lit;
    }
    return FV_OK;
}

static void close_run(FvFeatureInstance *run)
{
    FvPeaks *peaks = run->state;
    for (int side = 0; side < FV_CHECK_SIDES; side++)
        fv_check_light_close(&peaks->light[side]);
}

static const FvStage stages[] = {{"light", band_job, 0, false}};

const FvFeature fv_feature_peaks = {
    .name = "light",
    .cost = 2000,
    FV_FEATURE_OPTIONS(peaks_options, FvPeaksOptions),
    FV_FEATURE_TERMS(terms_info),
    .state_size = sizeof(FvPeaks),
    .init = init,
    FV_FEATURE_STAGES(stages),
    .gpu = FV_GPU_FEATURE(fv_peaks_gpu),
    .terms = terms,
    .close = close_run,
};
