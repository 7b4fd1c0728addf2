/*
 * Finds the bad segments of a score: merges runs of low frames, keeps those that are low and long enough, and divides
 * them at scenes.
 */
#include "verdict/verdict.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

__extension__ typedef __int128 Wide;

/*
 * Durations in microseconds. Each differs by 2 ms from a round number, because some containers count whole
 * milliseconds.
 */
#define LONG_TWO 498000   /* minimum duration of frames two words below the clip */
#define LONG_THREE 248000 /* minimum duration of frames three words below; four words below, one frame suffices */
#define GAP 252000        /* maximum gap between runs of low frames in a segment */
#define SHOT 248000       /* minimum duration of a named part of a segment, except the part with the worst frame */
#define LOW 2             /* number of words below the clip at which a frame is low */

/* A search for the segments of a score. */
typedef struct Search {
    const FvVerdictFrames *frames;
    const FvVerdictScore *score;
    int8_t *depth; /* number of words by which each frame is below the clip */
    bool higher;   /* higher values are better */
} Search;

const FvGrade *fv_verdict_grade(const FvMeaning *meaning, double value)
{
    const FvGrade *grade = NULL;
    for (int i = 0; i < meaning->grade_count; i++)
        if (value >= meaning->grades[i].from)
            grade = &meaning->grades[i];
    return grade;
}

static double value_at(const Search *search, int64_t place)
{
    return search->score->values[place * search->score->step];
}

static int64_t duration(const Search *search, int64_t place)
{
    return search->frames->start[place + 1] - search->frames->start[place];
}

/* Returns whether the frame at index `place` is worse than the frame at index `other`. */
static bool is_worse(const Search *search, int64_t place, int64_t other)
{
    return search->higher ? value_at(search, place) < value_at(search, other)
                          : value_at(search, place) > value_at(search, other);
}

/*
 * Returns the cause that the bit rate of frames [first, last] suggests, compared with that of the clip; NULL: none.
 */
static const char *rate_cause(const FvVerdictFrames *frames, int64_t first, int64_t last, double *rate)
{
    *rate = NAN;
    if (!frames->bytes)
        return NULL;
    int64_t part = 0, whole = 0;
    for (int64_t i = 0; i < frames->count; i++) {
        whole += frames->bytes[i];
        part += i >= first && i <= last ? frames->bytes[i] : 0;
    }
    const int64_t lasts = frames->start[last + 1] - frames->start[first];
    const Wide mine = (Wide)part * (frames->start[frames->count] - frames->start[0]), clip = (Wide)whole * lasts;
    *rate = (double)(part * 8000000) / (double)lasts;
    return !clip ? NULL : mine * 2 < clip ? "starved" : mine > clip * 2 ? "hard" : NULL;
}

/* Finds the shots of a segment whose low frames have the indices [first, last]. The caller frees *shots. */
static FvStatus find_shots(const Search *search, int64_t first, int64_t last, int64_t worst, FvShot **shots,
                           int *count, FvError *error)
{
    const FvVerdictFrames *frames = search->frames;
    int64_t cut = 0;
    while (cut < frames->scene_count && frames->scenes[cut] <= frames->number[first])
        cut++;
    for (int64_t place = first; place <= last; cut++) {
        FvShot shot = {.first = -1};
        int64_t bottom = -1, low = 0;
        for (; place <= last && (cut >= frames->scene_count || frames->number[place] < frames->scenes[cut]);
             place++) {
            if (search->depth[place] < LOW)
                continue;
            if (bottom < 0 || is_worse(search, place, bottom))
                bottom = place;
            shot.first = shot.first < 0 ? frames->number[place] : shot.first;
            shot.last = frames->number[place];
            low += duration(search, place);
        }
        if (bottom < 0 || (bottom != worst && low < SHOT))
            continue;
        FvShot *more = realloc(*shots, (size_t)(*count + 1) * sizeof *more);
        if (!more)
            return fv_fail_memory(error, (size_t)(*count + 1) * sizeof *more);
        shot.worst_frame = frames->number[bottom];
        *shots = more;
        more[(*count)++] = shot;
    }
    return FV_OK;
}

