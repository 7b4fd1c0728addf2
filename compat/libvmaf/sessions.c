#include "sessions.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "motion_window.h"

int lv_sessions_fail(FvStatus status, const FvError *error)
{
    lv_log(VMAF_LOG_LEVEL_ERROR, "%s", error->message);
    return status == FV_ERROR_MEMORY ? -ENOMEM : -EINVAL;
}

/* ---- Start ----------------------------------------------------------------------------------------------------- */

/* The device that "auto" chose in this process: looking for devices takes longer than scoring some pictures. */
static pthread_mutex_t device_lock = PTHREAD_MUTEX_INITIALIZER;
static char device_found[64];

static void remember_device(const FvSession *session)
{
    FvDeviceHandles handles;
    fv_session_device(session, &handles);
    pthread_mutex_lock(&device_lock);
    if (handles.kind && !strcmp(handles.kind, "cpu"))
        snprintf(device_found, sizeof device_found, "cpu");
    else if (handles.kind)
        snprintf(device_found, sizeof device_found, "%s:%d", handles.kind, handles.index);
    pthread_mutex_unlock(&device_lock);
}

static void log_message(void *opaque, FvLogLevel level, const char *message)
{
    lv_log(level == FV_LOG_INFO      ? VMAF_LOG_LEVEL_DEBUG
           : level == FV_LOG_WARNING ? VMAF_LOG_LEVEL_WARNING
                                     : VMAF_LOG_LEVEL_ERROR,
           "%s", message);
}

/*
 * Returns the number of threads: FOVEA_THREADS, or what the caller requests, but at least 1. -1: FOVEA_THREADS is not
 * a valid number.
 */
static int threads_of(const VmafContext *context)
{
    const char *wanted = getenv("FOVEA_THREADS");
    if (!wanted || !*wanted)
        return context->cfg.n_threads < 1 ? 1 : context->cfg.n_threads > 1024 ? 1024 : (int)context->cfg.n_threads;
    char *end;
    long number = strtol(wanted, &end, 10);
    return *end || number < 1 || number > 1024 ? -1 : (int)number;
}

static FvStatus open_session(const VmafContext *context, LvGroup *group, FvError *error)
{
    const char *device = getenv("FOVEA_DEVICE");
    char name[64];
    FvSessionParams params = {.threads = threads_of(context), .log = log_message, .overwrite = true};
    bool choose = !device || !*device || !strcmp(device, "auto");
    if (params.threads < 0) {
        snprintf(error->message, sizeof error->message,
                 "FOVEA_THREADS is '%.40s', which is not a number from 1 to 1024", getenv("FOVEA_THREADS"));
        return FV_ERROR_USAGE;
    }
    snprintf(name, sizeof name, "%s", choose ? "auto" : device);
    if (context->cuda && (choose || !strncmp(device, "cuda", 4))) {
        params.cuda_context = context->cuda->context;
        params.device = name;
        FvStatus status = fv_session_open(&group->session, &params, error);
        if (!status || !choose)
            return status;
        lv_log(VMAF_LOG_LEVEL_WARNING, "pictures in CUDA's memory are copied to the host: %s", error->message);
        params.cuda_context = NULL;
    }
    pthread_mutex_lock(&device_lock);
    if (choose && *device_found)
        memcpy(name, device_found, sizeof name);
    pthread_mutex_unlock(&device_lock);
    params.device = name;
    FvStatus status = fv_session_open(&group->session, &params, error);
    if (!status && choose)
        remember_device(group->session);
    return status;
}

/* Finds the outputs of a metric that libvmaf lacks: it has a column for each of its outputs of frames. */
static void find_own(const LvGroup *group, LvFeature *feature)
{
    for (int c = 0; c < LV_COLUMNS; c++)
        feature->output[c] = -1;
    for (int o = 0, c = 0; o < fv_session_outputs(group->session) && c < LV_COLUMNS; o++) {
        int metric;
        const FvOutputInfo *info = fv_session_output_origin(group->session, o, &metric);
        if (info && metric == feature->metric && !info->sequence)
            feature->output[c++] = o;
    }
}

