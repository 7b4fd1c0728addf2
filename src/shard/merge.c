/* Merges shards into one session, whose reports equal those of one run. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "compare_text.h"
#include "os/memory.h"
#include "score/range.h"
#include "score/span.h"
#include "shard/shard.h"

/* Appends a word to a list such as "a+b", joined by `between`, unless the list contains it. */
static bool join(char **to, const char *word, const char *between)
{
    if (!*to)
        return (*to = strdup(word)) != NULL;
    const size_t length = strlen(word), gap = strlen(between);
    for (const char *at = *to; (at = strstr(at, word)); at++)
        if ((at == *to || !strncmp(at - gap, between, gap)) && (!at[length] || !strncmp(at + length, between, gap)))
            return true;
    const size_t size = strlen(*to) + gap + length + 1;
    char *joined = malloc(size);
    if (joined)
        snprintf(joined, size, "%s%s%s", *to, between, word);
    free(*to);
    return (*to = joined) != NULL;
}

/*
 * Merges the records of the shards, each of which states what computed it. Drops the session's own decisions, because
 * each shard has them, in the order of a run. device: the device that the caller requested; NULL: the device
 * requested for the shards.
 */
static FvStatus take_records(FvSession *session, const FvPlan *plan, const FvShard *shards, const char *device,
                             FvError *error)
{
    FvRecord *to = fv_alloc_zero(sizeof *to);
    bool compared = true, differs = false;
    bool good = to && (!device || join(&to->requested, device, ","));
    for (int i = 0; i < plan->shards && good; i++) {
        const FvRecord *from = &shards[i].record;
        compared &= from->compared;
        differs |= from->differs;
        if (!from->requested)
            continue;
        good = (device || join(&to->requested, from->requested, ",")) && join(&to->kind, from->kind, "+") &&
               join(&to->title, from->title, ", ") && join(&to->isa, from->isa, ", ");
        for (int m = 0; m < from->device_count && m < fv_session_metrics(session) && good; m++) {
            good = join(&to->devices[m], from->devices[m], "+");
            to->device_count = m >= to->device_count && good ? m + 1 : to->device_count;
        }
    }
    FvStatus status = good ? FV_OK : fv_fail_memory(error, sizeof *to);
    if (!status && !to->kind) { /* no shard has a record */
        free(to->requested);
        status = fv_record_make(to, session, error);
    }
    if (status && to)
        fv_record_free(to);
    if (status)
        fv_free(to);
    else
        fv_session_import_record(session, to);
    if (compared)
        fv_session_note_samples(session, differs);
    for (int i = 0; i < plan->shards && !status; i++)
        for (int d = 0; d < shards[i].record.decision_count && !status; d++)
            status = fv_session_decide(session, error, "%s", shards[i].record.decisions[d]);
    for (int i = 0; i < plan->shards && !status; i++)
        status = fv_session_note_events(session, &shards[i].record.events, error);
    return status;
}

static void set_strict(FvSession *session, bool strict)
{
    FvScoreParams params = fv_session_facts(session)->score;
    params.strict = strict;
    fv_session_note_params(session, &params);
}

static FvStatus take_rows(FvSession *session, const FvPlan *plan, FvShard *shards, int64_t *missing, FvError *error)
{
    const int width = fv_session_terms(session);
    FvStatus status = FV_OK;
    for (int i = 0; i < plan->shards && !status; i++) {
        FvShard *shard = &shards[i];
        const int64_t frames = plan->cuts[i + 1] - plan->cuts[i];
        for (int64_t k = 0; k < frames && !status; k++) {
            const bool there = k < shard->rows;
            status = fv_session_add_row(session, plan->cuts[i] + k, there ? shard->terms + k * width : NULL,
                                        there && shard->skipped[k], error);
            *missing += !there;
        }
        free(shard->terms);
        free(shard->skipped);
        shard->terms = NULL;
        shard->skipped = NULL;
    }
    return status;
}

