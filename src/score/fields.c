#include "score/fields.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "input/shared.h"
#include "os/memory.h"
#include "os/thread.h"
#include "picture/field.h"
#include "picture/frame.h"
#include "score/compatibility.h"
#include "score/range.h"
#include "score/run.h"
#include "score/scoring.h"

#define MOST_TEXT 16384 /* size of the text of a metric with its options, in bytes */

static const char *const members[] = {"reference", "distorted"};

/* ---- Which videos have fields --------------------------------------------------------------------------------- */

static FvStatus check_order(const FvSourceInfo *info, int side, FvError *error)
{
    static const char *const why[] = {
        [FV_FIELDS_UNKNOWN] = "does not state its field order",
        [FV_FIELDS_PROGRESSIVE] = "says that its frames are progressive, which have no fields",
        [FV_FIELDS_MIXED] = "has frames of several field orders",
    };
    if (info->applied_rotation)
        return fv_fail(error, FV_ERROR_USAGE,
                       "%s: fields are rows of the picture as it is stored: leave out `rotate` or `fields`",
                       info->path);
    if (info->fields == FV_FIELDS_TOP_FIRST || info->fields == FV_FIELDS_BOTTOM_FIRST)
        return FV_OK;
    return fv_fail(error, FV_ERROR_INPUT,
                   "%s: %s: leave out `fields`, or if all its frames hold two fields say which is the earlier one "
                   "with `%s.fields=top` or `%s.fields=bottom`",
                   info->path, why[info->fields], members[side], members[side]);
}

/* Refuses a part whose two fields would not have the same number of rows in every plane. */
static FvStatus check_rows(const FvSourceInfo *info, int side, const FvCrop *crop, FvError *error)
{
    const FvFormat *format = &info->format;
    const int rows = fv_field_rows(format), width = crop->width ? crop->width : format->width;
    const int y = crop->width ? crop->y : 0, height = crop->width ? crop->height : format->height;
    const int first = (y + rows - 1) / rows * rows, last = (y + height) / rows * rows;
    if (!(y % rows) && !(height % rows))
        return FV_OK;
    if (last <= first)
        return fv_fail(error, FV_ERROR_INPUT, "%s: %d rows are too few for two fields of %s", info->path, height,
                       fv_chroma_name(format->chroma));
    return fv_fail(error, FV_ERROR_INPUT,
                   "%s: rows %d to %d do not divide into two fields of %s, which take multiples of %d rows: score a "
                   "part, for example `%s.crop=%d:%d:%d:%d`",
                   info->path, y, y + height - 1, fv_chroma_name(format->chroma), rows, members[side], width,
                   last - first, crop->width ? crop->x : 0, first);
}

static FvStatus check_params(const FvSourceInfo *const info[2], const FvScoreParams *params, FvError *error)
{
    const FvChroma ref = info[0] ? info[0]->format.chroma : FV_CHROMA_400, dis = info[1]->format.chroma;
    if (params->scale.to)
        return fv_fail(error, FV_ERROR_USAGE,
                       "the rows of two fields do not lie where those of scaled pictures lie: leave out `fields`, or "
                       "leave out `scale` and scale one video field by field first, with ffmpeg -vf "
                       "scale=WIDTH:HEIGHT:interl=1");
    if (params->timing)
        return fv_fail(error, FV_ERROR_USAGE,
                       "the timing is measured of one scoring, and fields take two: leave out `fields`");
    if (params->convert & FV_CONVERT_CHROMA && ref && dis && ref != dis)
        return fv_fail(
            error, FV_FAIL_FORMAT,
            "the reference is %s and the distorted video %s, and chroma is not converted between the rows of "
            "fields; convert one of them first, or leave out `fields`",
            fv_chroma_name(ref), fv_chroma_name(dis));
    return FV_OK;
}

/* Refuses cropped frames of different sizes, since fields are not scaled. */
static FvStatus check_sizes(const FvSourceInfo *const info[2], const FvCrop crop[2], FvError *error)
{
    int width[2], height[2];
    for (int side = 0; side < 2 && info[FV_REFERENCE]; side++) {
        width[side] = crop[side].width ? crop[side].width : info[side]->format.width;
        height[side] = crop[side].width ? crop[side].height : info[side]->format.height;
    }
    if (!info[FV_REFERENCE] || (width[0] == width[1] && height[0] == height[1]))
        return FV_OK;
    return fv_fail(error, FV_FAIL_SIZE,
                   "the reference is %dx%d and the distorted video %dx%d, and fields are not scaled: scale one video "
                   "field by field first, for instance the distorted one with ffmpeg -vf scale=%d:%d:interl=1, cut "
                   "parts of one size with `reference.crop` and `distorted.crop`, or leave out `fields`",
                   width[0], height[0], width[1], height[1], width[0], height[0]);
}