static void find_outputs(const LvGroup *group, LvFeature *feature)
{
    const LvColumn *column = feature->extractor->column;
    for (int c = 0; c < LV_COLUMNS; c++) {
        feature->output[c] = -1;
        if (!column[c].name || !column[c].output)
            continue;
        for (int o = 0; o < fv_session_outputs(group->session); o++) {
            int metric;
            const FvOutputInfo *info = fv_session_output_origin(group->session, o, &metric);
            if (info && metric == feature->metric && !strcmp(info->name, column[c].output))
                feature->output[c] = o;
        }
    }
    /* The change and the score without a window are the same number; the second is reported only with `debug`. */
    if (!strcmp(feature->extractor->name, "motion") && !feature->options.debug)
        feature->output[1] = -1;
}

static FvStatus start_group(VmafContext *context, int g, const VmafPicture *picture, FvError *error)
{
    LvGroup *group = &context->group[g];
    if (!lv_picture_format(picture, group->chroma, &group->format)) {
        snprintf(error->message, sizeof error->message, "pictures of this format cannot be scored");
        return FV_ERROR_INPUT;
    }
    FvStatus status = open_session(context, group, error);
    for (int i = 0; i < context->feature_count && !status; i++)
        if (context->feature[i].group == g && context->feature[i].extractor->metric)
            status = fv_session_add(group->session, context->feature[i].options.metric, error);
    if (!status)
        status = fv_session_start(group->session, &group->format, &group->format, error);
    FvDeviceHandles device;
    fv_session_device(group->session, &device);
    group->gpu = device.kind && strcmp(device.kind, "cpu");
    for (int i = 0; i < context->feature_count && !status; i++)
        if (context->feature[i].group == g)
            (context->feature[i].extractor->own ? find_own : find_outputs)(group, &context->feature[i]);
    return status;
}

/*
 * Returns the session for a feature. Features that score every picture and those that do not have separate sessions,
 * and a full session is followed by another.
 */
static int group_of(VmafContext *context, LvFeature *feature)
{
    const LvExtractor *extractor = feature->extractor;
    bool every = extractor->every || context->cfg.n_subsample < 2;
    int g = 0;
    while (g < context->group_count &&
           (context->group[g].every != every || context->group[g].features == LV_PER_GROUP))
        g++;
    if (g == LV_GROUPS)
        return -1;
    if (g == context->group_count)
        context->group[context->group_count++] = (LvGroup){.every = every};
    context->group[g].chroma |= lv_looks_at_chroma(extractor, &feature->options);
    feature->metric = context->group[g].features++;
    return g;
}

static bool has_own(const VmafContext *context, int g)
{
    for (int i = 0; i < context->feature_count; i++)
        if (context->feature[i].group == g && context->feature[i].extractor->own)
            return true;
    return false;
}

int lv_sessions_start(VmafContext *context, const VmafPicture *picture)
{
    FvError error = {0};
    FvStatus status = FV_OK;
    context->group_count = 0;
    for (int i = 0; i < context->feature_count; i++) {
        LvFeature *feature = &context->feature[i];
        feature->group = feature->extractor->metric ? group_of(context, feature) : -1;
        if (feature->extractor->metric && feature->group < 0) {
            lv_log(VMAF_LOG_LEVEL_ERROR, "one context computes at most %d features", LV_PER_GROUP * (LV_GROUPS - 1));
            return -EINVAL;
        }
    }
    for (int g = 0; g < context->group_count && !status; g++)
        status = start_group(context, g, picture, &error);
    for (int g = 0; g < context->group_count && status; g++)
        fv_session_close(&context->group[g].session);
    if (status)
        return lv_sessions_fail(status, &error);
    /* libvmaf's interface does not state colour or rate, so the log states what fovea's metrics assume. */
    for (int g = 0; g < context->group_count; g++)
        for (int i = 0; i < fv_session_decisions(context->group[g].session); i++)
            lv_log(has_own(context, g) ? VMAF_LOG_LEVEL_INFO : VMAF_LOG_LEVEL_DEBUG, "%s",
                   fv_session_decision(context->group[g].session, i));
    context->started = true;
    return 0;
}

