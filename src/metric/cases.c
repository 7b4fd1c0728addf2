#include "metric/cases.h"

#include <string.h>

#include "device/instances.h"
#include "metric/metric.h"
#include "picture/colour.h"

typedef struct Size {
    int width, height;
} Size;

/* Sizes of the quick cases: 1x1, odd sizes, sizes around tiles of 7, 8, 16, 64 and 128, and several workgroups. */
static const Size quick_sizes[] = {{1, 1}, {9, 7}, {16, 16}, {65, 33}, {127, 67}, {352, 288}};
static const Size full_sizes[] = {{2, 2},   {7, 7},     {8, 8},     {15, 15},   {31, 9},    {64, 64},
                                  {71, 72}, {129, 127}, {257, 130}, {640, 361}, {1023, 65}, {1920, 1080}};

/*
 * Returns whether the feature needs thousands of operations per sample, which is slow in scalar C and on software
 * devices.
 */
static bool is_heavy(const FvFeature *feature)
{
    static const char *const names[] = {"butteraugli", "cvvdp", "ssimulacra2", "vdm"};
    bool heavy = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        heavy |= !strcmp(feature->name, names[i]);
    return heavy;
}

/* Returns whether the feature depends on the transfer and the primaries that the video states. */
static bool shows_light(const FvFeature *feature)
{
    return !strcmp(feature->name, "light") || !strcmp(feature->name, "flash");
}

/*
 * Returns whether a combination of size, depth and chroma format is left out. Frames up to 257x130 are tested with
 * every depth and chroma format. Larger sizes get one or some of the combinations, and heavy features get one from a
 * smaller size on. cvvdp converts samples to linear light as ssimulacra2 does, so it gets small frames only. Features
 * that make tables of light get two thirds of the combinations: the tables take longer than small frames.
 */
static bool left_out(const FvFeature *feature, Size size, int d, int chroma)
{
    const int64_t samples = (int64_t)size.width * size.height;
    const bool small = !strcmp(feature->name, "cvvdp");
    if (shows_light(feature) && (size.width + d + chroma) % 3 == 0)
        return true;
    if (small && samples > 100000)
        return true;
    if (samples > 1000000)
        return !strcmp(feature->name, "butteraugli") || !strcmp(feature->name, "vdm") || d != 1 ||
               chroma != FV_CHROMA_420;
    if (is_heavy(feature) && samples > (small ? 400 : 16000))
        return (size.width + 4 * d + chroma) % 16 != 0;
    return samples > 50000 && (d + chroma) % 4;
}

/*
 * Options that select other code in the kernels, and devices without doubles, where the host does part of the work.
 */
