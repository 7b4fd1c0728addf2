/* Scoring two sources: their frames are read, paired and pushed into the session, and the decisions are told. */
#include <string.h>

#include "os/cancel.h"
#include "config.h"
#include "clock.h"
#include "base/error.h"
#include "picture/frame.h"
#include "score/lend.h"
#include "align/match.h"
#include "score/pace.h"
#include "score/compatibility.h"
#include "score/fields.h"
#include "input/read_ahead.h"
#include "score/range.h"
#include "score/scoring.h"
#include "score/span.h"
#include "score/ycbcr.h"
#include "session/session.h"
#include "align/shift.h"
#include "input/source.h"

static FvStatus open_preparation(FvScoring *scoring, const FvComparison *comparison, int side, FvError *error)
{
    const FvSourceInfo *info = scoring->info[side];
    scoring->format[side] = comparison->format[side];
    if (fv_prepare_is_nothing(&info->format, &comparison->prepare[side]))
        return FV_OK;
    return fv_prepare_open(&scoring->preparation[side], &info->format, &comparison->prepare[side],
                           fv_session_devices(scoring->session)->isa,
                           (fv_session_devices(scoring->session)->threads + 1) / 2, error);
}

static bool is_decoded(const FvSourceInfo *info)
{
    return strcmp(info->reader, "raw") && strcmp(info->reader, "y4m");
}

static bool suits_hwdec(const FvSource *source)
{
    return source && source->ops->suits_hwdec && source->ops->suits_hwdec(source);
}

static void expect_twins(FvExpected *expected, const FvYcbcr *ycbcr)
{
    expected->twins = ycbcr->made;
    for (int side = 0; side < 2; side++)
        expected->twin[side] = ycbcr->comparison.format[ycbcr->comparison.info[FV_REFERENCE] ? side : FV_DISTORTED];
}

static void hear(void *opaque, const char *text)
{
    FvScoring *scoring = opaque;
    const FvProgress progress = {
        .total = scoring->total, .seconds = fv_seconds() - scoring->started, .pace = {.limited_by = text}};
    scoring->stopped |= !scoring->params->progress(scoring->params->opaque, &progress);
}

static FvStatus start(FvScoring *scoring, FvError *error)
{
    FvComparison comparison = {.session = scoring->session,
                               .params = scoring->params,
                               .info = {scoring->info[FV_REFERENCE], scoring->info[FV_DISTORTED]}};
    FvStatus status = fv_comparison_decide(&comparison, error);
    for (int side = 0; side < 2 && !status; side++)
        if (scoring->info[side])
            status = open_preparation(scoring, &comparison, side, error);
    FvYcbcr ycbcr = {.made = false};
    const FvSessionDevices *devices = fv_session_devices(scoring->session);
    if (!status)
        status = fv_ycbcr_decide(&ycbcr, &comparison, error);
    if (!status)
        status = fv_ycbcr_open(&ycbcr, &comparison, scoring->twins, devices->isa, (devices->threads + 1) / 2, error);
    if (!status)
        status = fv_span_choose(&comparison, error);
    for (int side = 0; side < 2; side++)
        scoring->skip[side] = comparison.skip[side];
    scoring->frames = comparison.frames;
    if (!status)
        status = fv_score_check_length(scoring, error);
    if (!status)
        status = fv_score_open_watch(scoring, &comparison, error);
    const FvScoreRange *range = scoring->range;
    FvExpected expected = {.arrival = FV_ARRIVES_RAW, .pairs = range ? range->end - range->first : scoring->total};
    for (int side = 0; side < 2; side++) {
        expected.decoded += scoring->info[side] && is_decoded(scoring->info[side]);
        expected.hwdec += suits_hwdec(scoring->source[side]) && !fv_lend_is_short(scoring, scoring->source[side]);
    }
    if (expected.decoded)
        expected.arrival = FV_ARRIVES_CODED;
    if (!range && scoring->params->progress)
        expected.listener = (FvListener){hear, scoring};
    expect_twins(&expected, &ycbcr);
    fv_session_expect(scoring->session, &expected);
    return status ? status
                  : fv_session_start(scoring->session,
                                     scoring->info[FV_REFERENCE] ? &scoring->format[FV_REFERENCE] : NULL,
                                     &scoring->format[FV_DISTORTED], error);
}

