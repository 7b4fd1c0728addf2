/* What is looked at in frames as they pass, besides the metrics: scenes, and whether one video is shifted. */
#include <string.h>

#include "base/error.h"
#include "score/scoring.h"
#include "session/session.h"

#define LEAST_WIDTH 64 /* of pictures whose signatures mean something */
#define LEAST_HEIGHT 36

static bool is_large(const FvFormat *format)
{
    return format->width >= LEAST_WIDTH && format->height >= LEAST_HEIGHT;
}

FvStatus fv_score_check_watch(const FvSession *session, const char *path, const FvFormat *dis, FvError *error)
{
    if (fv_session_params(session)->interval && !dis->rate_den)
        return fv_fail(error, FV_ERROR_INPUT,
                       "%s does not state its frame rate, by which intervals in seconds become frames", path);
    if (fv_session_params(session)->scenes && !is_large(dis))
        return fv_fail(error, FV_ERROR_INPUT, "scenes are found in pictures from %dx%d on, and these are %dx%d",
                       LEAST_WIDTH, LEAST_HEIGHT, dis->width, dis->height);
    return FV_OK;
}

/* Whether frames that are read are large enough, and those that are compared. */
static bool shows_shifts(const FvScoring *scoring, const FvComparison *comparison)
{
    bool large = true;
    for (int side = 0; side < 2 && scoring->info[FV_REFERENCE]; side++) {
        FvFormat read = scoring->info[side]->format;
        if (comparison->prepare[side].crop.width) {
            read.width = comparison->prepare[side].crop.width;
            read.height = comparison->prepare[side].crop.height;
        }
        large &= is_large(&read) && !comparison->prepare[side].inside.width; /* bars would differ */
    }
    return large && is_large(&scoring->format[FV_DISTORTED]);
}

FvStatus fv_score_open_watch(FvScoring *scoring, const FvComparison *comparison, FvError *error)
{
    const FvFormat *dis = &scoring->format[FV_DISTORTED];
    FvStatus status = fv_score_check_watch(scoring->session, scoring->info[FV_DISTORTED]->path, dis, error);
    if (status)
        return status;
    if (!shows_shifts(scoring, comparison) || !scoring->info[FV_REFERENCE] ||
        scoring->params->align != FV_ALIGN_BY_INDEX || (scoring->range && scoring->range->first))
        return FV_OK;
    return fv_shift_open(&scoring->shift, error);
}

static bool same_samples(const FvFrame *a, const FvFrame *b)
{
    for (int plane = 0; plane < fv_format_planes(&a->format); plane++) {
        int width, height;
        fv_format_plane_size(&a->format, plane, &width, &height);
        const size_t bytes = (size_t)width * (size_t)fv_format_sample_bytes(&a->format);
        for (int y = 0; y < height; y++)
            if (memcmp(a->data[plane] + y * a->stride[plane], b->data[plane] + y * b->stride[plane], bytes))
                return false;
    }
    return true;
}

/* Up to the first difference, so that it costs nothing where the videos differ. */
static void compare(FvScoring *scoring, FvFrame *const frame[2])
{
    FvFacts *facts = fv_session_notes(scoring->session);
    const FvFrame *ref = frame[FV_REFERENCE], *dis = frame[FV_DISTORTED];
    if (facts->differs)
        return;
    const bool on_host = ref && dis && !scoring->range &&
                         !fv_session_devices(scoring->session)->opened[0]->ops->frame &&
                         !scoring->defers[FV_REFERENCE] && !scoring->defers[FV_DISTORTED];
    facts->compared = true;
    facts->differs = !on_host || ref->format.chroma != dis->format.chroma || ref->format.depth != dis->format.depth ||
                     !same_samples(ref, dis);
}

FvStatus fv_score_watch(FvScoring *scoring, int64_t number, FvFrame *const frame[2], FvError *error)
{
    FvSession *session = scoring->session;
    compare(scoring, frame);
    const int32_t *signature[2] = {NULL, NULL};
    for (int side = 0; side < 2 && scoring->shift.video[0].signatures; side++)
        signature[side] = fv_read_ahead_signature(scoring->reader[side]);
    if (signature[FV_REFERENCE] && signature[FV_DISTORTED])
        fv_shift_add(&scoring->shift, signature[FV_REFERENCE], signature[FV_DISTORTED]);
    if (!fv_session_params(session)->scenes)
        return FV_OK;
    return fv_scenes_add(&fv_session_notes(session)->scenes, number,
                         frame[frame[FV_REFERENCE] ? FV_REFERENCE : FV_DISTORTED], error);
}

FvStatus fv_score_tell_shift(FvScoring *scoring, FvError *error)
{
    int64_t offset = 0;
    FvStatus status = scoring->shift.video[0].signatures ? fv_shift_find(&scoring->shift, &offset, error) : FV_OK;
    if (status || !offset)
        return status;
    const bool late = offset > 0;
    const long long frames = (long long)(late ? offset : -offset);
    return (scoring->range ? fv_session_warn_last : fv_session_warn)(
        scoring->session, error,
        "frames look shifted by %lld: frame 0 of the %s shows what frame %lld of the %s shows; "
        "--align auto pairs them by what they show, %s %lld by hand",
        frames, late ? "distorted video" : "reference", frames, late ? "reference" : "distorted video",
        late ? "--frame-skip-ref" : "--frame-skip-dist", frames);
}