FvStatus fv_fields_choose(FvFields *fields, const FvSourceInfo *const info[2], const FvScoreParams *params,
                          FvError *error)
{
    *fields = (FvFields){.params = *params, .comparison = {.params = &fields->params}};
    fields->params.fields = false;
    FvStatus status = check_params(info, params, error);
    for (int side = 0; side < 2 && !status; side++) {
        FvCrop *crop = &fields->params.crop[side];
        if (!info[side])
            continue;
        status = check_order(info[side], side, error);
        if (!status)
            status = check_rows(info[side], side, crop, error);
        fields->info[side] = *info[side];
        fields->info[side].format = fv_field_format(&info[side]->format);
        fields->comparison.info[side] = &fields->info[side];
        crop->y /= 2;
        crop->height /= 2;
    }
    return status ? status : check_sizes(info, params->crop, error);
}

/* ---- Two scorings at once ------------------------------------------------------------------------------------- */

/* The run over the top or the bottom fields. */
typedef struct FieldRun {
    struct FieldRuns *of;
    FvSession *session;
    FvSource *source[2];
    FvScoreParams params;
    FvStatus status;
    FvError error;
    FvThread thread;
} FieldRun;

typedef struct FieldRuns {
    FvSession *session; /* the caller's session */
    const FvScoreParams *params;
    FvShared *shared[2];
    FvMutex lock;
    atomic_bool stopped;    /* one run has ended early, so the other stops */
    const FieldRun *failed; /* the run that failed first, if not because of the other run; NULL: none */
    FieldRun run[2];
} FieldRuns;

static bool on_progress(void *opaque, const FvProgress *progress)
{
    FieldRun *run = opaque;
    FieldRuns *runs = run->of;
    FvProgress told = *progress;
    told.timing = (FvTiming){.limited_by = progress->frames ? NULL : progress->timing.limited_by};
    const bool tells = run == runs->run && runs->params->progress;
    if (tells && !runs->params->progress(runs->params->opaque, &told))
        atomic_store(&runs->stopped, true);
    return !atomic_load(&runs->stopped);
}

static bool chooses(void *opaque, int64_t frame)
{
    FieldRuns *runs = ((FieldRun *)opaque)->of;
    fv_lock(&runs->lock);
    const bool chosen = runs->params->select(runs->params->opaque, frame);
    fv_unlock(&runs->lock);
    return chosen;
}

static void run_field(void *opaque)
{
    FieldRun *run = opaque;
    FieldRuns *runs = run->of;
    run->status = fv_scoring_run(run->session, run->source[FV_REFERENCE], run->source[FV_DISTORTED], &run->params,
                                 NULL, &run->error);
    /* A fault of a video ends both runs at the same frame, so the other run need not be stopped. */
    const bool alone = run->status && run->status != FV_ERROR_INPUT && run->status != FV_ERROR_PARTIAL;
    if (alone && !atomic_exchange(&runs->stopped, true))
        runs->failed = run;
    for (int side = 0; side < 2; side++)
        if (runs->shared[side])
            fv_shared_leave(runs->shared[side], (int)(run - runs->run));
}

static FvStatus open_session(FieldRun *run, FvError *error)
{
    const FvSession *from = run->of->session;
    const FvSessionDevices *devices = fv_session_devices(from);
    FvSessionParams params = *fv_session_params(from);
    params.device = devices->name;
    params.isa = fv_isa_name(devices->isa);
    params.threads = (devices->threads + 1) / 2;
    params.log = NULL;
    params.interval = 0;
    FvStatus status = fv_session_open(&run->session, &params, error);
    if (!status)
        fv_session_set_others(run->session, 2 * devices->others + 1);
    char *text = status ? NULL : malloc(MOST_TEXT);
    if (!status && !text)
        status = fv_fail_memory(error, MOST_TEXT);
    for (int i = 0; i < fv_session_metrics(from) && !status; i++) {
        status = fv_session_metric_text(from, i, text, MOST_TEXT, error);
        if (!status)
            status = fv_session_add(run->session, text, error);
    }
    free(text);
    return status;
}

static FvStatus open_runs(FieldRuns *runs, FvSource *const source[2], const FvScoreParams *params, FvError *error)
{
    FvStatus status = FV_OK;
    for (int side = 0; side < 2 && !status; side++)
        if (source[side])
            status = fv_shared_open_fields(&runs->shared[side], source[side], error);
    for (int i = 0; i < 2 && !status; i++) {
        FieldRun *run = &runs->run[i];
        run->of = runs;
        run->params = *params;
        run->params.progress = on_progress;
        run->params.select = runs->params->select ? chooses : NULL;
        run->params.opaque = run;
        for (int side = 0; side < 2; side++)
            run->source[side] = runs->shared[side] ? fv_shared_reader(runs->shared[side], i) : NULL;
        status = open_session(run, error);
    }
    return status;
}

