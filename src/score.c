/* Scoring two sources: what fits together, what is decided, what is refused. */
#include <time.h>

#include "cancel.h"
#include "depth.h"
#include "error.h"
#include "frame.h"
#include "reader.h"
#include "session.h"
#include "source.h"

typedef struct Scoring {
    FvSession *session;
    const FvScoreParams *params;
    const FvSource *source[2]; /* reference (or NULL), distorted */
    const FvSourceInfo *info[2];
    FvReader *reader[2];
    int depth;
    int64_t read; /* pairs read after the skipped frames */
    int64_t total;
    double started;
} Scoring;

enum { REFERENCE, DISTORTED };

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static FvStatus check_rate(Scoring *scoring, FvError *error)
{
    const FvFormat *ref = &scoring->info[REFERENCE]->format, *dis = &scoring->info[DISTORTED]->format;
    if (!ref->rate_den || !dis->rate_den ||
        (int64_t)ref->rate_num * dis->rate_den == (int64_t)dis->rate_num * ref->rate_den)
        return FV_OK;
    if (!scoring->params->ignore_rate)
        return fv_fail(
            error, FV_ERROR_INPUT,
            "the reference runs at %d/%d frames per second and the distorted video at %d/%d; --ignore-rate pairs "
            "their frames by index all the same",
            ref->rate_num, ref->rate_den, dis->rate_num, dis->rate_den);
    return fv_session_decide(scoring->session, error,
                             "frame rates differ (reference %d/%d, distorted %d/%d): ignored, frames pair by index",
                             ref->rate_num, ref->rate_den, dis->rate_num, dis->rate_den);
}

static FvStatus check_range(Scoring *scoring, FvError *error)
{
    FvRange ref = scoring->info[REFERENCE]->format.range, dis = scoring->info[DISTORTED]->format.range;
    if (ref == dis)
        return FV_OK;
    if (!ref || !dis)
        return fv_session_decide(scoring->session, error,
                                 "the %s video does not state its range: taken to be %s like the other",
                                 ref ? "distorted" : "reference", fv_range_name(ref ? ref : dis));
    if (!scoring->params->ignore_range)
        return fv_fail(
            error, FV_ERROR_INPUT,
            "the reference is %s range and the distorted video %s range; convert one of them, or compare code "
            "values all the same with --ignore-range",
            fv_range_name(ref), fv_range_name(dis));
    return fv_session_decide(scoring->session, error,
                             "ranges differ (reference %s, distorted %s): ignored, code values are compared",
                             fv_range_name(ref), fv_range_name(dis));
}

/* One exact rule for differing depths: the shallower one times a power of two, for limited range only. */
static FvStatus check_depth(Scoring *scoring, FvError *error)
{
    const FvFormat *ref = &scoring->info[REFERENCE]->format, *dis = &scoring->info[DISTORTED]->format;
    scoring->depth = ref->depth > dis->depth ? ref->depth : dis->depth;
    if (ref->depth == dis->depth)
        return FV_OK;
    if (ref->range == FV_RANGE_FULL || dis->range == FV_RANGE_FULL)
        return fv_fail(error, FV_ERROR_INPUT,
                       "the reference has %d bits per sample and the distorted video %d, and full range has no exact "
                       "conversion between them: convert one of them first",
                       ref->depth, dis->depth);
    return fv_session_decide(
        scoring->session, error, "the %s video's %d-bit samples were multiplied by %d to compare at %d bits",
        ref->depth < dis->depth ? "reference" : "distorted", ref->depth < dis->depth ? ref->depth : dis->depth,
        1 << (scoring->depth - (ref->depth < dis->depth ? ref->depth : dis->depth)), scoring->depth);
}

/* Frames a source will give, or -1. */
static int64_t frames_left(const FvSource *source, int64_t skip)
{
    int64_t frames = source->info.frames;
    if (frames >= 0 && source->next < frames && skip < frames - source->next)
        return frames - source->next - skip;
    return frames < 0 ? -1 : 0;
}

