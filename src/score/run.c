/* Scores two sources: reads and pairs their frames, pushes them into the session, and records the decisions. */
#include "score/run.h"

#include <string.h>

#include "base/error.h"
#include "clock.h"
#include "config.h"
#include "input/source.h"
#include "os/cancel.h"
#include "picture/frame.h"
#include "score/compatibility.h"
#include "score/scoring.h"
#include "score/source_services.h"
#include "score/span.h"
#include "score/timing.h"
#include "session/session.h"

static bool is_decoded(const FvSourceInfo *info)
{
    return strcmp(info->reader, "raw") && strcmp(info->reader, "y4m");
}

void fv_scoring_add_variants(FvWorkload *workload, const FvYcbcr *ycbcr)
{
    workload->has_variants = ycbcr->made;
    for (int side = 0; side < 2; side++)
        workload->ycbcr_variant[side] =
            ycbcr->comparison.format[ycbcr->comparison.info[FV_REFERENCE] ? side : FV_DISTORTED];
}

static void notify_of_wait(void *opaque, const char *text)
{
    FvScoring *scoring = opaque;
    const FvProgress progress = {
        .total = scoring->total, .seconds = fv_seconds() - scoring->started, .timing = {.limited_by = text}};
    scoring->stopped |= !scoring->params->progress(scoring->params->opaque, &progress);
}

/* The state of a run while it starts. */
typedef struct Start {
    FvScoring *scoring;
    FvComparison comparison;
    FvYcbcr ycbcr; /* conversion for metrics that do not accept RGB */
} Start;

static FvStatus decide_comparison(Start *start, FvError *error)
{
    return fv_comparison_decide(&start->comparison, error);
}

static FvStatus open_preparations(Start *start, FvError *error)
{
    FvScoring *scoring = start->scoring;
    const FvComparison *comparison = &start->comparison;
    const FvSessionDevices *devices = fv_session_devices(scoring->session);
    FvStatus status = FV_OK;
    for (int side = 0; side < 2 && !status; side++) {
        const FvSourceInfo *info = comparison->info[side];
        if (!info)
            continue;
        scoring->format[side] = comparison->format[side];
        if (!fv_prepare_is_nothing(&info->format, &comparison->prepare[side]))
            status = fv_prepare_open(&scoring->preparation[side], &info->format, &comparison->prepare[side],
                                     devices->isa, (devices->threads + 1) / 2, error);
    }
    return status;
}

static FvStatus open_ycbcr(Start *start, FvError *error)
{
    const FvSessionDevices *devices = fv_session_devices(start->scoring->session);
    FvStatus status = fv_ycbcr_decide(&start->ycbcr, &start->comparison, error);
    return status ? status
                  : fv_ycbcr_open(&start->ycbcr, &start->comparison, start->scoring->variants, devices->isa,
                                  (devices->threads + 1) / 2, error);
}

static FvStatus choose_span(Start *start, FvError *error)
{
    FvScoring *scoring = start->scoring;
    FvStatus status = fv_span_choose(&start->comparison, error);
    for (int side = 0; side < 2; side++)
        scoring->skip[side] = start->comparison.skip[side];
    scoring->frames = start->comparison.frames;
    return status ? status : fv_score_check_length(scoring, error);
}

static FvStatus open_watch(Start *start, FvError *error)
{
    return fv_score_open_watch(start->scoring, &start->comparison, error);
}

