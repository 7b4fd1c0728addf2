/* Implements the interface for contexts: requests for features, pools of pictures, and reading pictures. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dictionary.h"
#include "float_mode.h"
#include "log.h"
#include "model.h"
#include "sessions.h"

int vmaf_init(VmafContext **vmaf, VmafConfiguration cfg)
{
    FV_FLOAT_MODE;
    if (!vmaf)
        return -EINVAL;
    VmafContext *made = *vmaf = calloc(1, sizeof *made);
    if (!made)
        return -ENOMEM;
    made->cfg = cfg;
    pthread_mutex_init(&made->lock, NULL);
    lv_log_level(cfg.log_level);
    lv_picture_begin();
    return 0;
}

int vmaf_close(VmafContext *vmaf)
{
    FV_FLOAT_MODE;
    if (!vmaf)
        return -EINVAL;
    for (int g = 0; g < vmaf->group_count; g++)
        fv_session_close(&vmaf->group[g].session);
    lv_scores_free(&vmaf->scores);
    lv_pool_close(&vmaf->pool);
    lv_cuda_close(&vmaf->cuda);
    pthread_mutex_destroy(&vmaf->lock);
    for (int i = 0; i < vmaf->model_files; i++)
        free(vmaf->model_file[i]);
    free(vmaf->feature);
    free(vmaf->pending);
    free(vmaf->seen);
    free(vmaf);
    lv_picture_end();
    return 0;
}

/* ---- Extractors ------------------------------------------------------------------------------------------------ */

/* Refuses an extractor that reads chroma: libvmaf and its clients copy only luma to and from CUDA's memory. */
static int refuse_chroma(const LvExtractor *extractor)
{
    lv_log(VMAF_LOG_LEVEL_ERROR,
           "\"%s\" looks at chroma, and pictures in CUDA's memory have luma only: score it from host memory",
           extractor->name);
    return -EINVAL;
}

static int add_feature(VmafContext *context, const LvExtractor *extractor, const VmafFeatureDictionary *dict)
{
    LvOptions options;
    int failed = lv_options_read(extractor, dict, &options);
    if (failed)
        return failed;
    for (int i = 0; i < context->feature_count; i++)
        if (context->feature[i].extractor == extractor &&
            lv_options_same(extractor, &context->feature[i].options, &options))
            return 0;
    if (context->cuda && context->cuda->pool && lv_looks_at_chroma(extractor, &options))
        return refuse_chroma(extractor);
    if (context->started) {
        lv_log(VMAF_LOG_LEVEL_ERROR, "\"%s\" comes too late: choose features before the first picture",
               extractor->name);
        return -EINVAL;
    }
    LvFeature *grown = realloc(context->feature, (size_t)(context->feature_count + 1) * sizeof *grown);
    if (!grown)
        return -ENOMEM;
    context->feature = grown;
    context->feature[context->feature_count++] = (LvFeature){.extractor = extractor, .options = options};
    return 0;
}

int vmaf_use_feature(VmafContext *vmaf, const char *feature_name, VmafFeatureDictionary *opts_dict)
{
    FV_FLOAT_MODE;
    const LvExtractor *extractor = vmaf && feature_name ? lv_extractor_find(feature_name) : NULL;
    if (!extractor) {
        const bool real = vmaf && feature_name && !strncmp(feature_name, "float_", 6);
        const LvExtractor *whole = real ? lv_extractor_find(feature_name + 6) : NULL;
        if (real)
            lv_log(VMAF_LOG_LEVEL_ERROR,
                   "feature extractor \"%s\" is left out, as in a libvmaf built without -Denable_float=true%s%s",
                   feature_name, whole ? "; of whole numbers there is " : "", whole ? whole->name : "");
        return -EINVAL;
    }
    pthread_mutex_lock(&vmaf->lock);
    int failed = add_feature(vmaf, extractor, opts_dict);
    pthread_mutex_unlock(&vmaf->lock);
    if (failed)
        lv_dictionary_bury(opts_dict); /* VapourSynth's plugin for libvmaf frees it once more after a failure */
    else
        vmaf_feature_dictionary_free(&opts_dict);
    return failed;
}