/* ---- Taking scores --------------------------------------------------------------------------------------------- */

/*
 * Gets the change of a picture. As in libvmaf, the first pictures by index have 0, and a picture without its
 * predecessor has none.
 */
static bool motion_change(const LvFeature *feature, const LvPending *pending, double *value)
{
    unsigned distance = feature->options.five_frames ? 2 : 1;
    if (pending->index < distance || feature->options.force_zero)
        *value = 0;
    return pending->index < distance || feature->options.force_zero || pending->calls >= distance;
}

static int take_feature(VmafContext *context, const LvFeature *feature, const LvPending *pending)
{
    const LvGroup *group = &context->group[feature->group];
    bool motion = !strcmp(feature->extractor->name, "motion");
    char name[LV_NAME];
    int failed = 0;
    for (int c = 0; c < LV_COLUMNS && !failed; c++) {
        if (feature->output[c] < 0)
            continue;
        double value = fv_session_value(group->session, group->taken, feature->output[c]);
        if (motion && !motion_change(feature, pending, &value))
            continue;
        if (!feature->extractor->own)
            lv_column_name(&feature->extractor->column[c], feature->options.suffix, name);
        failed = lv_scores_add(&context->scores,
                               feature->extractor->own ? fv_session_output(group->session, feature->output[c])->name
                                                       : name,
                               value, pending->index);
    }
    return failed == -ENOMEM ? failed : 0;
}

static int take_picture(VmafContext *context, const LvPending *pending)
{
    int failed = 0;
    bool threads = context->cfg.n_threads;
    for (int turn = 0; turn < 2; turn++)
        for (int i = 0; i < context->feature_count && !failed; i++) {
            const LvFeature *feature = &context->feature[i];
            bool now = (threads && !feature->extractor->first) == turn;
            if (now && feature->group >= 0 && pending->in[feature->group])
                failed = take_feature(context, feature, pending);
        }
    for (int g = 0; g < context->group_count; g++)
        context->group[g].taken += pending->in[g];
    return failed;
}

static bool is_scored(const VmafContext *context, const LvPending *pending)
{
    for (int g = 0; g < context->group_count; g++)
        if (pending->in[g] && context->group[g].taken >= fv_session_frames(context->group[g].session))
            return false;
    return true;
}

static int take_pending(VmafContext *context)
{
    int done = 0, failed = 0;
    if (!context->pending_count)
        return 0;
    while (done < context->pending_count && !failed && is_scored(context, &context->pending[done]))
        failed = take_picture(context, &context->pending[done++]);
    context->pending_count -= done;
    memmove(context->pending, context->pending + done, (size_t)context->pending_count * sizeof *context->pending);
    return failed;
}

int lv_sessions_take(VmafContext *context)
{
    int failed = 0;
    if (!context->pending_count)
        return 0;
    for (int g = 0; g < context->group_count && !context->broken; g++) {
        FvError error = {0};
        FvStatus status = fv_session_wait(context->group[g].session, &error);
        context->broken |= status != FV_OK;
        failed = !status ? 0 : context->failed ? -EINVAL : lv_sessions_fail(status, &error);
    }
    int taken = take_pending(context);
    return failed ? failed : taken;
}

/* ---- The end --------------------------------------------------------------------------------------------------- */

static int end_psnr(VmafContext *context, const LvFeature *feature)
{
    static const char *const names[] = {"apsnr_y", "apsnr_cb", "apsnr_cr"};
    const FvSession *session = context->group[feature->group].session;
    double value[3] = {-INFINITY, -INFINITY, -INFINITY}; /* the value that libvmaf reports for missing planes */
    bool any = false;
    for (int o = 0; o < fv_session_outputs(session); o++) {
        int metric;
        const FvOutputInfo *info = fv_session_output_origin(session, o, &metric);
        for (int i = 0; i < 3 && info && metric == feature->metric; i++)
            if (!strcmp(info->name, names[i])) {
                value[i] = fv_session_value(session, 0, o);
                any = true;
            }
    }
    int failed = 0;
    for (int i = 0; i < 3 && any && !failed; i++)
        failed = lv_scores_add_aggregate(&context->scores, names[i], value[i]);
    return failed;
}