/* Describes the workload to the session, and starts it. */
static FvStatus start_session(Start *start, FvError *error)
{
    FvScoring *scoring = start->scoring;
    const FvScoreRange *range = scoring->range;
    FvWorkload workload = {.arrival = FV_ARRIVES_RAW,
                           .pairs = range ? range->end - range->first : scoring->total,
                           .part = range != NULL};
    for (int side = 0; side < 2; side++) {
        const FvSource *source = scoring->source[side];
        workload.decoded += scoring->info[side] && is_decoded(scoring->info[side]);
        workload.hwdec += source && source->ops->suits_hwdec && source->ops->suits_hwdec(source) &&
                          !fv_services_is_short_video(scoring, source);
    }
    if (workload.decoded)
        workload.arrival = FV_ARRIVES_CODED;
    if (!range && scoring->params->progress)
        workload.observer = (FvWaitObserver){notify_of_wait, scoring};
    fv_scoring_add_variants(&workload, &start->ycbcr);
    fv_session_set_workload(scoring->session, &workload);
    return fv_session_start(scoring->session, scoring->info[FV_REFERENCE] ? &scoring->format[FV_REFERENCE] : NULL,
                            &scoring->format[FV_DISTORTED], error);
}

/* Starts a run. The decisions in the report have the order of these steps. */
static FvStatus start_scoring(FvScoring *scoring, FvError *error)
{
    static FvStatus (*const steps[])(Start * start, FvError * error) = {
        decide_comparison, open_preparations, open_ycbcr, choose_span, open_watch, start_session,
    };
    Start begun = {.scoring = scoring,
                   .comparison = {.session = scoring->session,
                                  .params = scoring->params,
                                  .info = {scoring->info[FV_REFERENCE], scoring->info[FV_DISTORTED]}}};
    FvStatus status = FV_OK;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && !status; i++)
        status = steps[i](&begun, error);
    return status;
}

/* Reads and prepares the next pair. FV_END: there is none. */
static FvStatus read_pair(FvScoring *scoring, FvFrame *frame[2], int64_t *number, FvError *error)
{
    *number = scoring->read;
    if (fv_scoring_matches(scoring))
        return fv_match_next(&scoring->match, frame, number, error);
    FvStatus status[2] = {FV_OK, FV_OK};
    for (int i = 0; i < 2; i++)
        if (scoring->reader[i] && (i == 0 || status[0] == FV_OK || status[0] == FV_END))
            status[i] = fv_read_ahead_next(scoring->reader[i], &frame[i], error);
    for (int i = 0; i < 2; i++)
        if (status[i] && status[i] != FV_END)
            return status[i];
    if (scoring->reader[FV_REFERENCE] && status[FV_REFERENCE] != status[FV_DISTORTED]) {
        bool ref_ended = status[FV_REFERENCE] == FV_END;
        if (!scoring->params->shortest)
            return fv_score_fail_length(scoring, ref_ended ? scoring->read : -1, ref_ended ? -1 : scoring->read,
                                        error);
        FvStatus decided = fv_session_decide(
            scoring->session, error,
            "the videos have unequal lengths: compared the first %lld frames, where the %s video ends",
            (long long)scoring->read, ref_ended ? "reference" : "distorted");
        return decided ? decided : FV_END;
    }
    if (status[FV_DISTORTED])
        return status[FV_DISTORTED];
    return FV_OK;
}

/*
 * Chooses the needed pairs and those that get a look, which are the same in a run and in its shards. Shards store the
 * signatures of every pair, so they need all pairs.
 */
static void choose_needed(FvScoring *scoring)
{
    FvFrameSelection need = fv_score_selection(scoring->session, scoring->params);
    scoring->shift.most = need.whole;
    if (!scoring->watches)
        need.whole = 0;
    scoring->looked_pairs = fv_looked_pairs(&need);
    if (!scoring->range)
        scoring->need = need;
}

/* Chooses where reading begins: frames before the range are needed if features look back. */
static void choose_first(FvScoring *scoring)
{
    FvScoreRange *range = scoring->range;
    if (!range)
        return;
    const int64_t lead = fv_session_lead(scoring->session);
    range->pairs.first = range->first;
    range->first_row = scoring->first_read = scoring->read = lead < range->first ? range->first - lead : 0;
    scoring->total = range->end - range->first;
}