/* Records the path of a model's file, so that no report of this context overwrites it. */
static int guard_file(VmafContext *context, const char *path)
{
    if (!path || context->model_files == LV_MODEL_FILES)
        return 0;
    char *copy = context->model_file[context->model_files] = strdup(path);
    context->model_files += copy != NULL;
    return copy ? 0 : -ENOMEM;
}

static int add_features(VmafContext *context, const LvModelParts *parts)
{
    int failed = 0;
    for (int i = 0; i < parts->feature_count && !failed; i++) {
        const char *feature = fv_model_feature(parts->model, i)->name;
        const LvExtractor *extractor = lv_extractor_of(feature);
        if (!extractor)
            lv_log(VMAF_LOG_LEVEL_ERROR, "feature \"%s\" cannot be set up", feature);
        failed = extractor ? add_feature(context, extractor, parts->options[i]) : -EINVAL;
    }
    return failed ? failed : guard_file(context, lv_model_path(parts));
}

int vmaf_use_features_from_model(VmafContext *vmaf, VmafModel *model)
{
    FV_FLOAT_MODE;
    if (!vmaf || !model)
        return -EINVAL;
    pthread_mutex_lock(&vmaf->lock);
    int failed = add_features(vmaf, &model->parts);
    pthread_mutex_unlock(&vmaf->lock);
    return failed;
}

int vmaf_use_features_from_model_collection(VmafContext *vmaf, VmafModelCollection *model_collection)
{
    FV_FLOAT_MODE;
    if (!vmaf || !model_collection)
        return -EINVAL;
    pthread_mutex_lock(&vmaf->lock);
    int failed = add_features(vmaf, &model_collection->parts);
    pthread_mutex_unlock(&vmaf->lock);
    return failed;
}

int vmaf_import_feature_score(VmafContext *vmaf, const char *feature_name, double value, unsigned index)
{
    FV_FLOAT_MODE;
    if (!vmaf || !feature_name)
        return -EINVAL;
    pthread_mutex_lock(&vmaf->lock);
    lv_sessions_take(vmaf);
    int failed = lv_scores_add(&vmaf->scores, feature_name, value, index);
    pthread_mutex_unlock(&vmaf->lock);
    return failed;
}

/* ---- Pictures -------------------------------------------------------------------------------------------------- */

int vmaf_preallocate_pictures(VmafContext *vmaf, VmafPictureConfiguration cfg)
{
    FV_FLOAT_MODE;
    LvPool *made;
    int failed = vmaf ? lv_pool_open(&made, cfg) : -EINVAL;
    if (failed)
        return failed;
    pthread_mutex_lock(&vmaf->lock);
    lv_pool_close(&vmaf->pool);
    vmaf->pool = made;
    pthread_mutex_unlock(&vmaf->lock);
    return 0;
}

int vmaf_fetch_preallocated_picture(VmafContext *vmaf, VmafPicture *pic)
{
    FV_FLOAT_MODE;
    if (!vmaf || !pic)
        return -EINVAL;
    pthread_mutex_lock(&vmaf->lock);
    LvPool *pool = vmaf->pool;
    if (pool)
        lv_pool_enter(pool);
    pthread_mutex_unlock(&vmaf->lock);
    return pool ? lv_pool_fetch(pool, pic)
                : -EINVAL; /* not under the lock, which a thread that releases a picture may need */
}

/* Returns whether a pair has the format of the first pair, which sets the format of all even if it is refused. */
static bool fits(VmafContext *context, const VmafPicture *ref, const VmafPicture *dist)
{
    if (!ref->ref || !dist->ref)
        return false;
    if (!context->picture.w) {
        context->picture.w = ref->w[0];
        context->picture.h = ref->h[0];
        context->picture.bpc = ref->bpc;
        context->picture.format = ref->pix_fmt;
    }
    return ref->w[0] == dist->w[0] && ref->w[0] == context->picture.w && ref->h[0] == dist->h[0] &&
           ref->h[0] == context->picture.h && ref->pix_fmt == dist->pix_fmt &&
           ref->pix_fmt == context->picture.format && ref->bpc == dist->bpc && ref->bpc == context->picture.bpc;
}