/* The next pair, prepared; FV_END after the last one. */
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
                                        FV_ERROR_INPUT, error);
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

/* Shards keep what the watch sees of every pair. */
static void choose_needed(FvScoring *scoring)
{
    if (scoring->range)
        return;
    scoring->need = fv_score_need(scoring->session, scoring->params);
    scoring->shift.most = scoring->need.whole;
    if (!scoring->watches)
        scoring->need.whole = 0;
}

/* Reading begins with the frames before the range that features look back at. */
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

static FvPacing pacing_of(const FvScoring *scoring)
{
    FvDevice *const *devices = fv_session_devices(scoring->session)->opened;
    FvPacing pacing = {
        .device = devices[1] ? "both devices" : devices[0]->ops->kind,
        .waited = scoring->waited,
        .pushed = scoring->pushed,
        .transferring = devices[0]->transferring,
        .scoring = devices[1] ? 0 : (double)atomic_load(&devices[0]->worked) * 1e-9,
        .threads = fv_session_devices(scoring->session)->threads,
        .frames = scoring->read - scoring->first_read,
    };
    for (int side = 0; side < 2; side++) {
        pacing.decodes[side] = scoring->reader[side] && is_decoded(scoring->info[side]);
        pacing.path[side] = scoring->reader[side] ? scoring->info[side]->path : NULL;
        if (scoring->reader[side])
            pacing.worked[side] = fv_read_ahead_worked(scoring->reader[side]);
    }
    return pacing;
}

/* How fast reading, decoding, preparing and scoring are. */
static void tell_pace(const FvScoring *scoring, FvPace *pace, char *text, size_t size)
{
    const FvPacing pacing = pacing_of(scoring);
    fv_pace_tell(pace, &pacing, text, size);
}

/* Where nothing but reading and scoring takes time, estimates of later sessions go by it. */
static void show_speeds(const FvScoring *scoring)
{
    const FvScoreParams *params = scoring->params;
    const FvSessionDevices *devices = fv_session_devices(scoring->session);
    const FvPacing pacing = pacing_of(scoring);
    if (scoring->range || scoring->preparation[0] || scoring->preparation[1] || scoring->twins[FV_DISTORTED] ||
        fv_scoring_matches(scoring) || params->subsample > 1 || params->chooses ||
        fv_session_params(scoring->session)->scenes || fv_session_hands_maps(scoring->session))
        return;
    FvTiming shown = {.pairs = scoring->read - scoring->first_read,
                      .start = scoring->first_came - scoring->started,
                      .seconds = fv_seconds() - scoring->first_came,
                      .waits = fv_pace_waits(&pacing)};
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
    tell_pace(scoring, &progress.pace, text, sizeof text);
    return scoring->params->progress(scoring->params->opaque, &progress);
}

/* The number after the last frame; 0: only the end of the videos tells. */
static int64_t last_frame(const FvScoring *scoring)
{
    return scoring->range && !scoring->range->last ? scoring->range->end : scoring->frames;
}

/* A range has as many frames as the indexes of the videos promised. */
static FvStatus check_range(const FvScoring *scoring, FvStatus status, FvError *error)
{
    const FvScoreRange *range = scoring->range;
    if (!range || (status && status != FV_END))
        return status;
    if (status == FV_END ? scoring->read == range->end : scoring->read < range->end)
        return status;
    return fv_fail(
        error, FV_ERROR_INPUT,
        "%s: there are %s than the %lld frames to compare that its packets promise, so it cannot be cut into "
        "shards: score it in one run",
        scoring->info[FV_DISTORTED]->path, status ? "fewer" : "more", (long long)range->end);
}

static bool is_skipped(const FvScoring *scoring)
{
    const FvScoreParams *params = scoring->params;
    return (params->subsample > 1 && scoring->read % params->subsample) ||
           (params->chooses && !params->chooses(params->opaque, scoring->read)) ||
           (scoring->range && scoring->read < scoring->range->first);
}

