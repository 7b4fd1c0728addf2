/* Collects the scores, times, events and facts of a session from which its verdict is made. */
#include "session/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "os/locale.h"

__extension__ typedef __int128 Wide;

/* Converts seconds in [0, 2^40) to microseconds, exactly, and rounds half up. */
static int64_t microseconds(double seconds)
{
    int exponent;
    const int64_t mantissa = (int64_t)ldexp(frexp(seconds, &exponent), 53);
    const int down = 53 - exponent; /* seconds = mantissa / 2^down */
    return down > 100 ? 0 : (int64_t)((((Wide)mantissa * 2000000 >> down) + 1) >> 1);
}

/* Fills start[0] to start[frames], in microseconds. False: a frame has no time; frame i then begins at i x 40 ms. */
static bool find_times(const FvSession *session, int64_t *start)
{
    const int64_t frames = session->scores.frames, *number = session->scores.number;
    const FvFormat *format = &session->dis;
    bool timed = true;
    for (int64_t i = 0; i < frames && timed; i++) {
        const double time = fv_session_time(session, number[i]);
        timed = time >= 0 && time < 0x1p40;
        start[i] = timed ? microseconds(time) : 0;
    }
    for (int64_t i = 0; i < frames && !timed; i++)
        start[i] = number[i] * 40000;
    int64_t last = 40000;
    if (frames > 1)
        last = start[frames - 1] - start[frames - 2];
    else if (format->rate_den)
        last = (2000000 * (int64_t)format->rate_den / format->rate_num + 1) / 2;
    start[frames] = frames ? start[frames - 1] + (last > 1 ? last : 1) : 0;
    return timed;
}

/* Gathers the scores that tables show first, each with its mean. Returns their number. */
static int gather_scores(const FvSession *session, FvVerdictScore *scores)
{
    int count = 0;
    for (int c = 0; c < session->scores.column_count; c++) {
        const FvColumn *column = &session->scores.columns[c];
        if (column->field || fv_session_display(session, c) != FV_DISPLAY_FIRST)
            continue;
        const bool sequence = column->info.sequence;
        scores[count++] = (FvVerdictScore){
            .output = c,
            .meaning = column->meaning,
            .values = session->scores.values ? session->scores.values + c : NULL,
            .step = session->scores.column_count,
            .mean = sequence ? column->sequence : fv_session_pool(session, c, FV_POOL_MEAN),
            .bound = fv_session_grade_bound(session, c),
            .graded = !sequence && fv_session_has_grades(session, c),
        };
    }
    return count;
}

/*
 * Gathers the events about frames, with the kinds of FvVerdictEvent. Returns their number. Events about tags,
 * colours, bars and gaps are left out, because they are warnings and do not change the verdict.
 */
static int gather_events(const FvSession *session, FvVerdictEvent *events)
{
    static const struct {
        const char *kind, *verdict, *how;
    } kinds[] = {
        {"planes", "chroma", NULL},
        {"unrelated", "other", NULL},
        {"mirrored", "mirrored", "mirrored left to right"},
        {"frozen", "frozen", NULL},
        {"black", "black", NULL},
        {"flipped", "mirrored", "mirrored top to bottom"},
        {"one_colour", "plain", NULL},
        {"rotation", "mirrored", "turned by 180 degrees"},
    };
    const int64_t frames = session->scores.frames, last = frames ? session->scores.number[frames - 1] : 0;
    int count = 0, offset = -1; /* index of the event that ends where the next offset begins */
    for (int i = 0; i < session->facts.events.count; i++) {
        const FvEvent *event = &session->facts.events.event[i];
        const bool placed = event->frames != 0;
        const int64_t end = event->frames < 0 ? last : event->first + event->frames - 1;
        if (!strcmp(event->kind, "offset")) {
            if (offset >= 0)
                events[offset].last = event->first - 1;
            offset = placed && event->value ? count : -1;
            if (placed && event->value)
                events[count++] = (FvVerdictEvent){.kind = "offset", .first = event->first, .last = end};
            else if (!placed) /* a positive offset: the distorted video shows later frames */
                events[count++] = (FvVerdictEvent){.kind = "shift", .frames = (int64_t)-event->value};
            continue;
        }
        const bool of_encode = !event->sided || event->side == FV_DISTORTED;
        const bool tagged =
            !strcmp(event->kind, "rotation") && !event->sided; /* an event about tags, not about frames */
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds && of_encode && !tagged; k++)
            if (!strcmp(event->kind, kinds[k].kind))
                events[count++] = (FvVerdictEvent){
                    .kind = kinds[k].verdict, .first = event->first, .last = end, .how = kinds[k].how};
    }
    return count;
}

FvStatus fv_judge_frames(FvClipVerdict *verdict, const FvSession *session, const FvVerdictGate *gates, int gate_count,
                         const FvVerdictChecks *checks, FvError *error)
{
    const int64_t frames = session->scores.frames;
    const size_t sizes[] = {(size_t)(frames + 1) * sizeof(int64_t), (size_t)(frames + 1) * sizeof(int64_t),
                            (size_t)session->scores.column_count * sizeof(FvVerdictScore),
                            (size_t)(session->facts.events.count + 1) * sizeof(FvVerdictEvent)};
    int64_t *start = malloc(sizes[0]), *bytes = malloc(sizes[1]);
    FvVerdictScore *scores = malloc(sizes[2]);
    FvVerdictEvent *events = malloc(sizes[3]);
    FvStatus status = FV_OK;
    if (!start || !bytes || !scores || !events)
        status = fv_fail_memory(error, sizes[0] + sizes[1] + sizes[2] + sizes[3]);
    else {
        for (int64_t i = 0; session->facts.packets && i < frames; i++)
            bytes[i] = session->facts.packets[i] >> 1;
        const FvVerdictCase clip = {
            .frames = {.count = frames,
                       .number = session->scores.number,
                       .start = start,
                       .bytes = session->facts.packets ? bytes : NULL,
                       .scenes = session->facts.scenes.cuts,
                       .scene_count = session->facts.scenes.count,
                       .timed = find_times(session, start)},
            .scores = scores,
            .score_count = gather_scores(session, scores),
            .gates = gates,
            .gate_count = gate_count,
            .events = events,
            .event_count = gather_events(session, events),
            .checks = checks ? *checks : (FvVerdictChecks){.worst = NULL},
            .partial = fv_session_partial(session),
            .expected = session->facts.distorted.info.frames,
            .alone = !session->has_reference,
            .identical = fv_session_identical(session),
        };
        FvLocale before; /* the sentence contains numbers, which need the C locale */
        status = fv_locale_enter(&before) ? fv_verdict_make(verdict, &clip, error) : fv_fail_memory(error, 0);
        fv_locale_leave(before);
    }
    free(start);
    free(bytes);
    free(scores);
    free(events);
    return status;
}
