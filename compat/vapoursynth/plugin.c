/*
 * A plugin for VapourSynth, API 4: it adds scores as properties to the distorted clip's pictures. docs/vapoursynth.md
 */
#include <ctype.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "clip.h"
#include "text.h"

typedef struct Filter {
    VSNode *node[2]; /* nodes by FvSide */
    FvFormat format[2];
    char *metrics, *device;
    int pictures, threads;

    /* Every metric reads one picture only, so pictures are scored in any order, each thread with its own session. */
    bool alone;
    pthread_mutex_t lock;
    FvSession **idle; /* sessions that are free */
    int idle_count, idle_room;

    /*
     * Otherwise one session gets the pictures in order and keeps their scores; VapourSynth then makes one call at a
     * time.
     */
    FvSession *session;
    int pushed;
} Filter;

enum { STEP = 8 }; /* number of pictures requested at once */

/* ---- Sessions -------------------------------------------------------------------------------------------------- */

/* Returns whether no metric reads other pictures, has a score for the whole clip, or writes a file. */
static bool looks_at_one(const FvSession *session)
{
    static const char *const names[] = {"adm",           "butteraugli", "cambi", "ciede",    "delta_e_itp",
                                        "float_ms_ssim", "float_ssim",  "psnr",  "psnr_hvs", "pu_ssim",
                                        "speed_chroma",  "ssimulacra2", "vif"};
    bool all = true;
    for (int m = 0; m < fv_session_metrics(session); m++) {
        bool found = false;
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            found |= !strcmp(names[i], fv_session_metric(session, m)->name);
        char text[1024];
        FvError error;
        all &= found && !fv_session_metric_text(session, m, text, sizeof text, &error) &&
               !strstr(text, "heatmaps_path=");
    }
    for (int o = 0; o < fv_session_outputs(session); o++)
        all &= !fv_session_output(session, o)->sequence;
    return all;
}

static FvStatus open_session(const Filter *filter, int threads, FvSession **session, FvError *error)
{
    FvStatus status =
        fv_session_open(session, &(FvSessionParams){.device = filter->device, .threads = threads}, error);
    if (!status)
        status = fv_session_add(*session, filter->metrics, error);
    if (!status)
        status = fv_session_start(*session, &filter->format[FV_REFERENCE], &filter->format[FV_DISTORTED], error);
    if (status)
        fv_session_close(session);
    return status;
}

static FvStatus take_session(Filter *filter, FvSession **session, FvError *error)
{
    pthread_mutex_lock(&filter->lock);
    *session = filter->idle_count ? filter->idle[--filter->idle_count] : NULL;
    pthread_mutex_unlock(&filter->lock);
    return *session ? FV_OK : open_session(filter, 1, session, error);
}

static void give_session(Filter *filter, FvSession **session)
{
    pthread_mutex_lock(&filter->lock);
    if (filter->idle_count == filter->idle_room) {
        FvSession **grown = realloc(filter->idle, (size_t)(filter->idle_room + 8) * sizeof *grown);
        filter->idle = grown ? grown : filter->idle;
        filter->idle_room += grown ? 8 : 0;
    }
    if (filter->idle_count < filter->idle_room) {
        filter->idle[filter->idle_count++] = *session;
        *session = NULL;
    }
    pthread_mutex_unlock(&filter->lock);
    fv_session_close(session);
}

/* ---- Pictures -------------------------------------------------------------------------------------------------- */

/*
 * Pushes picture n of both clips. The distorted clip's picture `shown` is not released, because it is needed again.
 */