static FvStatus tell_landed(const FvScoring *scoring, bool ended, FvError *error)
{
    const FvScoreRange *range = scoring->range;
    return range && range->landed ? range->landed(range->opaque, range->first_row, ended, error) : FV_OK;
}

static void note_times(FvScoring *scoring, int64_t number, FvFrame *const frame[2])
{
    scoring->latest = number;
    for (int side = 0; side < 2; side++)
        scoring->timed[side] = frame[side] && fv_frame_time(frame[side], &scoring->ticks[side]);
}

/* Masks go with the reference, whose frame this is; without one, with the distorted video. */
static int64_t mask_of(const FvScoring *scoring, int64_t number)
{
    const int side = scoring->reader[FV_REFERENCE] ? FV_REFERENCE : FV_DISTORTED;
    if (side == FV_REFERENCE && fv_scoring_matches(scoring))
        number = scoring->match.last;
    return number + scoring->begun[side] + scoring->skip[side];
}

static FvStatus score_frames(FvScoring *scoring, FvError *error)
{
    FvStatus status = FV_OK;
    const int64_t last = last_frame(scoring);
    while (!status && (last <= 0 || scoring->read < last)) {
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
            const bool skipped = is_skipped(scoring);
            note_times(scoring, number, frame);
            status = fv_session_hand_over(scoring->session, number, mask_of(scoring, number), frame[FV_REFERENCE],
                                          frame[FV_DISTORTED], skipped, error);
            scoring->read++;
            scoring->waited += came - asked;
            scoring->pushed += fv_seconds() - came;
            if (!status)
                status = fv_score_watch_decoded(scoring, error);
            if (!status)
                status = tell_landed(scoring, false, error);
        }
        fv_frame_unref(&frame[FV_REFERENCE]);
        fv_frame_unref(&frame[FV_DISTORTED]);
        bool stopped = scoring->stopped || status == FV_ERROR_PARTIAL /* by the cancel of a source */
                       || (!status && fv_cancel_requested(fv_session_params(scoring->session)->cancel));
        if (stopped || (!status && !report_progress(scoring)))
            status =
                fv_fail(error, FV_ERROR_PARTIAL, "stopped on request after %lld frames", (long long)scoring->read);
    }
    return status == FV_END ? FV_OK : status;
}

/* Waits for the pairs under way and counts that time as pushing: on a GPU they may be all of a short video. */
static FvStatus drain(FvScoring *scoring, FvError *error)
{
    const double asked = fv_seconds();
    FvStatus status = fv_session_drain(scoring->session, error);
    scoring->pushed += fv_seconds() - asked;
    if (!status && scoring->read > scoring->first_read)
        report_progress(scoring); /* too late to stop */
    return status;
}

FvStatus fv_score_partial(FvStatus failure)
{
    const bool stays = failure == FV_ERROR_DEVICE || failure == FV_ERROR_OUTPUT || failure == FV_ERROR_MEMORY;
    return stays ? failure : FV_ERROR_PARTIAL;
}

