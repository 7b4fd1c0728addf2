/* VMAF: one score from several features by a trained model. docs/metrics/vmaf.md */
#include "metric/vmaf.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "metric/light.h"
#include "os/memory.h"
#include "picture/colour.h"

#define OPTION_LIST(X)                                                                                               \
    X(FvVmafOptions, version, TEXT,                                                                                  \
      ("version", "v", "auto", versions, "a built-in model; auto: by height, rate and chroma of the videos"))        \
    X(FvVmafOptions, path, PATH, ("path", "p", "a model from a file, instead of a built-in one"))                    \
    X(FvVmafOptions, name, TEXT, ("name", "", "vmaf", NULL, "of the score"))                                         \
    X(FvVmafOptions, disable_clip, BOOL, ("disable_clip", "dc", 0, "scores may leave the model's range"))            \
    X(FvVmafOptions, enable_transform, BOOL,                                                                         \
      ("enable_transform", "et", 0, "apply a transform that the model leaves off: v0.6.1 on a phone"))               \
    X(FvVmafOptions, overload, TEXT,                                                                                 \
      ("overload", "o", NULL, NULL,                                                                                  \
       "other options for the model's metrics: metric.option=value, separated by colons"))                           \
    X(FvVmafOptions, allow_hdr, BOOL,                                                                                \
      ("allow_hdr", "", 0, "score PQ and HLG videos, although every model is for standard range"))
static const char *const versions[] = {"auto",
                                       "vmaf_4k_v0.6.1",
                                       "vmaf_4k_v0.6.1neg",
                                       "vmaf_b_v0.6.3",
                                       "vmaf_v0.6.1",
                                       "vmaf_v0.6.1neg",
                                       "vmaf_v1.0.16_1d5h_2160",
                                       "vmaf_v1.0.16_3d0h",
                                       "vmaf_v1.0.16_3d0h_2160",
                                       "vmaf_v1.0.16_5d0h",
                                       "vmaf_v1.0.16_hfr_1d5h_2160",
                                       "vmaf_v1.0.16_hfr_3d0h",
                                       "vmaf_v1.0.16_hfr_3d0h_2160",
                                       "vmaf_v1.0.16_hfr_5d0h",
                                       NULL};
FV_OPTIONS(vmaf_options, OPTION_LIST);

enum { OPTION_PATH = 1 };

static const FvOutputInfo outputs[] = {
    {"vmaf", "score", 0, 110, FV_HIGHER_IS_BETTER, false,
     "quality as the model predicts it; its range is the model's"},
};

typedef struct Vmaf {
    const FvModel *model;
    FvModel *read; /* the model, if it was read from a file */
    FvModelFlags flags;
    FvVmafParts parts;
    FvError error; /* error from opening the parts, which init returns */
    char why[160]; /* the reason why "auto" chose the model */
    double *scratch;
    FvOutputInfo *outputs;
    char (*names)[160];
    int own; /* number of the model's own outputs, which precede those of the parts */
} Vmaf;

/* ---- The model ------------------------------------------------------------------------------------------------ */

/* Returns the model for videos of this format; `why` receives the properties that decided. */
static const FvModel *model_for(const FvFormat *format, char *why, size_t size)
{
    double rate = format->rate_den ? (double)format->rate_num / format->rate_den : 0;
    bool tall = format->height > 1440 || format->width > 2560, fast = rate >= 40;
    const char *name = tall   ? fast ? "vmaf_v1.0.16_hfr_1d5h_2160" : "vmaf_v1.0.16_1d5h_2160"
                       : fast ? "vmaf_v1.0.16_hfr_3d0h"
                              : "vmaf_v1.0.16_3d0h";
    if (format->chroma == FV_CHROMA_400)
        name = tall ? "vmaf_4k_v0.6.1" : "vmaf_v0.6.1";
    snprintf(why, size, "chosen for %dx%d, %s%s", format->width, format->height,
             !rate  ? "unknown rate"
             : fast ? "40 frames/s or more"
                    : "less than 40 frames/s",
             format->chroma == FV_CHROMA_400 ? ", and luma alone" : "");
    return fv_model_find(name);
}

/*
 * Copies height, distance, rates, purpose and depth from the built-in model that a model file equals, if there is
 * one.
 */
static void adopt_meaning(FvModel *read)
{
    for (int i = 0; fv_model_at(i); i++) {
        const FvModel *same = fv_model_at(i);
        if (strcmp(same->sha256, read->sha256))
            continue;
        read->height = same->height;
        read->distance = same->distance;
        read->lowest_rate = same->lowest_rate;
        read->highest_rate = same->highest_rate;
        read->purpose = same->purpose;
        read->native_depth = same->native_depth;
    }
}