static const struct {
    const char *metric, *options;
    bool without_float64;
    Size size;
    int fill, depth;
} specials[] = {
    {"speed_chroma", "", true, {333, 291}, FV_FILL_NOISE, 10},
    {"speed_temporal", "", true, {333, 291}, FV_FILL_EXTREMES, 10},
    {"speed_temporal", "speed_use_ref_diff=true:speed_kernelscale=3.71134", false, {333, 291}, FV_FILL_SLOPES, 10},
    {"speed_chroma",
     "speed_kernelscale=0.5:speed_weight_var_mode=5:speed_sigma_nn=0.5",
     false,
     {333, 291},
     FV_FILL_BANDS,
     10},
    {"speed_chroma", "speed_prescale=1.3:speed_prescale_method=lanczos4", false, {333, 291}, FV_FILL_SQUARES, 10},
    {"speed_temporal", "speed_prescale=0.75:speed_prescale_method=bicubic", false, {333, 291}, FV_FILL_NOISE, 10},
    {"speed_temporal", "speed_prescale=1.25:speed_prescale_method=bilinear", true, {333, 291}, FV_FILL_EXTREMES, 10},
    {"speed_chroma",
     "speed_prescale=0.6:speed_kernelscale=2:speed_weight_var_mode=3",
     false,
     {333, 291},
     FV_FILL_SLOPES,
     10},
    /*
     * Windows that span 65, 73 and 135 columns: as many as threads read of a row at once, more, and many more. Then
     * strips with more values than one pass counts, and strips with many more.
     */
    {"cambi", "window_size=127:tvi_threshold=0.001", false, {2940, 137}, FV_FILL_CELLS, 10},
    {"cambi", "window_size=127:tvi_threshold=0.001", false, {3320, 137}, FV_FILL_CELLS, 10},
    {"cambi", "window_size=127:tvi_threshold=0.001", false, {6201, 137}, FV_FILL_BANDS, 10},
    {"cambi", "tvi_threshold=0.001", false, {640, 361}, FV_FILL_CELLS, 10},
    {"cambi", "max_log_contrast=4:tvi_threshold=0.001", false, {640, 361}, FV_FILL_CELLS, 10},
    /* Workgroups of twice the usual number of rows. */
    {"cambi", "", false, {3840, 2160}, FV_FILL_BANDS, 10},
    /* Contrasts handled in groups of 2, 4 and 8. */
    {"cambi", "max_log_contrast=3:tvi_threshold=0.001:window_size=127", false, {333, 291}, FV_FILL_BANDS, 10},
    {"cambi", "max_log_contrast=4:tvi_threshold=0.001:window_size=127", false, {333, 291}, FV_FILL_BANDS, 10},
    {"cambi", "max_log_contrast=5:tvi_threshold=0.001:window_size=127", false, {333, 291}, FV_FILL_BANDS, 10},
    {"cambi", "max_log_contrast=0:tvi_threshold=0.001", false, {333, 291}, FV_FILL_BANDS, 10},
    /* A special gamma; many bands; frames too thin for the blur of masks; the longest filters. */
    {"cvvdp", "fps=8:display=standard_hdr_hlg:peak=2000", false, {129, 67}, FV_FILL_SLOPES, 10},
    {"cvvdp", "fps=480:display=standard_hdr_pq", false, {97, 71}, FV_FILL_EXTREMES, 12},
    {"cvvdp", "fps=8:ppd=480", false, {300, 141}, FV_FILL_NOISE, 8},
    {"cvvdp", "fps=8:ppd=5", false, {9, 77}, FV_FILL_SQUARES, 16},
    /*
     * Retinas of other sizes than the frame: halved; halved more often than there are samples; resampled to fewer and
     * to more samples; few levels.
     */
    {"vdm", "ppd=200", false, {333, 91}, FV_FILL_NOISE, 10},
    {"vdm", "ppd=480:max_ppd=40:levels=2:psych_slope=3", false, {9, 77}, FV_FILL_SLOPES, 10},
    {"vdm", "ppd=57:retinal_ppd=40", false, {333, 91}, FV_FILL_SLOPES, 10},
    {"vdm", "ppd=480:retinal_ppd=5:levels=1", false, {301, 3}, FV_FILL_NOISE, 10},
    {"vdm", "ppd=23:retinal_ppd=51.3:n=1.5:pool=1", false, {77, 33}, FV_FILL_NOISE, 10},
    {"vdm", "temporal=true:fps=30", false, {333, 91}, FV_FILL_NOISE, 10},
    {"vdm", "temporal=true:fps=30:ppd=200:pool=1", false, {77, 91}, FV_FILL_SQUARES, 10},
    {"vdm", "optics=false:q=7.5:csf=barten03", false, {129, 40}, FV_FILL_EXTREMES, 10},
    /*
     * The maximum depth at which two products share a word, and the next depth. Opposite samples give the maximum
     * sums.
     */
    {"vif", "", false, {129, 67}, FV_FILL_SQUARES, 14},
    {"vif", "", false, {129, 67}, FV_FILL_OPPOSITES, 14},
    {"vif", "", false, {129, 67}, FV_FILL_OPPOSITES, 15},
    /* Gain limits with a fraction, and sensitivities for which the sums of maskers wrap. */
    {"adm", "adm_enhn_gain_limit=1.2", false, {333, 91}, FV_FILL_NOISE, 8},
    {"adm", "adm_enhn_gain_limit=1.2", false, {129, 67}, FV_FILL_SLOPES, 16},
    {"adm", "adm_csf_mode=1", false, {333, 91}, FV_FILL_EXTREMES, 10},
    {"adm", "adm_csf_mode=1:adm_enhn_gain_limit=1.5", false, {129, 67}, FV_FILL_EXTREMES, 8},
    /* Point spreads of radius 1, 2 and 3. */
    {"vdm", "ppd=60", false, {97, 71}, FV_FILL_NOISE, 10},
    {"vdm", "ppd=120", false, {97, 71}, FV_FILL_NOISE, 10},
    {"vdm", "ppd=160", false, {97, 71}, FV_FILL_NOISE, 10},
    /* Kernels for larger frames than those of the list, and kernels for 8 bits. */
    {"vdm", "ppd=160", false, {97, 71}, FV_FILL_NOISE, 8},
    {"speed_chroma", "", false, {333, 291}, FV_FILL_SLOPES, 8},
    {"float_ssim", "scale=2", false, {97, 71}, FV_FILL_NOISE, 8},
    {"float_ssim", "scale=3", false, {97, 71}, FV_FILL_SLOPES, 10},
    {"pu_ssim", "scale=2", false, {97, 71}, FV_FILL_NOISE, 10},
    {"float_ms_ssim", "", false, {333, 291}, FV_FILL_NOISE, 8},
    {"float_ms_ssim", "", false, {333, 291}, FV_FILL_SLOPES, 12},
    {"xpsnr", "", false, {2113, 1153}, FV_FILL_NOISE, 8},
    {"xpsnr", "", false, {2113, 1153}, FV_FILL_SLOPES, 10},
};

/* A metric and the features that it needs. */
typedef struct Wanted {
    FvMetricInstance metric;
    FvWants wants;
} Wanted;

static FvStatus open_wanted(Wanted *wanted, const char *metric, FvError *error)
{
    wanted->wants.count = 0;
    wanted->wants.failed = false;
    FvStatus status = fv_metric_open(&wanted->metric, metric, error);
    if (!status)
        fv_metric_want(&wanted->metric, &wanted->wants);
    return status;
}