/* Ends the session; a failure becomes PARTIAL when there are scores to keep. */
static FvStatus finish(FvScoring *scoring, FvStatus status, FvError *error)
{
    FvSession *session = scoring->session;
    FvError first = error ? *error : (FvError){.status = status};
    if (fv_session_state(session) == FV_SESSION_STARTED) {
        FvError earlier; /* of a frame that was read before the failure */
        FvStatus finished = fv_session_end(session, scoring->ended, &earlier);
        first = finished ? earlier : first;
        status = finished ? finished : status;
    }
    if (!status && !fv_session_frames(session) && !scoring->range)
        status = fv_fail(&first, FV_ERROR_INPUT, "%s has no frames left to score", scoring->info[FV_DISTORTED]->path);
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

static FvStatus read_and_score(FvScoring *scoring, FvError *error)
{
    FvStatus status = FV_OK;
    for (int side = 0; side < 2 && !status; side++) {
        FvReadAheadParams reading = {.source = scoring->source[side],
                                     .preparation = scoring->preparation[side],
                                     .twins = scoring->twins[side],
                                     .defers = scoring->defers[side],
                                     .skip = scoring->skip[side],
                                     .enters = scoring->range != NULL,
                                     .need = fv_scoring_need(scoring, side),
                                     .signs = scoring->watches};
        reading.skip += scoring->first_read;
        reading.on_host = !fv_session_devices(scoring->session)->opened[0]->ops->frame;
        if (!scoring->range && !fv_scoring_matches(scoring))
            reading.frames = scoring->frames;
        if (reading.source)
            reading.source->strict = reading.enters;
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
        status = fv_score_tell_matches(scoring, error);
    if (!status)
        status = fv_lend_tell_decoders(scoring, error);
    if (!status)
        status = fv_score_tell_swap(scoring, error);
    if (!status && !scoring->range)
        status = fv_score_tell_watch(scoring, error);
    FvSession *session = scoring->session;
    if (scoring->params->pace)
        tell_pace(scoring, &fv_session_notes(session)->pace, fv_session_notes(session)->limited_by,
                  sizeof fv_session_notes(session)->limited_by);
    fv_match_close(&scoring->match);
    fv_read_ahead_close(&scoring->reader[FV_REFERENCE]);
    fv_read_ahead_close(&scoring->reader[FV_DISTORTED]);
    return status;
}

static FvStatus check(const FvSession *session, const FvSource *reference, const FvSource *distorted,
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

static FvStatus score(FvSession *session, FvSource *reference, FvSource *distorted, const FvScoreParams *params,
                      FvScoreRange *range, FvError *error)
{
    FvError own = {0};
    error = error ? error : &own;
    FvStatus status = check(session, reference, distorted, params, error);
    if (status)
        return status;
    bool use_reference = reference && fv_session_needs_reference(session);
    FvScoring scoring = {
        .session = session,
        .params = params,
        .source = {use_reference ? reference : NULL, distorted},
        .info = {use_reference ? fv_source_info(reference) : NULL, fv_source_info(distorted)},
        .begun = {use_reference ? reference->next : 0, distorted->next},
        .started = fv_seconds(),
        .range = range,
    };
    fv_session_notes(session)->score = *params;
    fv_session_notes(session)->score.alignment = NULL; /* the caller's */
    fv_guard_add_all(&fv_session_notes(session)->read, &distorted->files);
    if (reference)
        fv_guard_add_all(&fv_session_notes(session)->read, &reference->files);
    status = fv_session_set_input(&fv_session_notes(session)->distorted, fv_source_info(distorted), error);
    if (!status && use_reference)
        status = fv_session_set_input(&fv_session_notes(session)->reference, fv_source_info(reference), error);
    if (!status && reference && !use_reference)
        status = fv_session_decide(session, error, "the reference is not read: no chosen metric needs it");
    if (!status)
        status = fv_score_tell_alignment(&scoring, error);
    if (!status)
        status = start(&scoring, error);
    if (!status)
        status = fv_lend_preparations(&scoring, error);
    if (!status) {
        choose_needed(&scoring);
        fv_lend(&scoring);
        choose_first(&scoring);
        status = read_and_score(&scoring, error);
    }
    fv_lend_take_back(&scoring);
    for (int side = 0; side < 2; side++) {
        fv_prepare_close(&scoring.preparation[side]);
        fv_twins_close(&scoring.twins[side]);
    }
    fv_score_close_watch(&scoring);
    status = finish(&scoring, status, error);
    if (!range && (!status || status == FV_ERROR_PARTIAL)) {
        FvError failure;
        const FvStatus noted = fv_score_note_packets(&scoring, &failure);
        if (noted && !status && error)
            *error = failure;
        status = status ? status : noted;
    }
    return status ? status : tell_landed(&scoring, true, error);
}

FvStatus fv_score(FvSession *session, FvSource *reference, FvSource *distorted, const FvScoreParams *params,
                  FvError *error)
{
    FvError own = {0};
    error = error ? error : &own;
    if (!params || !params->fields)
        return score(session, reference, distorted, params, NULL, error);
    const FvStatus status = check(session, reference, distorted, params, error);
    return status ? status : fv_score_fields(session, reference, distorted, params, error);
}

FvStatus fv_score_range(FvSession *session, FvSource *reference, FvSource *distorted, const FvScoreParams *params,
                        FvScoreRange *range, FvError *error)
{
    return score(session, reference, distorted, params, range, error);
}

FvStatus fv_score_import(FvSession *session, const FvSourceInfo *reference, const FvSourceInfo *distorted,
                         const FvScoreParams *params, FvError *error)
{
    FvComparison comparison = {.params = params, .info = {reference, distorted}};
    char others[256];
    FvYcbcr ycbcr = {.made = false};
    FvExpected expected = {.arrival = FV_ARRIVES_AS_ROWS};
    fv_session_notes(session)->score = *params;
    FvStatus status = fv_session_set_input(&fv_session_notes(session)->distorted, distorted, error);
    if (!status && reference)
        status = fv_session_set_input(&fv_session_notes(session)->reference, reference, error);
    if (!status)
        status = fv_comparison_decide(&comparison, error);
    fv_session_takers(session, false, others, sizeof others);
    if (!status && *others)
        status = fv_ycbcr_decide(&ycbcr, &comparison, error);
    expect_twins(&expected, &ycbcr);
    fv_session_expect(session, &expected);
    if (!status)
        status = fv_score_check_watch(session, distorted->path, &comparison.format[FV_DISTORTED], error);
    return status ? status
                  : fv_session_start(session, reference ? &comparison.format[FV_REFERENCE] : NULL,
                                     &comparison.format[FV_DISTORTED], error);
}

static FvStatus decide_formats(const FvSource *const source[2], const FvScoreParams *params, bool ycbcr,
                               FvFormat formats[2], FvError *error)
{
    const FvSourceInfo *info[2] = {fv_source_info(source[FV_REFERENCE]), fv_source_info(source[FV_DISTORTED])};
    FvFields fields;
    FvYcbcr made = {.made = false};
    FvStatus status = params->fields ? fv_fields_choose(&fields, info, params, error) : FV_OK;
    FvComparison comparison = {.params = params, .info = {info[0], info[1]}};
    if (params->fields && !status)
        comparison = fields.comparison;
    if (!status)
        status = fv_comparison_decide(&comparison, error);
    if (!status && ycbcr)
        status = fv_ycbcr_decide(&made, &comparison, error);
    for (int side = 0; side < 2 && !status; side++)
        formats[side] = made.made ? made.comparison.format[side] : comparison.format[side];
    return status;
}

FvStatus fv_score_formats(const FvSource *reference, const FvSource *distorted, const FvScoreParams *params,
                          FvFormat formats[2], FvError *error)
{
    FV_REQUIRE(error, distorted);
    FV_REQUIRE(error, params);
    FV_REQUIRE(error, formats);
    return decide_formats((const FvSource *const[2]){reference, distorted}, params, false, formats, error);
}

FvStatus fv_score_ycbcr_formats(const FvSource *reference, const FvSource *distorted, const FvScoreParams *params,
                                FvFormat formats[2], FvError *error)
{
    FV_REQUIRE(error, distorted);
    FV_REQUIRE(error, params);
    FV_REQUIRE(error, formats);
    return decide_formats((const FvSource *const[2]){reference, distorted}, params, true, formats, error);
}

FvStatus fv_score_add_usual(FvSession *session, const FvSource *reference, const FvSource *distorted,
                            const FvScoreParams *params, bool allow_hdr, FvError *error)
{
    FvFormat kept[2], ycbcr[2];
    FV_REQUIRE(error, session);
    FV_REQUIRE(error, reference);
    FvStatus status = fv_score_formats(reference, distorted, params, kept, error);
    if (!status)
        status = fv_score_ycbcr_formats(reference, distorted, params, ycbcr, error);
    if (!status)
        status = fv_session_add_usual(session, &ycbcr[FV_REFERENCE], &ycbcr[FV_DISTORTED], allow_hdr, error);
    return status || kept[FV_DISTORTED].chroma != FV_CHROMA_RGB || ycbcr[FV_DISTORTED].chroma == FV_CHROMA_RGB
               ? status
               : fv_session_add_takers(session, kept, error);
}