static FvStatus push_frames(const Filter *filter, FvSession *session, int n, int shown, VSFrameContext *context,
                            const VSAPI *api, FvError *error)
{
    FvFrame *frame[2] = {NULL, NULL};
    FvStatus status = FV_OK;
    for (int side = 0; side < 2 && !status; side++) {
        const VSFrame *picture = api->getFrameFilter(n, filter->node[side], context);
        status = clip_frame(picture, &filter->format[side], &frame[side], api, error);
        api->freeFrame(picture);
    }
    bool same = filter->node[FV_REFERENCE] == filter->node[FV_DISTORTED];
    if (n != shown || !same)
        api->releaseFrameEarly(filter->node[FV_REFERENCE], n, context);
    if (n != shown)
        api->releaseFrameEarly(filter->node[FV_DISTORTED], n, context);
    if (!status)
        status = fv_session_push(session, n, frame[FV_REFERENCE], frame[FV_DISTORTED], error);
    fv_frame_unref(&frame[FV_REFERENCE]);
    fv_frame_unref(&frame[FV_DISTORTED]);
    return status;
}

/*
 * Returns the distorted clip's picture n with the scores of row `row`; the last picture also gets those of the clip.
 */
static const VSFrame *with_scores(const Filter *filter, const FvSession *session, int64_t row, int n,
                                  VSFrameContext *context, VSCore *core, const VSAPI *api)
{
    const VSFrame *picture = api->getFrameFilter(n, filter->node[FV_DISTORTED], context);
    VSFrame *copy = api->copyFrame(picture, core);
    VSMap *properties = api->getFramePropertiesRW(copy);
    api->freeFrame(picture);
    for (int o = 0; o < fv_session_outputs(session); o++) {
        char name[256];
        const FvOutputInfo *info = fv_session_output(session, o);
        snprintf(name, sizeof name, "%s", info->name);
        for (char *c = name; *c; c++)
            *c = isalnum((unsigned char)*c) ? *c : '_';
        if (!info->sequence || n == filter->pictures - 1)
            api->mapSetFloat(properties, name, fv_session_value(session, row, o), maReplace);
    }
    return copy;
}

static const VSFrame *fail_frame(const FvError *error, int n, VSFrameContext *context, const VSAPI *api)
{
    char text[1100];
    snprintf(text, sizeof text, "fovea: frame %d: %s", n, error->message);
    api->setFilterError(text, context);
    return NULL;
}

static void request(const Filter *filter, int n, int except, VSFrameContext *context, const VSAPI *api)
{
    api->requestFrameFilter(n, filter->node[FV_REFERENCE], context);
    if (n != except)
        api->requestFrameFilter(n, filter->node[FV_DISTORTED], context);
}

static const VSFrame *VS_CC get_alone(int n, int reason, void *data, void **memo, VSFrameContext *context,
                                      VSCore *core, const VSAPI *api)
{
    Filter *filter = data;
    FvSession *session;
    FvError error = {0};
    if (reason == arInitial)
        request(filter, n, -1, context, api);
    if (reason != arAllFramesReady)
        return NULL;
    FvStatus status = take_session(filter, &session, &error);
    if (!status)
        status = push_frames(filter, session, n, n, context, api, &error);
    if (!status)
        status = fv_session_wait(session, &error);
    if (status) {
        fv_session_close(&session);
        return fail_frame(&error, n, context, api);
    }
    const VSFrame *scored = with_scores(filter, session, fv_session_frames(session) - 1, n, context, core, api);
    give_session(filter, &session);
    return scored;
}

/*
 * Requests all pictures up to n that the session lacks, and as many after n as its scores have lagged so far. The
 * memo stores the end of the requested range. A later round requests pictures that are then still missing.
 */
static void request_next(const Filter *filter, int n, bool first, void **memo, VSFrameContext *context,
                         const VSAPI *api)
{
    int64_t late = filter->pushed - fv_session_frames(filter->session), end = n + 1 + late;
    if (first)
        api->requestFrameFilter(n, filter->node[FV_DISTORTED], context);
    if (end <= filter->pushed)
        end = filter->pushed + 1;
    if (end > filter->pushed + STEP)
        end = filter->pushed + STEP;
    if (end > filter->pictures)
        end = filter->pictures;
    if (first && fv_session_frames(filter->session) > n)
        end = 0;
    for (int i = filter->pushed; i < end; i++)
        request(filter, i, n, context, api);
    *memo = (void *)(intptr_t)end;
}