static bool change_exists(const void *series, int64_t frame)
{
    double value;
    return lv_series_at(series, (unsigned)frame, &value);
}

static double change_at(const void *series, int64_t frame)
{
    double value;
    return lv_series_at(series, (unsigned)frame, &value) ? value : 0;
}

/* Computes motion at the end, from index 0 to the first missing index. */
static int end_motion(VmafContext *context, const LvFeature *feature)
{
    const LvColumn *column = feature->extractor->column;
    const LvOptions *options = &feature->options;
    char name[LV_NAME], names[2][LV_NAME];
    lv_column_name(&column[0], options->suffix, name);
    lv_column_name(&column[2], options->suffix, names[0]);
    lv_column_name(&column[3], options->suffix, names[1]);
    int failed = 0;
    for (int64_t i = 0; !failed; i++) {
        /* Looked up again, because adding a score may move the series. */
        const LvSeries *series = lv_scores_find(&context->scores, name);
        const FvMotionWindow window = {options->five_frames ? 2 : 1,
                                       options->blend_factor,
                                       options->blend_offset,
                                       options->max_val,
                                       options->moving_average,
                                       change_exists,
                                       change_at,
                                       series};
        if (!series || i > UINT32_MAX - 2 || !change_exists(series, i))
            break;
        double motion2 = fv_motion2(&window, i), motion3 = fv_motion3(&window, i);
        failed = lv_scores_add(&context->scores, names[0], motion2, (unsigned)i);
        if (failed != -ENOMEM)
            failed = lv_scores_add(&context->scores, names[1], motion3, (unsigned)i);
        failed = failed == -ENOMEM ? failed : 0;
    }
    return failed;
}

/*
 * Adds the scores of the clip of a metric that libvmaf lacks: reports have them after the pools, and the log has them
 * too, since no client requests them by name.
 */
static int end_own(VmafContext *context, const LvFeature *feature)
{
    const LvGroup *group = &context->group[feature->group];
    int failed = 0;
    for (int o = 0; o < fv_session_outputs(group->session) && !failed; o++) {
        int metric;
        double mean, least, greatest;
        const FvOutputInfo *info = fv_session_output_origin(group->session, o, &metric);
        if (!info || metric != feature->metric)
            continue;
        const char *name = fv_session_output(group->session, o)->name;
        if (info->sequence) {
            double value = fv_session_value(group->session, 0, o);
            failed = lv_scores_add_aggregate(&context->scores, name, value);
            lv_log(VMAF_LOG_LEVEL_INFO, "%s: %.6f", name, value);
        } else if (lv_series_summary(lv_scores_find(&context->scores, name), &mean, &least, &greatest))
            lv_log(VMAF_LOG_LEVEL_INFO, "%s: mean %.6f, min %.6f, max %.6f", name, mean, least, greatest);
    }
    return failed;
}

static int end_feature(VmafContext *context, const LvFeature *feature)
{
    if (feature->group < 0)
        return 0;
    if (feature->extractor->own)
        return end_own(context, feature);
    if (!strcmp(feature->extractor->name, "psnr"))
        return end_psnr(context, feature);
    return strcmp(feature->extractor->name, "motion") ? 0 : end_motion(context, feature);
}

int lv_sessions_end(VmafContext *context)
{
    int failed = lv_sessions_take(context);
    for (int g = 0; g < context->group_count && !failed; g++) {
        FvError error = {0};
        FvStatus status = context->broken ? FV_OK : fv_session_finish(context->group[g].session, &error);
        failed = status ? lv_sessions_fail(status, &error) : 0;
    }
    /* Metrics that look ahead know the last pictures' scores only now. */
    if (!failed)
        failed = take_pending(context);
    for (int i = 0; i < context->feature_count && !failed && context->started; i++)
        failed = end_feature(context, &context->feature[i]);
    return failed;
}