static FvStatus unequal_length(const Scoring *scoring, int64_t ref, int64_t dis, FvStatus status, FvError *error)
{
    char count[2][48];
    for (int i = 0; i < 2; i++) {
        int64_t frames = i ? dis : ref;
        snprintf(count[i], sizeof count[i], frames < 0 ? "more than %lld" : "%lld",
                 (long long)(frames < 0 ? scoring->read : frames));
    }
    return fv_fail(error, status,
                   "the videos have unequal lengths: %s has %s frames to compare, %s has %s; --shortest compares the "
                   "first ones only",
                   scoring->info[REFERENCE]->path, count[REFERENCE], scoring->info[DISTORTED]->path,
                   count[DISTORTED]);
}

static FvStatus check_length(Scoring *scoring, FvError *error)
{
    const FvScoreParams *params = scoring->params;
    int64_t dis = frames_left(scoring->source[DISTORTED], params->skip_distorted);
    int64_t ref = scoring->source[REFERENCE] ? frames_left(scoring->source[REFERENCE], params->skip_reference) : dis;
    scoring->total = ref < 0 || (dis >= 0 && dis < ref) ? dis : ref;
    if (params->frames > 0 && (scoring->total < 0 || scoring->total > params->frames))
        scoring->total = params->frames;
    /* What a container only claims is found out at the end. */
    bool sure =
        scoring->info[DISTORTED]->frames_sure && (!scoring->info[REFERENCE] || scoring->info[REFERENCE]->frames_sure);
    if (!sure || ref < 0 || dis < 0 || ref == dis || params->shortest ||
        (params->frames > 0 && params->frames <= ref && params->frames <= dis))
        return FV_OK;
    return unequal_length(scoring, ref, dis, FV_ERROR_INPUT, error);
}

static FvStatus start(Scoring *scoring, FvError *error)
{
    FvStatus status = FV_OK;
    FvFormat ref, dis = scoring->info[DISTORTED]->format;
    bool has_reference = scoring->info[REFERENCE] != NULL;
    scoring->depth = dis.depth;
    if (has_reference) {
        ref = scoring->info[REFERENCE]->format;
        status = check_rate(scoring, error);
        if (!status)
            status = check_range(scoring, error);
        if (!status)
            status = check_depth(scoring, error);
        ref.depth = scoring->depth;
    }
    dis.depth = scoring->depth;
    if (!status)
        status = check_length(scoring, error);
    return status ? status : fv_session_start(scoring->session, has_reference ? &ref : NULL, &dis, error);
}

static FvStatus skip_frames(FvReader *reader, const FvSourceInfo *info, int64_t count, FvError *error)
{
    FvStatus status = FV_OK;
    for (int64_t i = 0; i < count && !status; i++) {
        FvFrame *frame;
        status = fv_reader_next(reader, &frame, error);
        if (status == FV_END)
            status =
                fv_fail(error, FV_ERROR_INPUT, "%s ends after %lld frames, before the %lld that are to be skipped",
                        info->path, (long long)i, (long long)count);
        if (!status)
            fv_frame_unref(&frame);
    }
    return status;
}

/* Next pair, at the common depth; FV_END when there is none. */
static FvStatus read_pair(Scoring *scoring, FvFrame *frame[2], FvError *error)
{
    FvStatus status[2] = {FV_OK, FV_OK};
    for (int i = 0; i < 2; i++)
        if (scoring->reader[i] && (i == 0 || status[0] == FV_OK || status[0] == FV_END))
            status[i] = fv_reader_next(scoring->reader[i], &frame[i], error);
    for (int i = 0; i < 2; i++)
        if (status[i] && status[i] != FV_END)
            return status[i];
    if (scoring->reader[REFERENCE] && status[REFERENCE] != status[DISTORTED]) {
        bool ref_ended = status[REFERENCE] == FV_END;
        if (!scoring->params->shortest)
            return unequal_length(scoring, ref_ended ? scoring->read : -1, ref_ended ? -1 : scoring->read,
                                  FV_ERROR_INPUT, error);
        FvStatus decided = fv_session_decide(
            scoring->session, error,
            "the videos have unequal lengths: compared the first %lld frames, where the %s video ends",
            (long long)scoring->read, ref_ended ? "reference" : "distorted");
        return decided ? decided : FV_END;
    }
    if (status[DISTORTED])
        return status[DISTORTED];
    for (int i = 0; i < 2; i++)
        if (frame[i] && frame[i]->format.depth < scoring->depth) {
            FvStatus promoted = fv_frame_promote(&frame[i], scoring->depth, error);
            if (promoted)
                return promoted;
        }
    return FV_OK;
}

