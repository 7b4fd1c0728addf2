/* Counts the pairs of two videos, and refuses or reports unequal lengths. */
#include "base/error.h"
#include "input/source.h"
#include "score/scoring.h"
#include "score/span.h"
#include "session/session.h"

/* Returns the number of frames that remain in a source after `skip` frames; -1: unknown. */
static int64_t frames_left(const FvSource *source, int64_t skip)
{
    int64_t frames = source->info.frames;
    if (frames >= 0 && source->next < frames && skip < frames - source->next)
        return frames - source->next - skip;
    return frames < 0 ? -1 : 0;
}

FvStatus fv_score_fail_length(const FvScoring *scoring, int64_t ref, int64_t dis, FvError *error)
{
    char count[2][48];
    for (int i = 0; i < 2; i++) {
        int64_t frames = i ? dis : ref;
        snprintf(count[i], sizeof count[i], frames < 0 ? "more than %lld" : "%lld",
                 (long long)(frames < 0 ? scoring->read : frames));
    }
    return fv_fail(error, FV_FAIL_LENGTH,
                   "the videos have unequal lengths: %s has %s frames to compare, %s has %s; `align=map` pairs "
                   "frames by what they show, `align=time` by when; `shortest` compares the first ones only",
                   scoring->info[FV_REFERENCE]->path, count[FV_REFERENCE], scoring->info[FV_DISTORTED]->path,
                   count[FV_DISTORTED]);
}

static bool is_sure(const FvSource *source)
{
    return source->info.frames_exact || source->indexed;
}

/* Fails if a video is known to be shorter than the frames to skip at its start. */
static FvStatus check_skip(const FvScoring *scoring, int side, FvError *error)
{
    const FvSource *source = scoring->source[side];
    const int64_t frames = source ? source->info.frames : -1;
    if (frames < 0 || !is_sure(source) || source->next + scoring->skip[side] < frames || !scoring->skip[side])
        return FV_OK;
    return fv_fail(error, FV_ERROR_INPUT, "%s has %lld frame%s, and %lld were to be skipped: skip fewer",
                   source->info.path, (long long)frames, frames == 1 ? "" : "s", (long long)scoring->skip[side]);
}

/*
 * Returns the seconds to compare, by the number of frames or else by the duration that the container states; -1:
 * unknown.
 */
static double seconds_left(const FvScoring *scoring, int side, int64_t frames)
{
    const FvSource *source = scoring->source[side];
    const FvFormat *format = &source->info.format;
    if (!format->rate_den || !format->rate_num)
        return -1;
    const double frame = (double)format->rate_den / format->rate_num;
    if (frames >= 0)
        return (double)frames * frame;
    return source->info.seconds > 0 ? source->info.seconds - (double)(source->next + scoring->skip[side]) * frame
                                    : -1;
}

/* Durations that containers state are rounded: they may differ by this many frames, plus LENGTH_SHARE. */
#define LENGTH_FRAMES 2.5
#define LENGTH_SHARE 0.0002 /* share of the duration by which they may also differ */

/* Compares the durations of containers that do not state a number of frames. */
static FvStatus compare_seconds(const FvScoring *scoring, int64_t ref, int64_t dis, FvError *error)
{
    const FvScoreParams *params = scoring->params;
    if (!scoring->source[FV_REFERENCE] || params->shortest || params->ignore_rate)
        return FV_OK;
    const double seconds[2] = {seconds_left(scoring, FV_REFERENCE, ref), seconds_left(scoring, FV_DISTORTED, dis)};
    const bool longer = seconds[FV_REFERENCE] > seconds[FV_DISTORTED];
    const FvFormat *format = &scoring->source[FV_DISTORTED]->info.format;
    const double more = seconds[longer ? FV_REFERENCE : FV_DISTORTED],
                 less = seconds[longer ? FV_DISTORTED : FV_REFERENCE];
    const double frame = less < 0 ? 0 : (double)format->rate_den / format->rate_num;
    if (less < 0 || more - less <= LENGTH_FRAMES * frame + LENGTH_SHARE * more ||
        (scoring->frames > 0 && (double)scoring->frames * frame <= less))
        return FV_OK;
    return fv_session_warn_mismatch(
        scoring->session, &(FvEvent){.kind = "length", .remedy = "shortest"}, error,
        "the videos seem to have unequal lengths: their containers state %.3f s to compare of the reference and "
        "%.3f s of the distorted video; without `shortest` or `align` this ends in an error",
        seconds[FV_REFERENCE], seconds[FV_DISTORTED]);
}

/*
 * Returns for how many frame durations a video shows its last frame, by the duration that its container states; 0:
 * unknown.
 */
static int64_t stands_at_the_end(const FvScoring *scoring, int side)
{
    const FvSourceInfo *info = &scoring->source[side]->info;
    if (!info->format.rate_den || info->seconds <= 0 || info->frames <= 0)
        return 0;
    const double shown = info->seconds * info->format.rate_num / info->format.rate_den;
    return (int64_t)(shown + 0.5) - info->frames + 1;
}

FvStatus fv_score_check_length(FvScoring *scoring, FvError *error)
{
    const FvScoreParams *params = scoring->params;
    if (fv_scoring_matches(scoring)) {
        scoring->match.alignment = params->align == FV_ALIGN_BY_CONTENT ? params->alignment : NULL;
        scoring->total = fv_match_count(&scoring->match);
        return FV_OK;
    }
    FvStatus status = check_skip(scoring, FV_REFERENCE, error);
    if (!status)
        status = check_skip(scoring, FV_DISTORTED, error);
    if (status)
        return status;
    int64_t dis = frames_left(scoring->source[FV_DISTORTED], scoring->skip[FV_DISTORTED]);
    int64_t ref =
        scoring->source[FV_REFERENCE] ? frames_left(scoring->source[FV_REFERENCE], scoring->skip[FV_REFERENCE]) : dis;
    const bool known = ref >= 0 && dis >= 0;
    const int64_t either = ref < 0 ? dis : ref;
    if (either < 0)
        scoring->total = scoring->frames > 0 ? scoring->frames : -1;
    else
        scoring->total = fv_span_pairs(scoring->frames, either, dis < 0 ? either : dis);
    if (!known)
        return compare_seconds(scoring, ref, dis, error);
    if (fv_span_fits(params, scoring->frames, ref, dis))
        return FV_OK;
    if (is_sure(scoring->source[FV_DISTORTED]) && is_sure(scoring->source[FV_REFERENCE])) {
        const int shorter = ref < dis ? FV_REFERENCE : FV_DISTORTED;
        const int64_t more = ref < dis ? dis - ref : ref - dis;
        if (!scoring->frames && stands_at_the_end(scoring, shorter) >= more + 1) {
            scoring->frames = scoring->total;
            return fv_session_decide(scoring->session, error,
                                     "the last frame of the %s lasts as long as %lld frames, which is what the other "
                                     "video shows behind it: the last %lld of its frames %s no counterpart",
                                     shorter == FV_REFERENCE ? "reference" : "distorted video", (long long)more + 1,
                                     (long long)more, more == 1 ? "has" : "have");
        }
        return fv_score_fail_length(scoring, ref, dis, error);
    }
    /* Only warns, because the container may be wrong; reading to the end shows the real lengths. */
    return fv_session_warn_mismatch(
        scoring->session, &(FvEvent){.kind = "length", .remedy = "shortest"}, error,
        "the videos seem to have unequal lengths: their containers state %lld frames to compare "
        "of the reference and %lld of the distorted video; without `shortest` or `align` this ends in an error",
        (long long)ref, (long long)dis);
}
