#include "score/rate.h"

#include <math.h>

#include "base/error.h"
#include "input/source.h"
#include "score/misfit.h"

/*
 * Maximum relative error of a rate that is derived from the rounded times of a few frames. The rates 25 and 24 differ
 * by more.
 */
#define MOST_ROUNDING 0.03
#define MOST_FRAMES ((int64_t)1 << 31) /* maximum number of frames, and of seconds, that is counted */

/* Returns the duration of the shorter video in seconds, by its frames or by its container; 0: unknown. */
static double length_of(const FvSourceInfo *const infos[2])
{
    double shortest = 0;
    for (int side = 0; side < 2; side++) {
        const FvSourceInfo *info = infos[side];
        const double seconds =
            info->frames > 0 ? (double)info->frames * info->format.rate_den / info->format.rate_num : info->seconds;
        if (seconds > 0 && (!shortest || seconds < shortest))
            shortest = seconds;
    }
    return shortest;
}

/*
 * Returns whether two rates are so close that frames of equal number stay within half a frame of each other until the
 * end.
 */
static bool drift_is_small(const FvSourceInfo *const info[2], const double durations[2])
{
    const double longer = durations[0] > durations[1] ? durations[0] : durations[1];
    const double seconds = length_of(info), difference = fabs(durations[0] - durations[1]);
    return seconds > 0 && difference < MOST_ROUNDING * longer && seconds / longer * difference < longer / 2;
}

/*
 * Returns whether the rates differ by about 1001/1000, as those of pulled-down film do: 24 and 23.976, 60 and 59.94.
 */
static bool is_pulled(double a, double b)
{
    return (a > b ? a / b : b / a) < 1.0015;
}

static double duration_of(const FvFormat *format)
{
    return (double)format->rate_den / format->rate_num;
}

/* How much two rates differ, compared with the duration of a frame. */
typedef enum Likeness { EQUAL, EQUAL_TO_A_TICK, EQUAL_TO_HALF_A_FRAME, DIFFERENT } Likeness;

static Likeness compare_rates(const FvSourceInfo *const info[2])
{
    const FvFormat *ref = &info[FV_REFERENCE]->format, *dis = &info[FV_DISTORTED]->format;
    if (!ref->rate_den || !dis->rate_den ||
        (int64_t)ref->rate_num * dis->rate_den == (int64_t)dis->rate_num * ref->rate_den)
        return EQUAL;
    const double durations[2] = {duration_of(ref), duration_of(dis)};
    if (fabs(durations[0] - durations[1]) <= info[FV_REFERENCE]->rate_error + info[FV_DISTORTED]->rate_error)
        return EQUAL_TO_A_TICK;
    return drift_is_small(info, durations) ? EQUAL_TO_HALF_A_FRAME : DIFFERENT;
}

static void reduce_rate(int64_t num, int64_t den, FvFormat *format)
{
    int64_t a = num, b = den;
    while (b) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    num /= a;
    den /= a;
    for (; num > INT32_MAX || den > INT32_MAX; den /= 2)
        num /= 2;
    if (num && den) {
        format->rate_num = (int)num;
        format->rate_den = (int)den;
    }
}

/* Measures the rate from the times of the first and the last frame; false: the file does not state them. */
static bool measure_rate(FvSource *source, FvFormat *format)
{
    const FvSourceIndex *index;
    FvError ignored;
    if (!source->ops->index || source->stream.waits || source->images || source->tick_den <= 0 ||
        fv_source_index(source, &index, &ignored))
        return false;
    const int64_t *time = source->index.time ? source->index.time : source->index.place;
    const int64_t steps = index->frames - 1;
    const double seconds = fv_source_info(source)->seconds;
    if (steps < 1 || steps > MOST_FRAMES)
        return false;
    /* AVI states ticks, of which a frame may last two, and not the time of each frame. */
    if (!time && seconds > 0.001 && seconds < MOST_FRAMES)
        reduce_rate((steps + 1) * 1000, (int64_t)(seconds * 1000 + 0.5), format);
    else if (time && time[steps] > time[0] && time[steps] - time[0] < INT64_MAX / source->tick_num)
        reduce_rate(steps * source->tick_den, (time[steps] - time[0]) * source->tick_num, format);
    else
        return false;
    return true;
}