static void close_runs(FieldRuns *runs)
{
    for (int i = 0; i < 2; i++) {
        fv_session_close(&runs->run[i].session);
        fv_shared_close(&runs->shared[i]);
    }
    fv_mutex_close(&runs->lock);
}

/* ---- One result ------------------------------------------------------------------------------------------------ */

/*
 * Writes three values for each column: the mean of both fields, the top field's value, and the bottom field's value.
 */
static void join(double *to, const double *top, const double *bottom, int columns)
{
    for (int c = 0; c < columns; c++, to += 3) {
        to[0] = (top[c] + bottom[c]) / 2;
        to[1] = top[c];
        to[2] = bottom[c];
    }
}

static FvStatus restore(FvSession *session, const FieldRun run[2], int64_t frames, FvError *error)
{
    const FvScores *from[2] = {fv_session_scores(run[0].session), fv_session_scores(run[1].session)};
    const int columns = from[0]->column_count;
    const size_t bytes = 3 * (size_t)columns * (size_t)(frames + 1) * sizeof(double);
    double *values = malloc(bytes), *sequence = values ? values + 3 * (int64_t)columns * frames : NULL;
    if (!values)
        return fv_fail_memory(error, bytes);
    for (int64_t i = 0; i < frames; i++)
        join(values + 3 * columns * i, from[0]->values + columns * i, from[1]->values + columns * i, columns);
    for (int c = 0; c < columns; c++)
        join(sequence + 3 * c, &from[0]->columns[c].sequence, &from[1]->columns[c].sequence, 1);
    FvStatus status = fv_session_restore(
        session, &(FvRestored){.frames = frames, .numbers = from[0]->number, .values = values, .sequence = sequence},
        error);
    free(values);
    return status;
}

/* Returns whether a run has an event of the same kind, or another map of colours, in some of the event's frames. */
static bool has_similar(const FvSession *run, const FvEvent *event)
{
    const int64_t last = event->frames < 0 ? INT64_MAX : event->first + event->frames - 1;
    bool found = false;
    for (int i = 0; i < fv_session_events(run) && !found; i++) {
        const FvEvent *other = fv_session_event(run, i);
        const int64_t end = other->frames < 0 ? INT64_MAX : other->first + other->frames - 1;
        const bool overlap = !event->frames || !other->frames || (event->first <= end && other->first <= last);
        found = (!strcmp(event->kind, other->kind) || (event->fit && other->fit)) && event->sided == other->sided &&
                event->side == other->side && overlap;
    }
    return found;
}

/* Returns the event that a decision of the run tells; NULL: none. */
static const FvEvent *event_of(const FvSession *run, const char *text)
{
    for (int i = 0; i < fv_session_events(run); i++)
        if (!strcmp(fv_session_event(run, i)->text, text))
            return fv_session_event(run, i);
    return NULL;
}

/* Moves decisions and events of a run, but those that `top`, the run before it or NULL, has told with other numbers.
 */
static FvStatus take_decisions(FvSession *session, const FvSession *from, const FvSession *top, FvError *error)
{
    static const char mark[] = "warning: ";
    FvStatus status = FV_OK;
    for (int i = 0; i < fv_session_decisions(from) && !status; i++) {
        const char *text = fv_session_decision(from, i);
        const bool warns = !strncmp(text, mark, sizeof mark - 1);
        text += warns ? sizeof mark - 1 : 0;
        const FvEvent *event = warns ? event_of(from, text) : NULL;
        if (event && has_similar(top, event))
            continue;
        status = (warns ? fv_session_warn : fv_session_decide)(session, error, "%s", text);
        if (!status && event)
            status = fv_session_note_events(session, &(FvEvents){.event = (FvEvent *)event, .count = 1}, error);
    }
    return status;
}

/* Moves the findings of the runs over top and bottom fields to the caller's session. */
static FvStatus take_facts(FvSession *session, const FieldRun run[2], FvError *error)
{
    FvStatus status = fv_session_take_fields(session, (FvSession *const[2]){run[0].session, run[1].session}, error);
    for (int i = 0; i < 2 && !status; i++)
        status = take_decisions(session, run[i].session, i ? run[0].session : NULL, error);
    return status;
}

static FvStatus finish_runs(FieldRuns *runs, FvError *error)
{
    FvSession *session = runs->session;
    const FieldRun *run = runs->run, *failed = runs->failed;
    for (int i = 0; i < 2 && !failed; i++)
        failed = run[i].status ? &run[i] : NULL;
    const int64_t top = fv_session_frames(run[0].session), bottom = fv_session_frames(run[1].session);
    const int64_t frames = top < bottom ? top : bottom;
    FvStatus status = failed ? failed->status : FV_OK;
    if (failed)
        *error = failed->error;
    if (failed && frames)
        error->status = status = fv_score_partial(status);
    if (failed)
        fv_session_mark_partial(session, error);
    const FvError kept = *error;
    FvStatus taken = frames ? take_facts(session, run, error) : FV_OK;
    if (!taken && frames)
        taken = restore(session, run, frames, error);
    if (taken)
        fv_session_mark_partial(session, error);
    else
        *error = kept;
    return taken ? taken : status;
}