static FvStatus push_up_to(Filter *filter, int end, int shown, VSFrameContext *context, const VSAPI *api,
                           FvError *error)
{
    FvStatus status = FV_OK;
    bool any = filter->pushed < end;
    for (; filter->pushed < end && !status; filter->pushed += !status)
        status = push_frames(filter, filter->session, filter->pushed, shown, context, api, error);
    if (!status && any)
        status = (filter->pushed == filter->pictures ? fv_session_finish : fv_session_wait)(filter->session, error);
    return status;
}

static const VSFrame *VS_CC get_in_order(int n, int reason, void *data, void **memo, VSFrameContext *context,
                                         VSCore *core, const VSAPI *api)
{
    Filter *filter = data;
    FvError error = {0};
    if (reason == arInitial)
        request_next(filter, n, true, memo, context, api);
    if (reason != arAllFramesReady)
        return NULL;
    if (push_up_to(filter, (int)(intptr_t)*memo, n, context, api, &error))
        return fail_frame(&error, n, context, api);
    if (fv_session_frames(filter->session) > n)
        return with_scores(filter, filter->session, n, n, context, core, api);
    request_next(filter, n, false, memo, context, api);
    return NULL;
}

/* ---- Making a filter ------------------------------------------------------------------------------------------- */

static void VS_CC free_filter(void *data, VSCore *core, const VSAPI *api)
{
    Filter *filter = data;
    for (int i = 0; i < filter->idle_count; i++)
        fv_session_close(&filter->idle[i]);
    fv_session_close(&filter->session);
    for (int side = 0; side < 2; side++)
        if (filter->node[side])
            api->freeNode(filter->node[side]);
    pthread_mutex_destroy(&filter->lock);
    free(filter->idle);
    free(filter->metrics);
    free(filter->device);
    free(filter);
}

/*
 * Returns the text of the metrics: "name", or with options "name=options"; for Score, all that are given, separated
 * by commas.
 */
static char *metrics_text(const VSMap *in, const char *metric, const VSAPI *api)
{
    char *text;
    size_t size;
    int missing = 0;
    FILE *file = fv_text_open(&text, &size);
    const char *options = file && metric ? api->mapGetData(in, "options", 0, &missing) : NULL;
    if (file && metric)
        fprintf(file, options && *options ? "%s=%s" : "%s", metric, options);
    for (int i = 0; file && !metric && i < api->mapNumElements(in, "metrics"); i++)
        fprintf(file, "%s%s", i ? "," : "", api->mapGetData(in, "metrics", i, &missing));
    return fv_text_close(file, &text) ? text : NULL;
}

static void read_arguments(Filter *filter, const VSMap *in, const char *metric, VSCore *core, const VSAPI *api)
{
    int missing;
    VSCoreInfo info;
    api->getCoreInfo(core, &info);
    const char *device = api->mapGetData(in, "device", 0, &missing);
    filter->node[FV_REFERENCE] = api->mapGetNode(in, "reference", 0, &missing);
    filter->node[FV_DISTORTED] = api->mapGetNode(in, "distorted", 0, &missing);
    filter->metrics = metrics_text(in, metric, api);
    filter->device = strdup(device ? device : "auto");
    filter->threads = info.numThreads > 0 && info.numThreads <= 1024 ? info.numThreads : 1;
}