void fv_rate_settle(FvSource *const source[2], const FvScoreParams *params)
{
    const FvSourceInfo *const info[2] = {fv_source_info(source[FV_REFERENCE]), fv_source_info(source[FV_DISTORTED])};
    if (!info[FV_REFERENCE] || params->align || params->ignore_rate || compare_rates(info) != DIFFERENT)
        return;
    FvFormat measured[2] = {info[FV_REFERENCE]->format, info[FV_DISTORTED]->format};
    bool good = true;
    for (int side = 0; side < 2 && good; side++)
        good = measure_rate(source[side], &measured[side]);
    for (int side = 0; side < 2 && good; side++) {
        FvSourceInfo *const infos[] = {&source[side]->info, &source[side]->turned};
        for (int i = 0; i < 2; i++) {
            infos[i]->format.rate_num = measured[side].rate_num;
            infos[i]->format.rate_den = measured[side].rate_den;
            /* AVI counts ticks of its own rate, and the index has the frames. */
            if (infos[i]->frames > 0 && !infos[i]->frames_exact && !infos[i]->left_out)
                infos[i]->frames = source[side]->index.shown.frames;
            if (infos[i]->seconds <= 0)
                infos[i]->seconds = (double)source[side]->index.shown.frames * duration_of(&measured[side]);
        }
    }
}

FvStatus fv_rate_check(FvComparison *comparison, FvError *error)
{
    static const char *const precision[] = {"", "within the precision of the containers",
                                            "to half a frame over the whole clip"};
    const FvFormat *ref = &comparison->info[FV_REFERENCE]->format, *dis = &comparison->info[FV_DISTORTED]->format;
    const Likeness likeness = compare_rates(comparison->info);
    if (likeness == EQUAL)
        return FV_OK;
    if (likeness != DIFFERENT)
        return DECIDE(comparison, error, "frame rates are equal %s: reference %d/%d, distorted %d/%d",
                      precision[likeness], ref->rate_num, ref->rate_den, dis->rate_num, dis->rate_den);
    if (comparison->info[FV_REFERENCE]->frames == 1 || comparison->info[FV_DISTORTED]->frames == 1)
        return FV_OK; /* a picture file has no rate */
    if (comparison->params->align == FV_ALIGN_BY_TIME || comparison->params->align == FV_ALIGN_BY_CONTENT)
        return DECIDE(comparison, error, "frame rates differ: reference %d/%d, distorted %d/%d", ref->rate_num,
                      ref->rate_den, dis->rate_num, dis->rate_den);
    if (!comparison->params->ignore_rate) {
        const int64_t frames[2] = {comparison->info[FV_REFERENCE]->frames, comparison->info[FV_DISTORTED]->frames};
        const bool known = frames[0] > 0 && frames[1] > 0;
        const bool by_index = known ? frames[0] == frames[1] : is_pulled(duration_of(ref), duration_of(dis));
        fv_misfit_note(comparison, by_index ? "ignore_rate" : "align=time", "frame rates of %d/%d and %d/%d",
                       ref->rate_num, ref->rate_den, dis->rate_num, dis->rate_den);
        return fv_fail(
            error, FV_FAIL_RATE,
            by_index
                ? "the reference runs at %d/%d frames per second and the distorted video at %d/%d: `ignore_rate` "
                  "pairs them by index, for a video whose speed was changed; `align=time` pairs each distorted "
                  "frame with the reference frame that is shown at its time"
                : "the reference runs at %d/%d frames per second and the distorted video at %d/%d: `align=time` "
                  "pairs each distorted frame with the reference frame that is shown at its time; `ignore_rate` "
                  "pairs them by index, for a video whose speed was changed",
            ref->rate_num, ref->rate_den, dis->rate_num, dis->rate_den);
    }
    return DECIDE(comparison, error,
                  "frame rates differ (reference %d/%d, distorted %d/%d): ignored, frames pair by index",
                  ref->rate_num, ref->rate_den, dis->rate_num, dis->rate_den);
}