static FvWorkTimes work_times_of(const FvScoring *scoring)
{
    FvDevice *const *devices = fv_session_devices(scoring->session)->opened;
    FvWorkTimes times = {
        .device = devices[1] ? "both devices" : devices[0]->ops->kind,
        .waited = scoring->waited,
        .pushed = scoring->pushed,
        .transferring = devices[0]->transferring,
        .scoring = devices[1] ? 0 : (double)atomic_load(&devices[0]->worked) * 1e-9,
        .threads = fv_session_devices(scoring->session)->threads,
        .frames = scoring->read - scoring->first_read,
    };
    for (int side = 0; side < 2; side++) {
        times.decodes[side] = scoring->reader[side] && is_decoded(scoring->info[side]);
        times.path[side] = scoring->reader[side] ? scoring->info[side]->path : NULL;
        if (scoring->reader[side])
            times.worked[side] = fv_read_ahead_worked(scoring->reader[side]);
    }
    return times;
}

/* Measures the speeds of reading, decoding, preparing and scoring. */
static void fill_timing(const FvScoring *scoring, FvTiming *timing, char *text, size_t size)
{
    const FvWorkTimes times = work_times_of(scoring);
    fv_timing_fill(timing, &times, text, size);
}

/* Stores the speeds for estimates of later sessions, if nothing but reading and scoring took time. */
static void show_speeds(const FvScoring *scoring)
{
    const FvScoreParams *params = scoring->params;
    const FvSessionDevices *devices = fv_session_devices(scoring->session);
    const FvWorkTimes times = work_times_of(scoring);
    if (scoring->range || scoring->preparation[0] || scoring->preparation[1] || scoring->variants[FV_DISTORTED] ||
        fv_scoring_matches(scoring) || params->subsample > 1 || params->select ||
        fv_session_params(scoring->session)->scenes || fv_session_hands_maps(scoring->session))
        return;
    FvRunTiming shown = {.pairs = scoring->read - scoring->first_read,
                         .start = scoring->first_came - scoring->started,
                         .seconds = fv_seconds() - scoring->first_came,
                         .waits = fv_timing_waits(&times)};
    if (devices->opened_at < scoring->started)
        shown.start += devices->opening;
    for (int side = 0; side < 2; side++)
        shown.hardware |= scoring->source[side] && !strncmp(scoring->source[side]->decoder, "GPU", 3);
    fv_session_show_speeds(scoring->session, &shown);
}

static bool report_progress(const FvScoring *scoring)
{
    char text[128];
    if (!scoring->params->progress)
        return true;
    const int64_t first = scoring->range ? scoring->range->first : 0;
    FvProgress progress = {.frames = scoring->read > first ? scoring->read - first : 0,
                           .total = scoring->total,
                           .seconds = fv_seconds() - scoring->started};
    fill_timing(scoring, &progress.timing, text, sizeof text);
    return scoring->params->progress(scoring->params->opaque, &progress);
}

/* Checks that a range has as many frames as the indexes of the videos state. */
static FvStatus check_range(const FvScoring *scoring, FvStatus status, FvError *error)
{
    const FvScoreRange *range = scoring->range;
    if (!range || (status && status != FV_END))
        return status;
    if (status == FV_END ? scoring->read == range->end : scoring->read < range->end)
        return status;
    return fv_fail(
        error, FV_ERROR_INPUT,
        "%s: there are %s than the %lld frames to compare that its packets state, so it cannot be cut into "
        "shards: score it in one run",
        scoring->info[FV_DISTORTED]->path, status ? "fewer" : "more", (long long)range->end);
}