static FvStatus find_model(FvMetricInstance *run, Vmaf *vmaf, FvError *error)
{
    const FvVmafOptions *options = run->options;
    if (options->path && strcmp(options->version, "auto"))
        return fv_fail(error, FV_ERROR_USAGE, "vmaf: version %s and path %s: give one of them", options->version,
                       options->path);
    if (!options->path) {
        vmaf->model = strcmp(options->version, "auto") ? fv_model_find(options->version) : NULL;
        return FV_OK;
    }
    const FvOptionFile *file = &run->files[OPTION_PATH];
    FvStatus status = fv_model_read(&vmaf->read, options->path, (const char *)file->content.bytes, file->content.size,
                                    file->sha256, error);
    if (!status)
        adopt_meaning(vmaf->read);
    vmaf->model = vmaf->read;
    return status;
}

static FvStatus open_metric(FvMetricInstance *run, FvError *error)
{
    const FvVmafOptions *options = run->options;
    if (!*options->name || strlen(options->name) > 63)
        return fv_fail(error, FV_ERROR_USAGE, "vmaf: the name of a score has 1 to 63 characters");
    Vmaf *vmaf = run->state = fv_alloc_zero(sizeof *vmaf);
    if (!vmaf)
        return fv_fail_memory(error, sizeof *vmaf);
    vmaf->flags =
        (FvModelFlags){.disable_clip = options->disable_clip, .enable_transform = options->enable_transform};
    FvStatus status = find_model(run, vmaf, error);
    if (status || !vmaf->model)
        return status;
    /* Opens the parts to report wrong options early. init opens them again, for formats that are known then. */
    status = fv_vmaf_parts_open(&vmaf->parts, vmaf->model, options->overload, 0, error);
    fv_vmaf_parts_close(&vmaf->parts);
    return status;
}

/* ---- Parts ---------------------------------------------------------------------------------------------------- */

static void features(const FvMetricInstance *run, FvWants *wants)
{
    const FvVmafOptions *options = run->options;
    Vmaf *vmaf = run->state;
    FvError ignored = {0};
    if (!vmaf->model)
        vmaf->model = model_for(&run->dis, vmaf->why, sizeof vmaf->why);
    vmaf->error = ignored;
    if (fv_vmaf_parts_open(&vmaf->parts, vmaf->model, options->overload, run->dis.depth, &vmaf->error))
        return;
    for (int i = 0; i < vmaf->parts.count; i++) {
        FvVmafPart *part = &vmaf->parts.part[i];
        part->run.ref = run->ref;
        part->run.dis = run->dis;
        if (FV_TAG_OF(run, transfer) !=
            FV_H273_PQ) /* models treat all other transfers as SDR, and assume no other display */
            part->run.ref.transfer = part->run.dis.transfer = FV_H273_UNKNOWN;
        part->run.has_reference = run->has_reference;
        part->want = wants->count;
        fv_metric_want(&part->run, wants);
        part->run.feature_count = wants->count - part->want;
    }
}

static FvStatus init_parts(FvMetricInstance *run, Vmaf *vmaf, FvError *error)
{
    FvStatus status = FV_OK;
    for (int i = 0; i < vmaf->parts.count && !status; i++) {
        FvMetricInstance *part = &vmaf->parts.part[i].run;
        for (int f = 0; f < part->feature_count; f++)
            part->feature[f] = run->feature[vmaf->parts.part[i].want + f];
        status = part->metric->init ? part->metric->init(part, error) : FV_OK;
        run->ahead = part->ahead > run->ahead ? part->ahead : run->ahead;
        run->behind = part->behind > run->behind ? part->behind : run->behind;
    }
    return status;
}

/* ---- The meaning of a score ------------------------------------------------------------------------------------ */

/* Appends as much of a text to run->note as fits. */
__attribute__((format(printf, 2, 3))) static void say(FvMetricInstance *run, const char *format, ...)
{
    size_t used = strlen(run->note);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(run->note + used, sizeof run->note - used, format, arguments);
    va_end(arguments);
}