static bool is_whole(const FvPlan *plan, const FvShard *shards, int i)
{
    return i < plan->shards && shards[i].rows == plan->cuts[i + 1] - plan->cuts[i];
}

/* The sync check of the complete run, over the signatures of the shards before the first incomplete one. */
typedef struct Watch {
    FvShift shift;
    FvLooks looked;
    int next; /* number of the first shard whose signatures were not checked yet */
} Watch;

static FvStatus open_watch(Watch *watch, const FvSession *session, const FvPlan *plan, FvError *error)
{
    FvStatus status = fv_shift_open(&watch->shift, error);
    watch->shift.most = fv_score_selection(session, &plan->score).whole;
    return status;
}

static void close_watch(Watch *watch)
{
    fv_shift_close(&watch->shift);
    fv_looks_free(&watch->looked);
}

/* Checks the signatures of the shards up to the first incomplete one, and releases them. */
static FvStatus follow(Watch *watch, const FvPlan *plan, FvShard *shards, FvError *error)
{
    FvStatus status = FV_OK;
    for (; is_whole(plan, shards, watch->next) && !status; watch->next++) {
        FvShard *shard = &shards[watch->next];
        for (int64_t k = 0; k < shard->pairs.count && !status; k++) {
            int32_t signature[2][FV_SIGNATURE];
            fv_pair_signatures_read(&shard->pairs, k, signature);
            status = fv_shift_add(&watch->shift, signature[FV_REFERENCE], signature[FV_DISTORTED], error);
        }
        fv_pair_signatures_free(&shard->pairs);
        if (!status)
            status = fv_looks_copy(&watch->looked, &shard->looked, 0, INT64_MAX, error);
        fv_looks_free(&shard->looked);
    }
    return status;
}

static FvStatus choose_frames(FvComparison *pair, const FvPlan *plan, FvError *error)
{
    *pair = (FvComparison){
        .params = &plan->score,
        .info = {plan->uses_reference ? &plan->video[FV_REFERENCE].info : NULL, &plan->video[FV_DISTORTED].info}};
    return fv_span_choose(pair, error);
}

static FvStatus take_packets(FvSession *session, const FvPlan *plan, FvError *error)
{
    FvComparison pair;
    FvStatus status = choose_frames(&pair, plan, error);
    for (int side = 0; side < 2 && !status; side++)
        status = fv_session_note_packets(session, (FvSide)side,
                                         &(FvPacketList){.index = &plan->video[side].index,
                                                         .skip = pair.skip[side],
                                                         .tick_num = plan->video[side].tick_num,
                                                         .tick_den = plan->video[side].tick_den},
                                         error);
    return status;
}

/*
 * Reports the gaps that a single run would find in the times of frames. If each packet is a picture, the index has
 * decoding times only, whose steps equal those of the presentation times.
 */
static FvStatus report_gaps(FvSession *session, const FvPlan *plan, FvError *error)
{
    FvGaps gaps = {.pairs = 0};
    const int64_t *time[2] = {NULL, NULL};
    FvComparison pair;
    FvStatus status = choose_frames(&pair, plan, error);
    int64_t frames = plan->frames;
    for (int side = 0; side < 2 && !status; side++) {
        const FvPlanVideo *video = &plan->video[side];
        const int64_t left = video->index.shown.frames - pair.skip[side];
        time[side] = !pair.info[side] ? NULL : video->index.time ? video->index.time : video->index.place;
        if (!time[side])
            continue;
        fv_gaps_expect(&gaps, side, &video->info.format, video->tick_num, video->tick_den);
        frames = frames < left ? frames : left;
    }
    for (int64_t i = 0; i < frames && !status; i++) {
        bool timed[2] = {time[0] != NULL, time[1] != NULL};
        int64_t ticks[2] = {0, 0};
        for (int side = 0; side < 2; side++)
            ticks[side] = timed[side] ? time[side][pair.skip[side] + i] : 0;
        fv_gaps_add(&gaps, timed, ticks);
    }
    return status ? status : fv_score_report_gaps(session, &gaps, error);
}