/* Reads, checks and pushes pairs until the videos or the range end, a stop is requested, or something fails. */
static FvStatus score_frames(FvScoring *scoring, FvError *error)
{
    const FvScoreParams *params = scoring->params;
    const FvScoreRange *range = scoring->range;
    const int64_t end = range && !range->last ? range->end : scoring->frames;       /* 0: the end of the videos */
    const int masked = scoring->reader[FV_REFERENCE] ? FV_REFERENCE : FV_DISTORTED; /* the side that masks follow */
    FvStatus status = FV_OK;
    while (!status && (end <= 0 || scoring->read < end)) {
        FvFrame *frame[2] = {NULL, NULL};
        int64_t number;
        const double asked = fv_seconds();
        status = check_range(scoring, read_pair(scoring, frame, &number, error), error);
        const double came = fv_seconds();
        if (scoring->read == scoring->first_read)
            scoring->first_came = came;
        if (!status)
            status = fv_score_watch(scoring, number, frame, error);
        if (!status) {
            const int64_t place = scoring->read++;
            const bool skipped = (params->subsample > 1 && place % params->subsample) ||
                                 (params->select && !params->select(params->opaque, place)) ||
                                 (range && place < range->first); /* read only for features that look back */
            const int64_t shown =
                masked == FV_REFERENCE && fv_scoring_matches(scoring) ? scoring->match.last : number;
            const int64_t mask = shown + scoring->begun[masked] + scoring->skip[masked];
            scoring->latest = number;
            for (int side = 0; side < 2; side++)
                scoring->timed[side] = frame[side] && fv_frame_time(frame[side], &scoring->ticks[side]);
            status = fv_session_hand_over(scoring->session, number, mask, frame[FV_REFERENCE], frame[FV_DISTORTED],
                                          skipped, error);
            scoring->waited += came - asked;
            scoring->pushed += fv_seconds() - came;
            if (!status)
                status = fv_score_watch_decoded(scoring, error);
            if (!status && range && range->on_rows)
                status = range->on_rows(range->opaque, range->first_row, false, error);
        }
        fv_frame_unref(&frame[FV_REFERENCE]);
        fv_frame_unref(&frame[FV_DISTORTED]);
        const bool stopped = scoring->stopped || status == FV_ERROR_PARTIAL /* a source was cancelled */ ||
                             (!status && fv_cancel_requested(fv_session_params(scoring->session)->cancel));
        if (stopped || (!status && !report_progress(scoring)))
            status = fv_fail(error, FV_FAIL_STOPPED, "stopped on request");
    }
    return status == FV_END ? FV_OK : status;
}

/* Waits for the pairs in flight and counts that time as pushing: on a GPU, they may be all pairs of a short video. */
static FvStatus drain(FvScoring *scoring, FvError *error)
{
    const double asked = fv_seconds();
    FvStatus status = fv_session_drain(scoring->session, error);
    scoring->pushed += fv_seconds() - asked;
    if (!status && scoring->read > scoring->first_read)
        report_progress(scoring); /* a request to stop is too late here */
    return status;
}

FvStatus fv_score_partial(FvStatus failure)
{
    const bool stays = failure == FV_ERROR_DEVICE || failure == FV_ERROR_OUTPUT || failure == FV_ERROR_MEMORY;
    return stays ? failure : FV_ERROR_PARTIAL;
}

/* Ends the session. A failure becomes FV_ERROR_PARTIAL if there are scores to keep. */
static FvStatus finish_scoring(FvScoring *scoring, FvStatus status, FvError *error)
{
    FvSession *session = scoring->session;
    FvError first = error ? *error : (FvError){.status = status};
    if (fv_session_state(session) == FV_SESSION_STARTED) {
        FvError earlier; /* error of a frame that was read before the failure */
        FvStatus finished = fv_session_end(session, scoring->ended, &earlier);
        first = finished ? earlier : first;
        status = finished ? finished : status;
    }
    if (!status && !fv_session_frames(session) && !scoring->range)
        status = fv_fail(&first, FV_ERROR_INPUT,
                         "%s ends before the first frame to score; lower `start` or `distorted.frame_skip`",
                         scoring->info[FV_DISTORTED]->path);
    if (status)
        fv_session_mark_partial(session, &first);
    if (status && fv_session_frames(session) && !scoring->range)
        first.status = status = fv_score_partial(status);
    if (status)
        fv_session_abandon(session);
    if (error && status)
        *error = first;
    return status;
}