static void warn_of_misuse(FvMetricInstance *run, const FvModel *model)
{
    const FvFormat *format = &run->dis;
    double rate = format->rate_den ? (double)format->rate_num / format->rate_den : 0;
    bool high = model->height && 2 * format->height > 3 * model->height;
    bool low = model->height && 3 * format->height < 2 * model->height;
    run->bound = low ? FV_GRADE_BOUND_AT_MOST : high ? FV_GRADE_BOUND_AT_LEAST : FV_GRADE_BOUND_NONE;
    const char *given = ((const FvVmafOptions *)run->options)->name;
    const char *name = strcmp(given, "vmaf") ? given : "VMAF";
    if (high || low)
        snprintf(run->warning, sizeof run->warning,
                 "%s is too %s: its model is for %d lines, these frames have %d. Add `scale=%dx%d`.", name,
                 low ? "high" : "low", model->height, format->height,
                 (int)(2 * llround((double)format->width * model->height / format->height / 2)), model->height);
    else if ((model->lowest_rate && rate && rate < model->lowest_rate) ||
             (model->highest_rate && rate >= model->highest_rate))
        snprintf(run->warning, sizeof run->warning,
                 "%s is unreliable: its model is not made for %g frames/s; leave the choice of the model to fovea",
                 name, rate);
}

static void describe_outputs(FvMetricInstance *run, const Vmaf *vmaf)
{
    const FvModel *model = vmaf->model;
    double low, high;
    fv_model_range(model, vmaf->flags, &low, &high);
    const FvVmafOptions *options = run->options;
    say(run, "%s is %s", options->name, model->name);
    if (*vmaf->why)
        say(run, ", %s", vmaf->why);
    say(run, "; scores from %g to %g", low, high);
    if (model->purpose)
        say(run, "; for %s, seen from %g picture heights", model->purpose, model->distance);
    if (model->native_depth > run->dis.depth)
        say(run, "; %d-bit videos are scored as %d-bit ones", run->dis.depth, model->native_depth);
    if (*vmaf->why)
        snprintf(run->remark, sizeof run->remark,
                 strstr(model->name, "v0.6.1")
                     ? "Model %s: the videos have no chroma."
                     : "Model %s, not v0.6.1: it counts banding and colour, too. `model=version=vmaf_v0.6.1`",
                 model->name);
    warn_of_misuse(run, model);
    say(run, "; SHA-256 %s", model->sha256);
}

/* ---- Outputs --------------------------------------------------------------------------------------------------- */

static bool reported(const FvMetricInstance *part, int output)
{
    bool exists = part->outputs != part->metric->info.outputs || (part->present >> output & 1);
    return exists && !part->outputs[output].sequence;
}

static int count_shared(const FvVmafParts *parts)
{
    int count = 0;
    for (int i = 0; i < parts->count; i++)
        for (int o = 0; o < parts->part[i].run.output_count; o++)
            count += reported(&parts->part[i].run, o);
    return count;
}

/* Adds the parts' outputs. Options that the model changes are a suffix of the name, as in libvmaf's reports. */
static void add_shared(Vmaf *vmaf, int at)
{
    for (int i = 0; i < vmaf->parts.count; i++) {
        const FvMetricInstance *part = &vmaf->parts.part[i].run;
        char suffix[96];
        fv_options_suffix(part->options, &part->metric->options, suffix, sizeof suffix);
        for (int o = 0; o < part->output_count; o++) {
            if (!reported(part, o))
                continue;
            vmaf->outputs[at] = part->outputs[o];
            vmaf->outputs[at].name = vmaf->names[at];
            snprintf(vmaf->names[at], sizeof *vmaf->names, "%s%s", part->outputs[o].name, suffix);
            at++;
        }
    }
}

static FvStatus make_outputs(FvMetricInstance *run, Vmaf *vmaf, FvError *error)
{
    static const char *const spreads[] = {"bagging", "stddev", "ci_p95_lo", "ci_p95_hi"};
    static const char *const spread_help[] = {
        "quality as the mean of the collection's members predicts it", "deviation of the members' predictions",
        "lower end of the members' 95 % interval", "upper end of the members' 95 % interval"};
    const FvVmafOptions *options = run->options;
    const FvModel *model = vmaf->model;
    int count = vmaf->own = fv_model_values(model), shared = count_shared(&vmaf->parts);
    vmaf->outputs = calloc((size_t)(count + shared), sizeof *vmaf->outputs);
    vmaf->names = calloc((size_t)(count + shared), sizeof *vmaf->names);
    vmaf->scratch = calloc(fv_model_scratch(model), sizeof *vmaf->scratch);
    if (!vmaf->outputs || !vmaf->names || !vmaf->scratch)
        return fv_fail_memory(error, (size_t)count * sizeof *vmaf->outputs);
    for (int i = 0; i < count; i++) {
        int spread = i - model->member_count;
        FvOutputInfo *output = &vmaf->outputs[i];
        *output = (FvOutputInfo){.name = vmaf->names[i], .unit = "score", .better = FV_HIGHER_IS_BETTER};
        fv_model_range(model, vmaf->flags, &output->minimum, &output->maximum);
        output->help = !i           ? model->purpose ? model->purpose : "quality as the model predicts it"
                       : spread < 0 ? "the prediction of one member of the collection"
                                    : spread_help[spread];
        if (!i)
            snprintf(vmaf->names[i], sizeof *vmaf->names, "%s", options->name);
        else if (spread < 0)
            snprintf(vmaf->names[i], sizeof *vmaf->names, "%s_%04d", options->name, i);
        else
            snprintf(vmaf->names[i], sizeof *vmaf->names, "%s_%s", options->name, spreads[spread]);
        if (spread == FV_MODEL_STDDEV) {
            output->minimum = -INFINITY;
            output->maximum = INFINITY;
            output->better = FV_LOWER_IS_BETTER;
        }
    }
    add_shared(vmaf, count);
    run->outputs = vmaf->outputs;
    run->output_count = count + shared;
    run->shared = shared;
    return FV_OK;
}