/* Records the warnings that a single run would record. FV_ERROR_INPUT in strict mode. */
static FvStatus report_warnings(FvSession *session, const FvPlan *plan, const FvShard *shards, Watch *watch,
                                FvError *error)
{
    FvStatus status = FV_OK;
    for (int i = 0; i < plan->shards && !status; i++) {
        const FvEvents *events = &shards[i].record.events;
        if (events->count) /* the session has these warnings already; in strict mode the call refuses the clip */
            status = fv_session_warn_mismatch(session, &events->event[0], error, "%s", events->event[0].text);
    }
    if (!status)
        status = report_gaps(session, plan, error);
    return status ? status : fv_score_report_shift(session, &watch->shift, &watch->looked, error);
}

static FvStatus merge_shards(FvSession *session, const FvPlan *plan, FvShard *shards, Watch *watch,
                             const char *device, const FvError *why, FvError *error)
{
    int64_t missing = 0;
    FvError refused = {.status = FV_OK};
    FvStatus status = take_records(session, plan, shards, device, error);
    /* The clip is partial for an earlier reason, so strict mode must not add another failure. */
    if (why && why->status)
        set_strict(session, false);
    if (!status)
        status = follow(watch, plan, shards, error);
    if (!status && report_warnings(session, plan, shards, watch, &refused) && refused.status != FV_ERROR_INPUT) {
        *error = refused;
        status = refused.status;
    }
    if (!status)
        status = take_rows(session, plan, shards, &missing, error);
    if (!status)
        status = fv_session_score_rows(session, fv_session_rows(session), error);
    if (!status)
        status = fv_session_end(session, !missing, error);
    if (!status)
        status = take_packets(session, plan, error);
    FvError partial = {.status = FV_ERROR_PARTIAL};
    snprintf(partial.message, sizeof partial.message, "%" PRId64 " of %" PRId64 " frames are not in any shard",
             missing, plan->frames);
    const FvError *reason = why && why->status ? why : refused.status ? &refused : missing ? &partial : NULL;
    if (!status && reason)
        fv_session_mark_partial(session, reason);
    return status || reason != &refused ? status : fv_fail(error, FV_ERROR_PARTIAL, "%s", refused.message);
}

FvStatus fv_merge_shards(FvSession *session, const FvPlan *plan, FvShard *shards, const char *device,
                         const FvError *why, FvError *error)
{
    Watch watch = {.next = 0};
    FvStatus status = open_watch(&watch, session, plan, error);
    if (!status)
        status = merge_shards(session, plan, shards, &watch, device, why, error);
    close_watch(&watch);
    return status;
}

/* ---- From files ------------------------------------------------------------------------------------------------ */

typedef struct Merging {
    const FvPlan *plan;
    FvSession *session;
    FvShard *shards;
    const char **from; /* path of each shard's file, or NULL */
    Watch watch;
} Merging;

static bool same_rows(const FvShard *a, const FvShard *b, int width)
{
    return !memcmp(a->terms, b->terms, (size_t)a->rows * (size_t)width * sizeof *a->terms) &&
           !memcmp(a->skipped, b->skipped, (size_t)a->rows * sizeof *a->skipped);
}

static FvStatus take_file(Merging *merging, const char *path, FvError *error)
{
    char record[4096];
    FvShard rows;
    int shard;
    bool foreign;
    const int width = fv_session_terms(merging->session);
    fv_shard_record_path(record, sizeof record, path);
    fv_session_protect_path(merging->session, path);
    fv_session_protect_path(merging->session, record);
    FvStatus status = fv_shard_read(merging->plan, path, width, &shard, &rows, &foreign, error);
    if (status)
        return status;
    if (!merging->from[shard]) {
        merging->shards[shard] = rows;
        merging->from[shard] = path;
        return follow(&merging->watch, merging->plan, merging->shards, error);
    }
    const bool same = same_rows(&rows, &merging->shards[shard], width);
    fv_shard_free(&rows);
    return same ? FV_OK
                : fv_fail(error, FV_ERROR_INPUT,
                          "%s and %s are both shard %d but have different terms: one of them was computed on a "
                          "faulty machine; compute the shard again elsewhere",
                          merging->from[shard], path, shard);
}