/* ---- All together ---------------------------------------------------------------------------------------------- */

static FvStatus report_fields(FvSession *session, const FvFormat *format, FvError *error)
{
    return fv_session_decide(
        session, error, "each frame was scored as two pictures, its fields, of %dx%d%s", format->width,
        format->height,
        format->chroma == FV_CHROMA_420
            ? "; their 4:2:0 chroma is taken to lie as in a frame, a quarter of a row from where "
              "interlaced video has it"
            : "");
}

static FvStatus refuse_maps(const FvSession *session, FvError *error)
{
    bool maps = fv_session_hands_maps(session);
    for (int i = 0; i < fv_session_metrics(session); i++)
        maps |= fv_session_metric_instance(session, i)->maps != 0;
    return maps ? fv_fail(error, FV_ERROR_USAGE, "fields have no maps: leave out the maps, or `fields`") : FV_OK;
}

static FvStatus refuse_regions(const FvSession *session, FvError *error)
{
    for (int i = 0; i < fv_session_metrics(session); i++) {
        const FvMetricInstance *run = fv_session_metric_instance(session, i);
        if (fv_region_given(fv_region_among(run->options, &run->metric->options)))
            return fv_fail(
                error, FV_ERROR_USAGE,
                "%s: a region lies on frames, and fields have half their rows: leave out its roi or roi_mask, "
                "or `fields`",
                run->metric->info.name);
    }
    return FV_OK;
}

/* Starts the caller's session, which gets the scores of the runs over top and bottom fields. */
static FvStatus start_caller_session(FvSession *session, FvFields *fields, const FvSourceInfo *const info[2],
                                     const FvScoreParams *params, FvError *error)
{
    FvComparison *comparison = &fields->comparison;
    fv_session_note_params(session, params);
    FvStatus status = refuse_maps(session, error);
    if (!status)
        status = refuse_regions(session, error);
    if (!status)
        status = fv_fields_choose(fields, info, params, error);
    if (!status)
        status = fv_session_note_input(session, FV_DISTORTED, info[FV_DISTORTED], error);
    if (!status && info[FV_REFERENCE])
        status = fv_session_note_input(session, FV_REFERENCE, info[FV_REFERENCE], error);
    if (!status)
        status = report_fields(session, &fields->info[FV_DISTORTED].format, error);
    comparison->session = session;
    if (!status)
        status = fv_comparison_decide(comparison, error);
    if (!status)
        status = fv_score_check_watch(session, info[FV_DISTORTED]->path, &comparison->format[FV_DISTORTED], error);
    fv_session_set_workload(session, &(FvWorkload){.arrival = FV_ARRIVES_AS_ROWS});
    return status ? status
                  : fv_session_start(session, info[FV_REFERENCE] ? &comparison->format[FV_REFERENCE] : NULL,
                                     &comparison->format[FV_DISTORTED], error);
}

FvStatus fv_score_fields(FvSession *session, FvSource *reference, FvSource *distorted, const FvScoreParams *params,
                         FvError *error)
{
    FvSource *const source[2] = {fv_session_needs_reference(session) ? reference : NULL, distorted};
    const FvSourceInfo *const info[2] = {fv_source_info(source[0]), fv_source_info(source[1])};
    FvFields fields;
    FieldRuns runs = {.session = session, .params = params};
    fv_mutex_open(&runs.lock);
    for (int side = 0; side < 2; side++)
        if (source[side])
            fv_session_protect(session, &source[side]->files);
    FvStatus status = start_caller_session(session, &fields, info, params, error);
    if (!status && reference && !source[FV_REFERENCE])
        status = fv_session_decide(session, error, "the reference is not read: no chosen metric needs it");
    if (!status)
        status = open_runs(&runs, source, &fields.params, error);
    if (!status && !fv_thread_start(&runs.run[1].thread, run_field, &runs.run[1]))
        status = fv_fail(error, FV_ERROR_MEMORY, "no thread could be started for the bottom fields");
    if (!status) {
        run_field(&runs.run[0]);
        fv_thread_join(&runs.run[1].thread);
        status = finish_runs(&runs, error);
    }
    FvError ignored;
    if (status && fv_session_state(session) == FV_SESSION_STARTED)
        fv_session_end(session, false, &ignored);
    if (status)
        fv_session_abandon(session);
    close_runs(&runs);
    return status;
}