static FvStatus init(FvMetricInstance *run, FvError *error)
{
    Vmaf *vmaf = run->state;
    if (vmaf->error.status)
        return fv_fail(error, fv_failure_of(&vmaf->error), "%s", vmaf->error.message);
    const FvVmafOptions *options = run->options;
    int transfer = FV_TAG_OF(run, transfer);
    char name[32];
    if (!options->allow_hdr && !fv_light_is_sdr(transfer))
        return fv_fail(error, FV_ERROR_INPUT,
                       "vmaf: the videos are tagged with the transfer characteristics %s, and VMAF's models are made "
                       "for standard "
                       "dynamic range; to score them anyway, give `allow_hdr`",
                       fv_colour_name(FV_TAG_TRANSFER, transfer, name, sizeof name));
    FvStatus status = init_parts(run, vmaf, error);
    if (!status)
        status = make_outputs(run, vmaf, error);
    if (!status)
        describe_outputs(run, vmaf);
    return status;
}

static FvStatus score(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values, FvError *error)
{
    const Vmaf *vmaf = run->state;
    double seen[FV_MODEL_FEATURES], scores[64], *shared = values + vmaf->own;
    for (int i = 0; i < vmaf->parts.count; i++) {
        const FvVmafPart *part = &vmaf->parts.part[i];
        FvRows own = fv_rows_from(rows, part->want);
        FvStatus status = part->run.metric->score(&part->run, &own, frame, scores, error);
        if (status)
            return status;
        for (int f = 0; f < vmaf->model->feature_count; f++)
            if (vmaf->parts.of[f] == i)
                seen[f] = scores[vmaf->parts.output[f]];
        for (int o = 0; o < part->run.output_count; o++)
            if (reported(&part->run, o))
                *shared++ = scores[o];
    }
    fv_model_predict(vmaf->model, vmaf->flags, seen, vmaf->scratch, values);
    return FV_OK;
}

static void conclude(const FvMetricInstance *run, const FvRows *rows, char *text, size_t size)
{
    const Vmaf *vmaf = run->state;
    for (int i = 0; i < vmaf->parts.count; i++) {
        const FvVmafPart *part = &vmaf->parts.part[i];
        const FvRows own = fv_rows_from(rows, part->want);
        char why[256] = "";
        if (part->run.metric->conclude)
            part->run.metric->conclude(&part->run, &own, why, sizeof why);
        if (*why)
            snprintf(text, size, "VMAF has not seen colour: %s", why);
    }
}

static void close_metric(FvMetricInstance *run)
{
    Vmaf *vmaf = run->state;
    if (!vmaf)
        return;
    fv_vmaf_parts_close(&vmaf->parts);
    fv_model_free(&vmaf->read);
    free(vmaf->scratch);
    free(vmaf->outputs);
    free(vmaf->names);
    fv_free(vmaf);
}

const FvMetric fv_metric_vmaf = {
    .info = {.name = "vmaf",
             .title = "Video multimethod assessment fusion",
             .citation = "Netflix, https://github.com/Netflix/vmaf, whose models it carries (BSD+Patent)",
             .needs_reference = true,
             .outputs = outputs,
             .output_count = sizeof outputs / sizeof *outputs},
    FV_METRIC_OPTIONS(vmaf_options, FvVmafOptions),
    .open = open_metric,
    .features = features,
    .init = init,
    .score = score,
    .conclude = conclude,
    .close = close_metric,
};