/* Decides whether the source seeks to the first frame; if it cannot, a decision explains why reading takes long. */
static FvStatus choose_entry(FvScoring *scoring, int side, bool *enters, FvError *error)
{
    char why[sizeof((FvError *)0)->message], text[64];
    FvSource *source = scoring->source[side];
    const int64_t skip = scoring->skip[side];
    *enters = scoring->range != NULL;
    if (*enters || !source || !skip)
        return FV_OK;
    *enters = fv_source_enters(source, source->next + skip, why, sizeof why);
    if (!*why)
        return FV_OK;
    snprintf(text, sizeof text, "decoding the %lld frames before the start", (long long)skip);
    if (scoring->params->progress)
        notify_of_wait(scoring, text);
    return fv_session_decide(scoring->session, error, "%s: the %lld frames before the start were decoded: %s",
                             source->info.path, (long long)skip, why);
}

/* Records facts about the files that are known only after they are read. */
static FvStatus report_pictures(const FvScoring *scoring, FvError *error)
{
    static const char *const sides[] = {"reference", "distorted video"};
    static const char *const members[] = {"reference", "distorted"};
    FvStatus status = FV_OK;
    for (int side = 0; side < 2 && !status; side++) {
        const FvSource *source = scoring->source[side];
        if (source && source->info.pictures > 1)
            status = fv_session_warn(scoring->session, error,
                                     "the file of the %s holds other pictures behind the first one, which alone is "
                                     "compared",
                                     sides[side]);
        if (!status && source && source->interlaced)
            status = fv_session_warn(scoring->session, error,
                                     "from frame %lld on, frames of the %s are flagged as interlaced, and the first "
                                     "one is not: `%s.fields` states the order of all",
                                     (long long)source->interlaced, sides[side], members[side]);
    }
    return status;
}

static FvStatus read_and_score(FvScoring *scoring, FvError *error)
{
    FvStatus status = FV_OK;
    bool enters[2];
    for (int side = 0; side < 2 && !status; side++)
        status = choose_entry(scoring, side, &enters[side], error);
    for (int side = 0; side < 2 && !status; side++) {
        FvReadAheadParams reading = {.source = scoring->source[side],
                                     .preparation = scoring->preparation[side],
                                     .variants = scoring->variants[side],
                                     .defers = scoring->defers[side],
                                     .skip = scoring->skip[side],
                                     .enters = enters[side],
                                     .need = fv_scoring_selection(scoring, side),
                                     .signs = scoring->watches};
        reading.skip += scoring->first_read;
        reading.on_host = !fv_session_devices(scoring->session)->opened[0]->ops->frame;
        if (scoring->range)
            reading.frames = scoring->range->last ? 0 : scoring->range->end - scoring->first_read;
        else if (!fv_scoring_matches(scoring))
            reading.frames = scoring->frames;
        if (reading.source)
            reading.source->strict = scoring->range != NULL;
        if (reading.source)
            status = fv_read_ahead_open(&scoring->reader[side], &reading,
                                        fv_session_devices(scoring->session)->threads > 1, error);
    }
    for (int side = 0; side < 2; side++) {
        scoring->match.reader[side] = scoring->reader[side];
        scoring->match.source[side] = scoring->source[side];
    }
    scoring->match.last = scoring->watched = -1;
    if (!status)
        status = score_frames(scoring, error);
    if (!status)
        status = drain(scoring, error);
    if (!status)
        status = fv_score_watch_decoded(scoring, error);
    scoring->ended = !status;
    if (!status)
        show_speeds(scoring);
    if (!status)
        status = fv_score_report_matches(scoring, error);
    if (!status)
        status = fv_services_report_decoders(scoring, error);
    if (!status && !scoring->range)
        status = report_pictures(scoring, error);
    if (!status && !scoring->range)
        status = fv_score_report_watch(scoring, error);
    FvSession *session = scoring->session;
    if (scoring->params->timing) {
        FvTiming timing;
        char limited_by[128];
        fill_timing(scoring, &timing, limited_by, sizeof limited_by);
        fv_session_note_timing(session, &timing);
    }
    fv_match_close(&scoring->match);
    fv_read_ahead_close(&scoring->reader[FV_REFERENCE]);
    fv_read_ahead_close(&scoring->reader[FV_DISTORTED]);
    return status;
}

