/* Finds scene cuts, and warns where the two videos do not show the same frames. */
#include <string.h>

#include "base/error.h"
#include "codec/prores/prores.h"
#include "input/source.h"
#include "os/memory.h"
#include "picture/frame.h"
#include "score/doubt.h"
#include "score/scoring.h"
#include "session/session.h"

#define LEAST_WIDTH 64 /* minimum width, in samples, of frames whose signatures are reliable */
#define LEAST_HEIGHT 36

static bool is_large(const FvFormat *format)
{
    return format->width >= LEAST_WIDTH && format->height >= LEAST_HEIGHT;
}

FvStatus fv_score_check_watch(const FvSession *session, const char *path, const FvFormat *dis, FvError *error)
{
    if (fv_session_params(session)->interval && !dis->rate_den)
        return fv_fail(
            error, FV_ERROR_INPUT,
            "%s states no frame rate, which intervals need; give it with `rate`, or leave the intervals out", path);
    if (fv_session_params(session)->scenes && !is_large(dis))
        return fv_fail(error, FV_ERROR_INPUT,
                       "scenes are found in pictures of at least %dx%d, and these are %dx%d; leave the scenes out",
                       LEAST_WIDTH, LEAST_HEIGHT, dis->width, dis->height);
    return FV_OK;
}

/* Returns whether the frames are large enough, both as read and as compared. */
static bool shows_shifts(const FvScoring *scoring, const FvComparison *comparison)
{
    bool large = true;
    for (int side = 0; side < 2 && scoring->info[FV_REFERENCE]; side++) {
        FvFormat read = scoring->info[side]->format;
        if (comparison->prepare[side].crop.width) {
            read.width = comparison->prepare[side].crop.width;
            read.height = comparison->prepare[side].crop.height;
        }
        large &= is_large(&read) && !comparison->prepare[side].inside.width; /* padding may differ in size */
    }
    return large && is_large(&scoring->format[FV_DISTORTED]);
}

static void open_gaps(FvScoring *scoring)
{
    for (int side = 0; side < 2; side++) {
        const FvSource *source = scoring->source[side];
        if (source)
            fv_gaps_expect(&scoring->gaps, side, &source->info.format, source->tick_num, source->tick_den);
    }
}

static void look_for_gaps(FvScoring *scoring, FvFrame *const frame[2])
{
    bool timed[2] = {false, false};
    int64_t ticks[2] = {0, 0};
    for (int side = 0; side < 2; side++)
        timed[side] = frame[side] && fv_frame_time(frame[side], &ticks[side]);
    fv_gaps_add(&scoring->gaps, timed, ticks);
}