/* Appends the segment of frames [first, last], unless it has too few low frames. */
static FvStatus add_segment(FvClipVerdict *verdict, const Search *search, int64_t first, int64_t last, FvError *error)
{
    const FvVerdictFrames *frames = search->frames;
    int64_t low = 0, three = 0, cost = 0, count = 0, worst = first;
    bool four = false;
    double sum = 0;
    for (int64_t i = first; i <= last; i++) {
        if (search->depth[i] < LOW)
            continue;
        low += duration(search, i);
        three += search->depth[i] >= 3 ? duration(search, i) : 0;
        four |= search->depth[i] >= 4;
        cost += search->depth[i] * duration(search, i);
        sum += value_at(search, i);
        count++;
        if (is_worse(search, i, worst))
            worst = i;
    }
    if (low < LONG_TWO && three < LONG_THREE && !four)
        return FV_OK;

    FvSegment *segments = realloc((void *)verdict->segments, (size_t)(verdict->segment_count + 1) * sizeof *segments);
    if (!segments)
        return fv_fail_memory(error, (size_t)(verdict->segment_count + 1) * sizeof *segments);
    verdict->segments = segments;
    FvShot *shots = NULL;
    int shot_count = 0;
    const FvStatus status = find_shots(search, first, last, worst, &shots, &shot_count, error);
    if (status) {
        free(shots);
        return status;
    }
    const double mean = sum / (double)count;
    const FvGrade *grade = fv_verdict_grade(search->score->meaning, mean);
    FvSegment *segment = &segments[verdict->segment_count++];
    *segment = (FvSegment){
        .output = search->score->output,
        .first = frames->number[first],
        .last = frames->number[last],
        .start = (double)frames->start[first] / 1e6,
        .end = (double)frames->start[last + 1] / 1e6,
        .low_seconds = (double)low / 1e6,
        .mean = mean,
        .level = grade->level,
        .word = grade->word,
        .worst = value_at(search, worst),
        .worst_frame = frames->number[worst],
        .cost = (double)cost / 1e6,
        .shots = shots,
        .shot_count = shot_count,
    };
    segment->cause = rate_cause(frames, first, last, &segment->bit_rate);
    return FV_OK;
}

FvStatus fv_verdict_segments(FvClipVerdict *verdict, const FvVerdictCase *clip, const FvVerdictScore *score,
                             FvError *error)
{
    const FvVerdictFrames *frames = &clip->frames;
    const FvMeaning *meaning = score->meaning;
    const FvGrade *of_clip = score->graded ? fv_verdict_grade(meaning, score->mean) : NULL;
    if (!of_clip || frames->count < 2)
        return FV_OK;
    Search search = {frames, score, malloc((size_t)frames->count),
                     meaning->grades[meaning->grade_count - 1].level > meaning->grades[0].level};
    if (!search.depth)
        return fv_fail_memory(error, (size_t)frames->count);
    FvStatus status = FV_OK;
    bool whole = true;
    for (int64_t i = 0; i < frames->count; i++) {
        const FvGrade *grade = fv_verdict_grade(meaning, value_at(&search, i));
        whole &= grade != NULL;
        search.depth[i] = (int8_t)(grade ? of_clip->level - grade->level : 0);
    }

    int64_t first = -1, last = -1; /* indices of the segment that the next low frame may continue */
    for (int64_t i = 0; whole && !status && i < frames->count; i++) {
        if (search.depth[i] < LOW)
            continue;
        if (first >= 0 && i > last + 1 && frames->start[i] - frames->start[last + 1] > GAP) {
            status = add_segment(verdict, &search, first, last, error);
            first = -1;
        }
        first = first < 0 ? i : first;
        last = i;
    }
    if (first >= 0 && !status)
        status = add_segment(verdict, &search, first, last, error);
    free(search.depth);
    return status;
}

void fv_verdict_free(FvClipVerdict *verdict)
{
    for (int i = 0; i < verdict->segment_count; i++)
        free((void *)verdict->segments[i].shots);
    free((void *)verdict->segments);
    free((void *)verdict->sentence);
    free((void *)verdict->reason);
    *verdict = (FvClipVerdict){.output = -1};
}