static bool report_progress(const Scoring *scoring)
{
    if (!scoring->params->progress)
        return true;
    FvProgress progress = {
        .frames = scoring->read, .total = scoring->total, .seconds = seconds_now() - scoring->started};
    return scoring->params->progress(scoring->params->opaque, &progress);
}

static FvStatus score_frames(Scoring *scoring, FvError *error)
{
    const FvScoreParams *params = scoring->params;
    FvStatus status = FV_OK;
    while (!status && (params->frames <= 0 || scoring->read < params->frames)) {
        FvFrame *frame[2] = {NULL, NULL};
        status = read_pair(scoring, frame, error);
        if (!status) {
            bool skipped = (params->subsample > 1 && scoring->read % params->subsample) ||
                           (params->chooses && !params->chooses(params->opaque, scoring->read));
            status = (skipped ? fv_session_skip : fv_session_push)(scoring->session, scoring->read, frame[REFERENCE],
                                                                   frame[DISTORTED], error);
            scoring->read++;
        }
        fv_frame_unref(&frame[REFERENCE]);
        fv_frame_unref(&frame[DISTORTED]);
        bool stopped = status == FV_ERROR_PARTIAL /* by the cancel of a source */
                       || (!status && fv_cancel_requested(scoring->session->params.cancel));
        if (stopped || (!status && !report_progress(scoring)))
            status =
                fv_fail(error, FV_ERROR_PARTIAL, "stopped on request after %lld frames", (long long)scoring->read);
    }
    return status == FV_END ? FV_OK : status;
}

/* Drains what is under way; a failure becomes PARTIAL when there are scores to keep. */
static FvStatus finish(Scoring *scoring, FvStatus status, FvError *error)
{
    FvSession *session = scoring->session;
    FvError first = error ? *error : (FvError){.status = status};
    if (session->state == FV_SESSION_STARTED) {
        FvError earlier; /* of a frame that was read before the one that failed */
        FvStatus finished = fv_session_end(session, !status, &earlier);
        first = finished ? earlier : first;
        status = finished ? finished : status;
    }
    if (!status && !session->frames)
        status = fv_fail(&first, FV_ERROR_INPUT, "%s has no frames left to score", scoring->info[DISTORTED]->path);
    if (status)
        fv_session_mark_partial(session, &first);
    if (status && session->frames)
        first.status = status = status == FV_ERROR_DEVICE || status == FV_ERROR_OUTPUT ? status : FV_ERROR_PARTIAL;
    if (status && session->state == FV_SESSION_OPEN)
        session->state = FV_SESSION_FAILED; /* inputs and decisions are those of this call */
    if (error && status)
        *error = first;
    return status;
}

static FvStatus make_pinned(void *opaque, FvFrame **frame, const FvFormat *format, FvError *error)
{
    return fv_session_frame(opaque, frame, format, FV_MEMORY_PINNED, error);
}

/* Lets the sources decode into memory that the session's device reads by itself, or takes it back. */
static void lend_memory(FvSession *session, FvSource *source, bool lend)
{
    if (source && session->devices[0]->ops->frame)
        fv_frame_pool_lend(source->pool, lend ? make_pinned : NULL, session);
}

/*
 * Where the device does everything, it decodes as well. Frames of another depth must be converted on the host first,
 * and whoever takes a map gets the frame beside it.
 */
static void hand_packets(const Scoring *scoring, FvSource *source, bool hand)
{
    const FvSession *session = scoring->session;
    if (source)
        source->hands_packets = hand && !source->gpu && !source->conceals && session->devices[0]->ops->decodes &&
                                !session->devices[1] && !session->maps.count &&
                                source->info.format.depth == scoring->depth;
}