static FvStatus start_session(Filter *filter, const VSAPI *api, FvError *error)
{
    const VSVideoInfo *info[2];
    for (int side = 0; side < 2; side++)
        info[side] = api->getVideoInfo(filter->node[side]);
    filter->pictures = info[FV_DISTORTED]->numFrames;
    error->status = FV_ERROR_MEMORY;
    snprintf(error->message, sizeof error->message, "out of memory for a filter");
    if (!filter->metrics || !filter->device)
        return error->status;
    if (info[FV_REFERENCE]->numFrames != filter->pictures) {
        error->status = FV_ERROR_INPUT;
        snprintf(error->message, sizeof error->message,
                 "the reference has %d frames, the distorted clip %d: trim the longer one with std.Trim(...)",
                 info[FV_REFERENCE]->numFrames, filter->pictures);
        return error->status;
    }
    if (!clip_format("reference", filter->node[FV_REFERENCE], &filter->format[FV_REFERENCE], api, error) ||
        !clip_format("distorted", filter->node[FV_DISTORTED], &filter->format[FV_DISTORTED], api, error))
        return error->status;
    FvStatus status = open_session(filter, filter->threads, &filter->session, error);
    filter->alone = !status && looks_at_one(filter->session);
    return status;
}

/*
 * Makes the filter's node. On a GPU, all pictures are pushed to one session, because a GPU works on one picture at a
 * time anyway.
 */
static void make_node(Filter *filter, VSMap *out, VSCore *core, const VSAPI *api)
{
    FvDeviceHandles device;
    fv_session_device(filter->session, &device);
    const int pattern = filter->alone ? rpStrictSpatial : rpGeneral;
    const VSFilterDependency inputs[2] = {{filter->node[0], pattern}, {filter->node[1], pattern}};
    int mode = !filter->alone ? fmUnordered : strcmp(device.kind, "cpu") ? fmParallelRequests : fmParallel;
    for (int i = 0; i < fv_session_decisions(filter->session); i++) {
        const char *text = fv_session_decision(filter->session, i);
        api->logMessage(strncmp(text, "warning: ", 9) ? mtInformation : mtWarning, text, core);
    }
    if (filter->alone && mode == fmParallelRequests)
        give_session(filter, &filter->session);
    if (filter->alone)
        fv_session_close(&filter->session);
    api->createVideoFilter(out, "fovea", api->getVideoInfo(filter->node[FV_DISTORTED]),
                           filter->alone ? get_alone : get_in_order, free_filter, mode, inputs, 2, filter, core);
}

/* Makes a filter. `metric`: the metric that this function of the plugin computes; NULL: Score, which accepts any. */
static void VS_CC make_filter(const VSMap *in, VSMap *out, void *metric, VSCore *core, const VSAPI *api)
{
    FvError error = {0};
    Filter *filter = calloc(1, sizeof *filter);
    if (!filter) {
        api->mapSetError(out, "fovea: out of memory for a filter");
        return;
    }
    pthread_mutex_init(&filter->lock, NULL);
    read_arguments(filter, in, metric, core, api);
    if (!start_session(filter, api, &error)) {
        make_node(filter, out, core, api);
        return;
    }
    char text[1100];
    snprintf(text, sizeof text, "fovea: %s", error.message);
    api->mapSetError(out, text);
    free_filter(filter, core, api);
}

VS_EXTERNAL_API(void) VapourSynthPluginInit2(VSPlugin *plugin, const VSPLUGINAPI *api);

VS_EXTERNAL_API(void) VapourSynthPluginInit2(VSPlugin *plugin, const VSPLUGINAPI *api)
{
    static const char one[] = "reference:vnode;distorted:vnode;options:data:opt;device:data:opt;";
    api->configPlugin("fovea.vapoursynth", "fovea", "Perceptual video metrics, exact",
                      VS_MAKE_VERSION(FV_VERSION_MAJOR, FV_VERSION_MINOR), VAPOURSYNTH_API_VERSION, 0, plugin);
    api->registerFunction("SSIMULACRA2", one, "clip:vnode;", make_filter, "ssimulacra2", plugin);
    api->registerFunction("Butteraugli", one, "clip:vnode;", make_filter, "butteraugli", plugin);
    api->registerFunction("VMAF", one, "clip:vnode;", make_filter, "vmaf", plugin);
    api->registerFunction("Score", "reference:vnode;distorted:vnode;metrics:data[];device:data:opt;", "clip:vnode;",
                          make_filter, NULL, plugin);
}