static int place_of(const VmafContext *context, unsigned index)
{
    int low = 0, high = context->seen_count;
    if (high && context->seen[high - 1] < index)
        return high;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (context->seen[middle] < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Reserves room for one more picture in both lists. */
static int reserve(VmafContext *context)
{
    if (context->seen_count == context->seen_room) {
        int room = context->seen_room ? 2 * context->seen_room : 256;
        unsigned *grown = realloc(context->seen, (size_t)room * sizeof *grown);
        if (!grown)
            return -ENOMEM;
        context->seen = grown;
        context->seen_room = room;
    }
    if (context->pending_count == context->pending_room) {
        int room = context->pending_room ? 2 * context->pending_room : 64;
        LvPending *grown = realloc(context->pending, (size_t)room * sizeof *grown);
        if (!grown)
            return -ENOMEM;
        context->pending = grown;
        context->pending_room = room;
    }
    return 0;
}

/* Returns whether this extractor scores a picture of this index. */
static bool looks_at(const VmafContext *context, const LvExtractor *extractor, unsigned index)
{
    return extractor->every || context->cfg.n_subsample < 2 || index % context->cfg.n_subsample == 0;
}

static void report_error(const LvExtractor *extractor, unsigned index)
{
    lv_log(VMAF_LOG_LEVEL_WARNING, "feature \"%s\" was not computed for picture %u", extractor->name, index);
}

/*
 * Refuses what libvmaf refuses: an index that was read before, and motion without the previous pictures, if the
 * extractor runs in the caller's thread. With threads, that extractor silently has no score for the picture.
 */
static int check_order(const VmafContext *context, unsigned index, bool repeated, int64_t calls)
{
    bool threads = context->cfg.n_threads;
    for (int i = 0; i < context->feature_count; i++) {
        const LvFeature *feature = &context->feature[i];
        const LvExtractor *extractor = feature->extractor;
        bool motion = !strcmp(extractor->name, "motion");
        unsigned distance = feature->options.five_frames ? 2 : 1;
        bool lacks = motion && !feature->options.force_zero && index >= distance && calls < distance;
        if (!extractor->metric || !looks_at(context, extractor, index) || (threads && !extractor->first))
            continue;
        if (repeated)
            lv_log(VMAF_LOG_LEVEL_WARNING, "feature \"%s\" of picture %u has a value already",
                   extractor->column[0].name, index);
        if (!repeated && !lacks)
            continue;
        report_error(extractor, index);
        return -EINVAL;
    }
    return 0;
}

typedef struct Pair {
    FvFrame *ref, *dis;
} Pair;

static FvStatus make_frame(VmafContext *context, const LvGroup *group, const VmafPicture *picture, FvFrame **frame,
                           FvError *error)
{
    if (picture->ref->cuda)
        return lv_cuda_frame(context->cuda, group->session, picture, &group->format, frame, error);
    return group->gpu ? lv_picture_upload(picture, group->session, &group->format, frame, error)
                      : lv_picture_frame(picture, &group->format, frame, error);
}

static FvStatus make_pair(VmafContext *context, const LvGroup *group, const VmafPicture *ref, const VmafPicture *dist,
                          Pair *pair, FvError *error)
{
    if (pair->ref)
        return FV_OK;
    FvStatus status = make_frame(context, group, ref, &pair->ref, error);
    return status ? status : make_frame(context, group, dist, &pair->dis, error);
}

static void drop_pair(Pair *pair)
{
    fv_frame_unref(&pair->ref);
    fv_frame_unref(&pair->dis);
}

static int push_pictures(VmafContext *context, const VmafPicture *ref, const VmafPicture *dist, LvPending *pending,
                         bool repeated)
{
    /* frames of luma alone [0], and with chroma [1], shared by the sessions that need the same */
    Pair pairs[2] = {{NULL, NULL}, {NULL, NULL}};
    FvError error = {0};
    bool moved = false, cuda = ref->ref->cuda || dist->ref->cuda;
    FvStatus status = cuda && context->cuda ? lv_cuda_mark(context->cuda, &error) : FV_OK;
    for (int g = 0; g < context->group_count && !status; g++) {
        LvGroup *group = &context->group[g];
        bool scored = !repeated && (group->every || pending->index % context->cfg.n_subsample == 0);
        Pair own = {NULL, NULL}; /* frames for this session alone, in memory of its device or of CUDA */
        Pair *pair = cuda || group->gpu ? &own : &pairs[group->chroma];
        if (!scored && !group->every)
            continue;
        status = make_pair(context, group, ref, dist, pair, &error);
        if (!status)
            status = (scored ? fv_session_push : fv_session_skip)(group->session, pending->index, pair->ref,
                                                                  pair->dis, &error);
        drop_pair(&own);
        context->broken |= status && moved;
        moved = true;
        group->calls += !status;
        pending->in[g] = scored;
    }
    for (int i = 0; i < 2; i++)
        drop_pair(&pairs[i]);
    context->failed |= status != FV_OK;
    return status ? lv_sessions_fail(status, &error) : 0;
}

static void note(VmafContext *context, const LvPending *pending, bool repeated)
{
    for (int i = 0; i < context->feature_count; i++)
        context->feature[i].ran |= looks_at(context, context->feature[i].extractor, pending->index);
    if (repeated)
        return;
    int place = place_of(context, pending->index);
    memmove(context->seen + place + 1, context->seen + place,
            (size_t)(context->seen_count - place) * sizeof *context->seen);
    context->seen[place] = pending->index;
    context->seen_count++;
    context->pending[context->pending_count++] = *pending;
}

static int check_luma(const VmafContext *context)
{
    for (int i = 0; i < context->feature_count; i++)
        if (lv_looks_at_chroma(context->feature[i].extractor, &context->feature[i].options))
            return refuse_chroma(context->feature[i].extractor);
    return 0;
}

static int read_pair(VmafContext *context, VmafPicture *ref, VmafPicture *dist, unsigned index)
{
    context->pictures++;
    context->scores.begin = context->scores.begin ? context->scores.begin : clock();
    if (!fits(context, ref, dist) || context->broken)
        return -EINVAL;
    int failed = ref->ref->cuda || dist->ref->cuda ? check_luma(context) : 0;
    if (!failed && !context->started)
        failed = lv_sessions_start(context, ref);
    int place = place_of(context, index);
    bool repeated = place < context->seen_count && context->seen[place] == index;
    LvPending pending = {.index = index};
    for (int g = 0; g < context->group_count; g++)
        if (context->group[g].every)
            pending.calls = context->group[g].calls;
    if (!failed)
        failed = check_order(context, index, repeated, pending.calls);
    if (!failed)
        failed = reserve(context);
    if (!failed)
        failed = push_pictures(context, ref, dist, &pending, repeated);
    if (failed)
        return failed;
    note(context, &pending, repeated);
    failed = vmaf_picture_unref(ref);
    return failed | vmaf_picture_unref(dist); /* fails if both are the same picture, although it was scored */
}

/*
 * Ends reading. As in libvmaf, it fails if an extractor has not run; with threads, only if the extractor is marked
 * `first`.
 */
static int flush(VmafContext *context)
{
    bool threads = context->cfg.n_threads;
    int failed = lv_sessions_take(context);
    for (int i = 0; i < context->feature_count; i++)
        if (!context->feature[i].ran && (!threads || context->feature[i].extractor->first))
            failed = -EINVAL;
    bool refused = context->group_count && !context->started;
    if (!failed)
        failed = context->broken || refused ? -EINVAL : lv_sessions_end(context);
    context->flushed = !failed;
    return failed;
}

int vmaf_read_pictures(VmafContext *vmaf, VmafPicture *ref, VmafPicture *dist, unsigned index)
{
    FV_FLOAT_MODE;
    if (!vmaf || !ref != !dist)
        return -EINVAL;
    pthread_mutex_lock(&vmaf->lock);
    int failed = -EINVAL;
    if (!vmaf->flushed)
        failed = ref ? read_pair(vmaf, ref, dist, index) : flush(vmaf);
    pthread_mutex_unlock(&vmaf->lock);
    return failed;
}