/* Writes the missing shards: "3, 5-9 and 12 more". Returns their number. */
static int list_missing(const Merging *merging, char *text, size_t size)
{
    const int shards = merging->plan->shards;
    int missing = 0, told = 0;
    *text = 0;
    for (int i = 0, end; i < shards; i = end) {
        for (end = i + 1; end < shards && !merging->from[i] == !merging->from[end]; end++)
            ;
        if (merging->from[i])
            continue;
        missing += end - i;
        const size_t used = strlen(text);
        if (used + 64 > size)
            continue;
        told += end - i;
        snprintf(text + used, size - used, end - i > 1 ? "%s%d-%d" : "%s%d", used ? ", " : "", i, end - 1);
    }
    if (told < missing)
        snprintf(text + strlen(text), size - strlen(text), " and %d more", missing - told);
    return missing;
}

static FvStatus merge(Merging *merging, const FvMergeParams *params, FvError *error)
{
    char list[600];
    FvStatus status = FV_OK;
    for (int i = 0; i < params->count && !status; i++)
        if (!fv_ends_with(params->paths[i], ".run.json") && !fv_ends_with(params->paths[i], ".tmp"))
            status = take_file(merging, params->paths[i], error);
    if (status)
        return status;
    const int missing = list_missing(merging, list, sizeof list);
    FvError why = {.status = FV_OK};
    if (missing)
        fv_fail(&why, FV_FAIL_SHARDS, "%d of %d shards are missing: %s", missing, merging->plan->shards, list);
    if (missing && (!params->allow_missing || missing == merging->plan->shards))
        return fv_fail(error, FV_ERROR_INPUT, "%d of %d shards are missing: %s; compute them with 'fovea run'%s",
                       missing, merging->plan->shards, list,
                       missing == merging->plan->shards ? "" : ", or merge the rest with `allow_missing`");
    status = merge_shards(merging->session, merging->plan, merging->shards, &merging->watch, NULL, &why, error);
    return status || !missing ? status : fv_fail(error, FV_FAIL_SHARDS, "%s", why.message);
}

FvStatus fv_plan_merge(FvSession **session, const FvPlan *plan, const FvMergeParams *params, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, session);
    *session = NULL;
    FV_REQUIRE(error, plan);
    FV_REQUIRE(error, params);
    if (params->count < 0 || (params->count && !params->paths))
        return fv_fail(error, FV_ERROR_USAGE, "%d shards have no paths", params->count);
    Merging merging = {.plan = plan,
                       .shards = calloc((size_t)plan->shards, sizeof *merging.shards),
                       .from = calloc((size_t)plan->shards, sizeof *merging.from)};
    FvStatus status =
        merging.shards && merging.from ? FV_OK : fv_fail_memory(error, (size_t)plan->shards * sizeof *merging.shards);
    if (!status)
        status = fv_plan_session(&merging.session, plan,
                                 &(FvSessionParams){.cancel = params->cancel, .interval = params->interval}, error);
    if (!status) {
        set_strict(merging.session, params->strict || fv_session_facts(merging.session)->score.strict);
        status = open_watch(&merging.watch, merging.session, plan, error);
    }
    if (!status)
        status = merge(&merging, params, error);
    for (int i = 0; i < plan->shards && merging.shards; i++)
        fv_shard_free(&merging.shards[i]);
    close_watch(&merging.watch);
    free(merging.shards);
    free(merging.from);
    if (status && status != FV_ERROR_PARTIAL)
        fv_session_close(&merging.session);
    *session = merging.session;
    return status;
}