FvStatus fv_score_open_watch(FvScoring *scoring, const FvComparison *comparison, FvError *error)
{
    const FvFormat *dis = &scoring->format[FV_DISTORTED];
    FvStatus status = fv_score_check_watch(scoring->session, scoring->info[FV_DISTORTED]->path, dis, error);
    if (status)
        return status;
    if (scoring->params->align == FV_ALIGN_BY_INDEX && !scoring->range)
        open_gaps(scoring);
    const bool shows = scoring->info[FV_REFERENCE] && shows_shifts(scoring, comparison);
    scoring->watches =
        shows && (scoring->params->align == FV_ALIGN_BY_INDEX || scoring->params->align == FV_ALIGN_BY_TIME);
    scoring->looks = shows && fv_look_fits(&scoring->format[FV_REFERENCE], dis);
    return scoring->watches && !scoring->range ? fv_shift_open(&scoring->shift, error) : FV_OK;
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

/* Compares the samples of a pair, until a pair differs: it is nearly free for videos that differ. */
static void compare_samples(FvScoring *scoring, FvFrame *const frame[2])
{
    const FvFrame *ref = frame[FV_REFERENCE], *dis = frame[FV_DISTORTED];
    const bool of_range = !scoring->range || scoring->read >= scoring->range->first;
    if (fv_session_facts(scoring->session)->differs || !of_range)
        return;
    const bool on_host = ref && dis && !fv_frame_is_undecoded(ref) && !fv_frame_is_undecoded(dis) &&
                         !fv_session_devices(scoring->session)->opened[0]->ops->frame &&
                         !scoring->defers[FV_REFERENCE] && !scoring->defers[FV_DISTORTED];
    fv_session_note_samples(scoring->session, !on_host || ref->format.chroma != dis->format.chroma ||
                                                  ref->format.depth != dis->format.depth || !same_samples(ref, dis));
}

static FvStatus look_for_shift(FvScoring *scoring, int64_t number, const int32_t *const signature[2], FvError *error)
{
    FvScoreRange *range = scoring->range;
    if (!range) {
        FvStatus status = fv_scoring_matches(scoring) ? fv_shift_number(&scoring->shift, number, error) : FV_OK;
        return status ? status
                      : fv_shift_add(&scoring->shift, signature[FV_REFERENCE], signature[FV_DISTORTED], error);
    }
    return number == range->pairs.first + range->pairs.count
               ? fv_pair_signatures_add(&range->pairs, signature[FV_REFERENCE], signature[FV_DISTORTED], error)
               : FV_OK;
}

static const int32_t *signature_of(const FvScoring *scoring, int side)
{
    return side == FV_REFERENCE && scoring->params->align == FV_ALIGN_BY_TIME
               ? fv_match_signature(&scoring->match)
               : fv_read_ahead_signature(scoring->reader[side]);
}

/* ---- Frames that a device decodes ------------------------------------------------------------------------------ */

/*
 * A pair without signatures so far: a device computes them while it decodes, or an earlier pair still waits for them.
 */
typedef struct FvAwaited {
    int64_t number;
    FvFrame *packet[2]; /* packet whose signature is awaited; NULL: the side has its signature */
    int32_t signature[2][FV_SIGNATURE];
    struct FvAwaited *next;
} FvAwaited;

static FvStatus await(FvScoring *scoring, int64_t number, FvFrame *const frame[2], FvError *error)
{
    FvAwaited *pair = fv_alloc_zero(sizeof *pair);
    if (!pair)
        return fv_fail_memory(error, sizeof *pair);
    pair->number = number;
    for (int side = 0; side < 2; side++)
        if (fv_frame_packet(frame[side]))
            pair->packet[side] = fv_frame_ref(frame[side]);
        else
            memcpy(pair->signature[side], signature_of(scoring, side), sizeof pair->signature[side]);
    if (!scoring->awaited)
        scoring->last_awaited = &scoring->awaited;
    *scoring->last_awaited = pair;
    scoring->last_awaited = &pair->next;
    return FV_OK;
}

static void release_awaited(FvScoring *scoring)
{
    FvAwaited *pair = scoring->awaited;
    scoring->awaited = pair->next;
    fv_frame_unref(&pair->packet[FV_REFERENCE]);
    fv_frame_unref(&pair->packet[FV_DISTORTED]);
    fv_free(pair);
}

FvStatus fv_score_watch_decoded(FvScoring *scoring, FvError *error)
{
    FvStatus status = FV_OK;
    while (scoring->awaited && !status) {
        const FvAwaited *pair = scoring->awaited;
        const int32_t *signature[2];
        for (int side = 0; side < 2; side++) {
            const FvProresPacket *packet = fv_frame_packet(pair->packet[side]);
            if (packet && !packet->has_signature)
                return FV_OK;
            signature[side] = packet ? packet->signature : pair->signature[side];
        }
        status = look_for_shift(scoring, pair->number, signature, error);
        release_awaited(scoring);
    }
    return status;
}

/*
 * Returns whether the last pair represents its reference frame. With pairs by time, several distorted frames may show
 * one reference frame; an early one does not represent it, because at its time players still show the previous frame.
 */
static bool represents_reference_frame(FvScoring *scoring)
{
    if (!fv_scoring_matches(scoring))
        return true;
    if (scoring->match.early || scoring->match.last == scoring->watched)
        return false;
    scoring->watched = scoring->match.last;
    return true;
}

static FvStatus look_at_signatures(FvScoring *scoring, int64_t number, FvFrame *const frame[2], FvError *error)
{
    if (!represents_reference_frame(scoring))
        return FV_OK;
    if (scoring->awaited || fv_frame_packet(frame[FV_REFERENCE]) || fv_frame_packet(frame[FV_DISTORTED]))
        return await(scoring, number, frame, error);
    const int32_t *const signature[2] = {signature_of(scoring, FV_REFERENCE), signature_of(scoring, FV_DISTORTED)};
    return look_for_shift(scoring, number, signature, error);
}

FvFrameSelection fv_score_selection(const FvSession *session, const FvScoreParams *params)
{
    FvFrameSelection need = {.every = params->subsample, .whole = FV_SHIFT_FRAMES};
    const bool every = params->select || params->align == FV_ALIGN_BY_TIME || params->align == FV_ALIGN_BY_CONTENT ||
                       fv_session_params(session)->scenes || !fv_session_reach(session, &need.back, &need.ahead);
    return !every && fv_selection_leaves_out(&need) ? need : (FvFrameSelection){0};
}

void fv_score_close_watch(FvScoring *scoring)
{
    while (scoring->awaited)
        release_awaited(scoring);
    fv_shift_close(&scoring->shift);
    fv_looks_free(&scoring->looked);
}

/* ---- Each pair ------------------------------------------------------------------------------------------------- */

/* Makes the look at a pair, unless the host cannot read it: pairs that --every leaves out are not decoded. */
static FvStatus look(FvScoring *scoring, int64_t number, FvFrame *const frame[2], FvError *error)
{
    FvScoreRange *range = scoring->range;
    if (!scoring->looks || !fv_some_has(&scoring->looked_pairs, scoring->read) ||
        (range && scoring->read < range->first))
        return FV_OK;
    for (int side = 0; side < 2; side++)
        if (fv_frame_is_undecoded(frame[side]) || !frame[side]->data[0])
            return FV_OK;
    FvLooks *looked = range ? &range->looked : &scoring->looked;
    FvLook *next = fv_looks_next(looked, error);
    if (!next)
        return FV_ERROR_MEMORY;
    const int32_t *signature[2] = {NULL, NULL};
    for (int side = 0; side < 2 && scoring->watches && !fv_scoring_matches(scoring); side++)
        if (!scoring->preparation[side] && !scoring->variants[side])
            signature[side] = signature_of(scoring, side);
    FvStatus status =
        fv_look_make(next, number, (const FvFrame *const *)frame, (const int32_t *const *)signature, error);
    looked->count += !status;
    return status;
}

FvStatus fv_score_watch(FvScoring *scoring, int64_t number, FvFrame *const frame[2], FvError *error)
{
    FvSession *session = scoring->session;
    compare_samples(scoring, frame);
    look_for_gaps(scoring, frame);
    FvStatus status = look(scoring, number, frame, error);
    if (!status && scoring->watches && !fv_frame_is_undecoded(frame[FV_DISTORTED]))
        status = look_at_signatures(scoring, number, frame, error);
    if (status || !fv_session_params(session)->scenes)
        return status;
    return fv_session_note_scene(session, number, frame[frame[FV_REFERENCE] ? FV_REFERENCE : FV_DISTORTED], error);
}

/* ---- Events and sentences -------------------------------------------------------------------------------------- */

#define MOST_TOLD 5 /* maximum number of places that get a line each */

static const char *const sides[] = {"the reference", "the distorted video"};

static const char *plural(int64_t frames)
{
    return frames == 1 ? "" : "s";
}

static FvStatus report_offset(FvSession *session, int64_t offset, FvError *error)
{
    const bool late = offset > 0, timed = fv_session_facts(session)->score.align == FV_ALIGN_BY_TIME;
    const long long frames = (long long)(late ? offset : -offset);
    const FvEvent event = {
        .kind = "offset", .value = (double)offset, .unit = "frames", .remedy = timed ? "align=map" : "align=auto"};
    if (timed)
        return fv_session_warn_mismatch(
            session, &event, error,
            "times look shifted; by its own times, the distorted video is %lld frame%s %s the "
            "reference: `align=map` pairs frames by what they show",
            frames, plural(frames), late ? "ahead of" : "behind");
    return fv_session_warn_mismatch(
        session, &event, error,
        "frames look shifted by %lld: frame 0 of the %s shows what frame %lld of the %s shows; "
        "`align=auto` pairs them by what they show, `%s.frame_skip=%lld` with `shortest` by hand",
        frames, late ? "distorted video" : "reference", frames, late ? "reference" : "distorted video",
        late ? "reference" : "distorted", frames);
}

static FvStatus report_mirror(FvSession *session, const FvFollow *follow, FvError *error)
{
    static const char *const mirrored[] = {"", "mirrored left to right", "mirrored top to bottom",
                                           "turned by 180 degrees: `distorted.rotate=180` turns it back"};
    const FvMirror mirror = fv_follow_mirror(follow);
    static const char *const kinds[] = {"", "mirrored", "flipped", "rotation"};
    const FvEvent event = {.kind = kinds[mirror],
                           .sided = true,
                           .side = FV_DISTORTED,
                           .remedy = mirror == FV_MIRROR_BOTH ? "distorted.rotate=180" : NULL};
    return !mirror ? FV_OK
                   : fv_session_warn_mismatch(session, &event, error,
                                              "against the reference, the distorted video is %s", mirrored[mirror]);
}

/* Writes "3 frames ahead of the reference". */
static void describe_offset(const FvFollowEvent *event, char *text, size_t size)
{
    const long long frames = event->offset > 0 ? event->offset : -event->offset;
    if (frames)
        snprintf(text, size, "%lld frame%s %s the reference", frames, plural(frames),
                 event->offset > 0 ? "ahead of" : "behind");
    else
        snprintf(text, size, "in step with the reference again");
}

static void describe_event(const FvShift *shift, const FvFollowEvent *event, char *text, size_t size)
{
    char frames[64];
    const long long first = (long long)fv_shift_frame(shift, event->first);
    const long long last = (long long)fv_shift_frame(shift, event->last);
    if (event->kind == FV_FOLLOW_SHIFT) {
        describe_offset(event, frames, sizeof frames);
        snprintf(text, size, "from frame %lld on the distorted video is %s", first, frames);
        return;
    }
    snprintf(frames, sizeof frames, first == last ? "frame %lld" : "frames %lld to %lld", first, last);
    if (event->kind == FV_FOLLOW_FROZEN)
        snprintf(text, size, "the distorted video stands still in %s while the reference moves", frames);
    else
        snprintf(text, size, "%s %s in %s, and %s is not", sides[event->side],
                 event->black ? "is black" : "is of one colour", frames, sides[!event->side]);
}

/* Returns whether a shift follows from a freeze: a video that froze may be late from then on. Both are one event. */
static bool belongs_to(const FvFollowEvent *shift, const FvFollowEvent *before)
{
    return shift->kind == FV_FOLLOW_SHIFT && before->kind == FV_FOLLOW_FROZEN && shift->first >= before->first &&
           shift->first <= before->last + 2;
}

/* Makes the event of a shift, with numbers of distorted frames. An offset covers all frames from its beginning. */
static FvEvent event_of(const FvShift *shift, const FvFollowEvent *event)
{
    const int64_t first = fv_shift_frame(shift, event->first), last = fv_shift_frame(shift, event->last);
    if (event->kind == FV_FOLLOW_SHIFT)
        return (FvEvent){.kind = "offset",
                         .first = first,
                         .frames = -1,
                         .value = event->offset,
                         .unit = "frames",
                         .remedy = "align=map"};
    return (FvEvent){.kind = event->kind == FV_FOLLOW_FROZEN ? "frozen"
                             : event->black                  ? "black"
                                                             : "one_colour",
                     .sided = true,
                     .side = event->kind == FV_FOLLOW_FROZEN ? FV_DISTORTED : (FvSide)event->side,
                     .first = first,
                     .frames = last - first + 1};
}

static FvStatus report_places(FvSession *session, const FvShift *shift, FvError *error)
{
    int kept, count, told = 0;
    const FvFollowEvent *event = fv_follow_events(shift->follow, &kept, &count);
    FvStatus status = FV_OK;
    for (int i = 0; i < kept && told < MOST_TOLD && !status; i++, told++) {
        char text[256], then[64] = "", more[128] = "";
        FvEvent place = event_of(shift, &event[i]);
        bool maps = event[i].kind == FV_FOLLOW_SHIFT;
        describe_event(shift, &event[i], text, sizeof text);
        if (i + 1 < kept && belongs_to(&event[i + 1], &event[i])) {
            describe_offset(&event[++i], then, sizeof then);
            maps = true;
            place.value = event[i].offset;
            place.unit = "frames";
            place.remedy = "align=map";
            count--;
        }
        if (told + 1 == MOST_TOLD && i + 1 < kept)
            snprintf(more, sizeof more, "; the videos part at %d more place%s", count - told - 1,
                     plural(count - told - 1));
        status = fv_session_warn_mismatch(session, &place, error, "%s%s%s%s%s", text, *then ? "; then it is " : "",
                                          then, maps ? ": `align=map` pairs frames by what they show" : "", more);
    }
    return status;
}

FvStatus fv_score_report_gaps(FvSession *session, const FvGaps *gaps, FvError *error)
{
    FvStatus status = FV_OK;
    for (int side = 0; side < 2 && !status; side++) {
        char more[48] = "";
        if (!fv_gaps_found(gaps, side))
            continue;
        if (gaps->gaps[side] > 1)
            snprintf(more, sizeof more,
                     gaps->gaps[side] > 2 ? "; there are %lld more gaps" : "; there is %lld more gap",
                     (long long)gaps->gaps[side] - 1);
        const FvEvent event = {.kind = "gap",
                               .sided = true,
                               .side = (FvSide)side,
                               .first = gaps->first[side],
                               .frames = 1,
                               .value = (double)gaps->missing[side],
                               .unit = "frames",
                               .remedy = "align=time"};
        status = fv_session_warn_mismatch(
            session, &event, error,
            "before frame %lld the time stamps of %s leave out %lld frame%s: the file has lost "
            "frames, or never had them; `align=time` pairs frames by when they are shown%s",
            (long long)gaps->first[side], sides[side], (long long)gaps->missing[side], plural(gaps->missing[side]),
            more);
    }
    return status;
}

static bool has_parted(const FvFollow *follow)
{
    int kept, count;
    fv_follow_events(follow, &kept, &count);
    return count || fv_follow_mirror(follow);
}

FvStatus fv_score_report_shift(FvSession *session, FvShift *shift, const FvLooks *looked, FvError *error)
{
    FvFindings findings;
    FvParts parts;
    FvStatus status = fv_shift_end(shift, error);
    if (status)
        return status;
    const FvFollow *follow = shift->reversed ? NULL : shift->follow; /* a reversed video has no offset */
    const bool shifted = shift->offset || shift->reversed || (follow && has_parted(follow));
    fv_findings_make(&findings, looked->look, looked->count, shifted);
    for (int i = 0; i < 2 * FV_EDGES && follow; i++)
        findings.barred[i / FV_EDGES] |= fv_follow_bar(follow, i / FV_EDGES, i % FV_EDGES);
    status = fv_parts_find(&parts, &findings, looked->look, looked->count, shifted, error);
    if (status)
        return status;
    /*
     * Frames whose pictures are shifted by lines still pair by index, although similar frames can make that look like
     * an offset.
     */
    const bool lies_off = findings.lines[FV_AXIS_ROWS] || findings.lines[FV_AXIS_COLUMNS];
    if (lies_off && shift->offset)
        follow = NULL;
    if (follow && shift->offset)
        status = report_offset(session, shift->offset, error);
    if (!status && follow && findings.colour.found.mistake != FV_MISTAKE_NEGATIVE)
        status = report_mirror(session, follow, error);
    if (!status)
        status = fv_doubt_report(session, &findings, &parts, shift, error);
    return status || !follow || lies_off ? status : report_places(session, shift, error);
}

FvStatus fv_score_report_watch(FvScoring *scoring, FvError *error)
{
    FvStatus status = fv_score_report_gaps(scoring->session, &scoring->gaps, error);
    return status ? status : fv_score_report_shift(scoring->session, &scoring->shift, &scoring->looked, error);
}