FvStatus fv_scoring_check(const FvSession *session, const FvSource *reference, const FvSource *distorted,
                          const FvScoreParams *params, FvError *error)
{
    FV_REQUIRE(error, session);
    FV_REQUIRE(error, distorted);
    FV_REQUIRE(error, params);
    if (fv_session_state(session) != FV_SESSION_OPEN)
        return fv_fail(error, FV_ERROR_USAGE,
                       "fv_score: the session has been started already, and a session scores one pair of videos; "
                       "open another one");
    if (reference == distorted)
        return fv_fail(error, FV_ERROR_USAGE,
                       "fv_score: %s is given as the reference and as the distorted video; open the file twice",
                       fv_source_info(distorted)->path);
    if (reference && reference->stream.waits && fv_file_same(reference->stream.id, distorted->stream.id))
        return fv_fail(error, FV_ERROR_USAGE, "fv_score: %s and %s are the same pipe, which can carry one video only",
                       fv_source_info(reference)->path, fv_source_info(distorted)->path);
    if (!reference && fv_session_needs_reference(session))
        return fv_fail(error, FV_ERROR_USAGE, "the chosen metrics compare with a reference: give one (`reference`)");
    return fv_comparison_check_params(params, reference != NULL, error);
}

FvStatus fv_scoring_run(FvSession *session, FvSource *reference, FvSource *distorted, const FvScoreParams *params,
                        FvScoreRange *range, FvError *error)
{
    FvError own = {0};
    error = error ? error : &own;
    FvStatus status = fv_scoring_check(session, reference, distorted, params, error);
    if (status)
        return status;
    bool use_reference = reference && fv_session_needs_reference(session);
    fv_comparison_settle((FvSource *const[2]){use_reference ? reference : NULL, distorted}, params);
    FvScoring scoring = {
        .session = session,
        .params = params,
        .source = {use_reference ? reference : NULL, distorted},
        .info = {use_reference ? fv_source_info(reference) : NULL, fv_source_info(distorted)},
        .begun = {use_reference ? reference->next : 0, distorted->next},
        .started = fv_seconds(),
        .range = range,
    };
    fv_session_note_params(session, params);
    fv_session_protect(session, &distorted->files);
    if (reference)
        fv_session_protect(session, &reference->files);
    status = fv_session_note_input(session, FV_DISTORTED, scoring.info[FV_DISTORTED], error);
    if (!status && use_reference)
        status = fv_session_note_input(session, FV_REFERENCE, scoring.info[FV_REFERENCE], error);
    if (!status && reference && !use_reference)
        status = fv_session_decide(session, error, "the reference is not read: no chosen metric needs it");
    if (!status)
        status = fv_score_report_alignment(&scoring, error);
    if (!status)
        status = start_scoring(&scoring, error);
    if (!status)
        status = fv_services_defer(&scoring, error);
    if (!status) {
        choose_needed(&scoring);
        fv_services_attach(&scoring);
        choose_first(&scoring);
        status = read_and_score(&scoring, error);
    }
    fv_services_detach(&scoring);
    for (int side = 0; side < 2; side++) {
        fv_prepare_close(&scoring.preparation[side]);
        fv_variants_close(&scoring.variants[side]);
    }
    fv_score_close_watch(&scoring);
    status = finish_scoring(&scoring, status, error);
    if (!range && (!status || status == FV_ERROR_PARTIAL)) {
        FvError failure;
        const FvStatus noted = fv_score_note_packets(&scoring, &failure);
        if (noted && !status && error)
            *error = failure;
        status = status ? status : noted;
    }
    return status || !range || !range->on_rows ? status
                                               : range->on_rows(range->opaque, range->first_row, true, error);
}

FvStatus fv_score_range(FvSession *session, FvSource *reference, FvSource *distorted, const FvScoreParams *params,
                        FvScoreRange *range, FvError *error)
{
    return fv_scoring_run(session, reference, distorted, params, range, error);
}