static void close_wanted(Wanted *wanted)
{
    fv_wants_free(&wanted->wants);
    fv_metric_close(&wanted->metric);
}

FvStatus fv_cases_features(const char *only, bool with_kernels, void *opaque,
                           void (*visit)(void *opaque, const char *metric, const FvFeature *feature,
                                         const void *options),
                           FvError *error)
{
    const FvFeature *seen[FV_MAX_INSTANCES];
    int count = 0;
    for (int m = 0; m < fv_metric_count(); m++) {
        Wanted wanted;
        const char *name = fv_metric_info(m)->name;
        if (only && strcmp(only, name))
            continue;
        /* The frames state no rate. At 8 frames per second, the filters cover three frames. */
        FvStatus status = open_wanted(&wanted, strcmp(name, "cvvdp") ? name : "cvvdp=fps=8", error);
        if (status == FV_ERROR_MEMORY)
            return status;
        if (status)
            continue;
        for (int w = 0; w < wanted.wants.count; w++) {
            const FvFeature *feature = wanted.wants.item[w].feature;
            int i = 0;
            while (i < count && seen[i] != feature)
                i++;
            if (i < count || count == FV_MAX_INSTANCES || (with_kernels && !feature->gpu))
                continue;
            seen[count++] = feature;
            visit(opaque, name, feature, wanted.wants.item[w].options);
        }
        close_wanted(&wanted);
    }
    return FV_OK;
}

typedef struct Visit {
    FvCaseExtent extent;
    void *opaque;
    void (*visit)(void *opaque, const FvCase *one);
} Visit;

static void visit_feature(void *opaque, const char *metric, const FvFeature *feature, const void *options)
{
    const Visit *visit = opaque;
    const Size *sizes[2] = {quick_sizes, full_sizes};
    const size_t counts[2] = {sizeof quick_sizes / sizeof *quick_sizes, sizeof full_sizes / sizeof *full_sizes};
    static const int depths[] = {8, 10, 12, 16};
    static const int transfers[] = {FV_H273_PQ, FV_H273_HLG, FV_H273_PQ, FV_H273_SRGB};
    int turn = 0;
    for (int list = 0; list < 2; list++)
        for (size_t s = 0; s < counts[list]; s++)
            for (int d = 0; d < 4; d++)
                for (int chroma = FV_CHROMA_400; chroma <= FV_CHROMA_444; chroma++) {
                    FvCaseExtent extent = FV_CASES_FULL;
                    if (!list && (turn++ + s) % 3 == 0)
                        extent = turn % 9 ? FV_CASES_SHORT : FV_CASES_BRIEF;
                    if (extent > visit->extent || left_out(feature, sizes[list][s], d, chroma))
                        continue;
                    FvCase one = {.feature = feature,
                                  .options = options,
                                  .metric = metric,
                                  .text = "",
                                  .format = {.width = sizes[list][s].width,
                                             .height = sizes[list][s].height,
                                             .chroma = (FvChroma)chroma,
                                             .depth = depths[d]},
                                  .fill = (int)(s + (size_t)d + (size_t)chroma) % FV_FILLS,
                                  .pairs = sizes[list][s].width > 1023 ? 1 : 3};
                    if (shows_light(feature)) {
                        one.format.transfer = transfers[(s + (size_t)d) % 4];
                        one.format.primaries = s % 2 ? FV_H273_BT709 : FV_H273_BT2020;
                    }
                    visit->visit(visit->opaque, &one);
                }
}

static FvStatus visit_specials(const Visit *visit, const char *only, FvError *error)
{
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        if ((only && strcmp(only, specials[i].metric)))
            continue;
        if ((specials[i].size.width < 400 ? FV_CASES_BRIEF : FV_CASES_SHORT) > visit->extent)
            continue;
        char text[256];
        Wanted wanted;
        snprintf(text, sizeof text, "%s%s%s", specials[i].metric, *specials[i].options ? "=" : "",
                 specials[i].options);
        FvStatus status = open_wanted(&wanted, text, error);
        if (status)
            return status;
        FvCase one = {.feature = wanted.wants.item[0].feature,
                      .options = wanted.wants.item[0].options,
                      .metric = specials[i].metric,
                      .text = specials[i].options,
                      .format = {.width = specials[i].size.width,
                                 .height = specials[i].size.height,
                                 .chroma = i % 2 ? FV_CHROMA_420 : FV_CHROMA_444,
                                 .depth = specials[i].depth},
                      .fill = specials[i].fill,
                      .without_float64 = specials[i].without_float64};
        one.pairs =
            one.format.width * one.format.height > 1 << 22 ? 1 : 3; /* software devices take seconds per pair */
        visit->visit(visit->opaque, &one);
        close_wanted(&wanted);
    }
    return FV_OK;
}

FvStatus fv_cases_visit(FvCaseExtent extent, const char *only, bool with_kernels, void *opaque,
                        void (*visit)(void *opaque, const FvCase *one), FvError *error)
{
    Visit all = {.extent = extent, .opaque = opaque, .visit = visit};
    FvStatus status = fv_cases_features(only, with_kernels, &all, visit_feature, error);
    return status ? status : visit_specials(&all, only, error);
}