/* Planes that no feature looks at need not be read. Conversion to another depth looks at all of them. */
static void leave_out_planes(const Scoring *scoring, FvSource *source, FvReads side, bool leave)
{
    if (!source)
        return;
    source->planes = FV_ALL_PLANES;
    if (!leave || source->info.format.depth != scoring->depth)
        return;
    const FvRuns *runs = &scoring->session->runs;
    source->planes = 0;
    for (int r = 0; r < runs->count; r++)
        if (runs->run[r].reads & side)
            source->planes |= runs->run[r].planes;
}

FvStatus fv_score(FvSession *session, FvSource *reference, FvSource *distorted, const FvScoreParams *params,
                  FvError *error)
{
    FvError own = {0};
    error = error ? error : &own;
    FV_REQUIRE(error, session);
    FV_REQUIRE(error, distorted);
    FV_REQUIRE(error, params);
    if (session->state != FV_SESSION_OPEN)
        return fv_fail(error, FV_ERROR_USAGE,
                       "fv_score: the session has been started before, and scores one pair of videos; open another");
    if (reference == distorted)
        return fv_fail(error, FV_ERROR_USAGE,
                       "fv_score: %s is given as the reference and as the distorted video; open the file twice",
                       fv_source_info(distorted)->path);
    if (params->subsample < 0 || params->frames < 0 || params->skip_reference < 0 || params->skip_distorted < 0)
        return fv_fail(error, FV_ERROR_USAGE, "subsample, frames and frames to skip cannot be negative");
    if (!reference && fv_session_needs_reference(session))
        return fv_fail(error, FV_ERROR_USAGE,
                       "the chosen metrics compare with a reference: give one with --reference");
    bool use_reference = reference && fv_session_needs_reference(session);
    Scoring scoring = {
        .session = session,
        .params = params,
        .source = {use_reference ? reference : NULL, distorted},
        .info = {use_reference ? fv_source_info(reference) : NULL, fv_source_info(distorted)},
        .started = seconds_now(),
    };
    session->score = *params;
    FvStatus status = fv_session_set_input(&session->distorted, distorted, error);
    if (!status && use_reference)
        status = fv_session_set_input(&session->reference, reference, error);
    if (!status && reference && !use_reference)
        status = fv_session_decide(session, error, "the reference is not read: no chosen metric needs it");
    if (!status)
        status = start(&scoring, error);
    lend_memory(session, reference, true);
    lend_memory(session, distorted, true);
    hand_packets(&scoring, reference, !status && !params->skip_reference);
    hand_packets(&scoring, distorted, !status && !params->skip_distorted);
    leave_out_planes(&scoring, reference, FV_READS_REFERENCE, !status);
    leave_out_planes(&scoring, distorted, FV_READS_DISTORTED, !status);
    if (!status && use_reference)
        status = fv_reader_open(&scoring.reader[REFERENCE], reference, session->threads > 1, error);
    if (!status)
        status = fv_reader_open(&scoring.reader[DISTORTED], distorted, session->threads > 1, error);
    if (!status && use_reference)
        status = skip_frames(scoring.reader[REFERENCE], scoring.info[REFERENCE], params->skip_reference, error);
    if (!status)
        status = skip_frames(scoring.reader[DISTORTED], scoring.info[DISTORTED], params->skip_distorted, error);
    if (!status)
        status = score_frames(&scoring, error);
    fv_reader_close(&scoring.reader[REFERENCE]);
    fv_reader_close(&scoring.reader[DISTORTED]);
    lend_memory(session, reference, false);
    lend_memory(session, distorted, false);
    hand_packets(&scoring, reference, false);
    hand_packets(&scoring, distorted, false);
    leave_out_planes(&scoring, reference, FV_READS_REFERENCE, false);
    leave_out_planes(&scoring, distorted, FV_READS_DISTORTED, false);
    return finish(&scoring, status, error);
}
