/* Making a plan: what is scored, how the files are known again, and where they are cut. */
#include "shard/plan.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "json.h"
#include "os/memory.h"
#include "os/output.h"
#include "score/comparison.h"
#include "score/range.h"
#include "base/sha256.h"
#include "input/source.h"

#define PIECES 16
#define PIECE_BYTES 4096
#define MOST_SHARDS 1000000
#define MOST_TEXT 16384 /* of a metric with its options */

/* ---- How a file is known again ----------------------------------------------------------------------------------
 */

static FvStatus fail_file(const char *path, FvError *error)
{
    return fv_fail(error, FV_ERROR_INPUT, "%s: cannot be read: %s", path, strerror(errno));
}

/* Evenly spread pieces, the first and the last bytes among them. */
static FvStatus hash_pieces(int fd, const char *path, int64_t bytes, char sha256[65], FvError *error)
{
    uint8_t *pieces = fv_alloc(PIECES * PIECE_BYTES);
    size_t filled = 0;
    FvStatus status = pieces ? FV_OK : fv_fail_memory(error, PIECES * PIECE_BYTES);
    const int64_t span = bytes > PIECE_BYTES ? bytes - PIECE_BYTES : 0;
    for (int i = 0; i < PIECES && !status; i++) {
        const int64_t place = span / (PIECES - 1) * i + span % (PIECES - 1) * i / (PIECES - 1);
        const ssize_t got = pread(fd, pieces + filled, PIECE_BYTES, place);
        if (got < 0)
            status = fail_file(path, error);
        else
            filled += (size_t)got;
    }
    if (!status)
        fv_sha256(pieces, filled, sha256);
    fv_free(pieces);
    return status;
}

FvStatus fv_plan_identify(const char *path, int64_t *bytes, int64_t *modified, char sha256[65], FvError *error)
{
    struct stat info;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return fail_file(path, error);
    FvStatus status = fstat(fd, &info) ? fail_file(path, error) : FV_OK;
    if (!status && !S_ISREG(info.st_mode))
        status =
            fv_fail(error, FV_ERROR_USAGE, "%s: is no ordinary file, and shards are entered in the middle", path);
    if (!status) {
        *bytes = info.st_size;
        *modified = (int64_t)info.st_mtim.tv_sec * 1000000000 + info.st_mtim.tv_nsec;
        status = hash_pieces(fd, path, *bytes, sha256, error);
    }
    close(fd);
    return status;
}

/* ---- Copies -----------------------------------------------------------------------------------------------------
 */

static bool copy_text(char **to, const char *from)
{
    *to = from ? strdup(from) : NULL;
    return *to || !from;
}

FvStatus fv_plan_set_info(FvPlanVideo *video, const FvSourceInfo *info, FvError *error)
{
    video->info = *info;
    if (!copy_text(&video->name, info->path) || !copy_text(&video->opened_by, info->reader) ||
        !copy_text(&video->container, info->container) || !copy_text(&video->codec, info->codec) ||
        !copy_text(&video->mastering, info->mastering))
        return fv_fail_memory(error, 256);
    video->info.path = video->name;
    video->info.reader = video->opened_by;
    video->info.container = video->container;
    video->info.codec = video->codec;
    video->info.mastering = video->mastering;
    return FV_OK;
}

static bool copy_numbers(int64_t **to, const int64_t *from, int64_t count)
{
    *to = from ? malloc((size_t)count * sizeof *from + 1) : NULL;
    if (*to)
        memcpy(*to, from, (size_t)count * sizeof *from);
    return *to || !from;
}

FvStatus fv_index_copy(FvIndex *copy, const FvIndex *index, FvError *error)
{
    const int64_t frames = index->shown.frames, entries = index->shown.entry_count;
    *copy = (FvIndex){.shown = index->shown};
    const bool good = copy_numbers(&copy->entries, index->entries, entries) &&
                      copy_numbers(&copy->enter_pts, index->enter_pts, entries) &&
                      copy_numbers(&copy->enter_dts, index->enter_dts, entries) &&
                      copy_numbers(&copy->place, index->place, frames) &&
                      copy_numbers(&copy->time, index->time, frames);
    copy->shown.entries = copy->entries;
    if (!good)
        fv_index_free(copy);
    return good ? FV_OK : fv_fail_memory(error, (size_t)frames * sizeof(int64_t));
}

/* ---- Making a plan ----------------------------------------------------------------------------------------------
 */

static FvStatus set_video(FvPlan *plan, int side, const FvSourceParams *params, const FvSource *source,
                          FvError *error)
{
    FvPlanVideo *video = &plan->video[side];
    char sha256[65];
    if (!params || !source)
        return FV_OK;
    if (source->stream.waits || !strcmp(params->path, "-"))
        return fv_fail(error, FV_ERROR_USAGE,
                       "%s: is no ordinary file with a name, and shards enter it in the middle", source->info.path);
    *video = (FvPlanVideo){
        .present = true, .raw = params->raw, .tags = params->tags, .rgb = params->rgb, .stream = params->stream};
    FvStatus status = fv_plan_identify(params->path, &video->bytes, &video->modified, sha256, error);
    if (status)
        return status;
    if (!copy_text(&video->path, params->path) || !copy_text(&video->reader, params->reader) ||
        !copy_text(&video->decoder, params->decoder) || !copy_text(&video->layout, params->raw_layout) ||
        !copy_text(&video->sha256, sha256))
        return fv_fail_memory(error, strlen(params->path));
    if (!fv_json_is_text(params->path))
        return fv_fail(error, FV_ERROR_USAGE,
                       "%s: is no UTF-8, in which plans are written: rename the file, or link it", params->path);
    return fv_plan_set_info(video, fv_source_info(source), error);
}

static FvStatus refuse_maps(const FvSession *session, int metric, FvError *error)
{
    const FvMetricRun *run = &session->metrics.run[metric];
    if (!run->maps)
        return FV_OK;
    return fv_fail(error, FV_ERROR_USAGE,
                   "%s: its options write maps, which shards do not: leave them out, 'fovea map' makes maps",
                   run->metric->info.name);
}

static FvStatus set_metrics(FvPlan *plan, const FvSession *session, FvError *error)
{
    for (int i = 0; i < session->metrics.count; i++) {
        const FvMetricRun *run = &session->metrics.run[i];
        const FvOptions *table = &run->metric->options;
        char text[MOST_TEXT];
        FvStatus status = refuse_maps(session, i, error);
        if (!status)
            status = fv_session_metric_text(session, i, text, sizeof text, error);
        if (status)
            return status;
        if (!copy_text(&plan->metrics[i], text))
            return fv_fail_memory(error, sizeof text);
        plan->metric_count++;
        for (int o = 0; o < table->count && run->files; o++) {
            if (!fv_option_path(run->options, table, o))
                continue;
            FvPlanFile *grown = realloc(plan->files, (size_t)(plan->file_count + 1) * sizeof *grown);
            if (!grown)
                return fv_fail_memory(error, sizeof *grown);
            plan->files = grown;
            grown[plan->file_count] = (FvPlanFile){.metric = i};
            FvPlanFile *file = &grown[plan->file_count++];
            if (!copy_text(&file->option, table->info[o].name) || !copy_text(&file->sha256, run->files[o].sha256))
                return fv_fail_memory(error, sizeof *grown);
        }
    }
    return FV_OK;
}

/* How many frames there are to score, from the index of each video. */
static FvStatus count_frames(FvPlan *plan, int64_t skip[2], FvError *error)
{
    const FvSourceInfo *info[2] = {plan->uses_reference ? &plan->video[FV_REFERENCE].info : NULL,
                                   &plan->video[FV_DISTORTED].info};
    FvComparison pair = {.params = &plan->score, .info = {info[FV_REFERENCE], info[FV_DISTORTED]}};
    FvStatus status = fv_comparison_choose_frames(&pair, error);
    const int64_t frames = pair.frames;
    int64_t left[2] = {0, 0};
    skip[FV_REFERENCE] = pair.skip[FV_REFERENCE];
    skip[FV_DISTORTED] = pair.skip[FV_DISTORTED];
    for (int side = 0; side < 2 && !status; side++) {
        const int64_t all = plan->video[side].index.shown.frames;
        left[side] = all - skip[side];
        if (info[side] && left[side] <= 0)
            status = fv_fail(error, FV_ERROR_INPUT,
                             "%s has %" PRId64 " frames, and the first %" PRId64 " are to be skipped",
                             plan->video[side].path, all, skip[side]);
    }
    if (status)
        return status;
    left[FV_REFERENCE] = info[FV_REFERENCE] ? left[FV_REFERENCE] : left[FV_DISTORTED];
    const bool enough = frames && frames <= left[FV_REFERENCE] && frames <= left[FV_DISTORTED];
    if (left[FV_REFERENCE] != left[FV_DISTORTED] && !enough && !plan->score.shortest)
        return fv_fail(error, FV_ERROR_INPUT,
                       "the videos have unequal lengths: %s has %" PRId64 " frames to compare, %s has %" PRId64
                       "; --shortest compares the first ones only",
                       plan->video[FV_REFERENCE].path, left[FV_REFERENCE], plan->video[FV_DISTORTED].path,
                       left[FV_DISTORTED]);
    plan->frames = left[FV_REFERENCE] < left[FV_DISTORTED] ? left[FV_REFERENCE] : left[FV_DISTORTED];
    if (frames && frames < plan->frames)
        plan->frames = frames;
    if (plan->frames > FV_PLAN_MOST_FRAMES)
        return fv_fail(error, FV_ERROR_USAGE, "%" PRId64 " frames are more than the %d that a plan has", plan->frames,
                       FV_PLAN_MOST_FRAMES);
    return FV_OK;
}

/* The entry of a video nearest to a frame, both without the skipped frames. */
static int64_t nearest_entry(const FvIndex *index, int64_t skip, int64_t frame)
{
    if (!index->entries)
        return frame;
    const int64_t i = fv_index_entry(index, frame + skip), before = index->entries[i] - skip;
    if (i + 1 == index->shown.entry_count)
        return before;
    const int64_t after = index->entries[i + 1] - skip;
    return frame - before <= after - frame ? before : after;
}

static bool is_entry(const FvIndex *index, int64_t skip, int64_t frame)
{
    return !index->entries || index->entries[fv_index_entry(index, frame + skip)] == frame + skip;
}

/* A cut near `frame` where decoding of both videos can begin, if there is one within `most` frames. */
static int64_t choose_cut(const FvPlan *plan, const int64_t skip[2], int64_t frame, int64_t most)
{
    const FvIndex *ref = &plan->video[FV_REFERENCE].index, *dis = &plan->video[FV_DISTORTED].index;
    const int64_t near[2] = {plan->uses_reference ? nearest_entry(ref, skip[0], frame) : frame,
                             nearest_entry(dis, skip[1], frame)};
    int64_t best = frame;
    bool found = false, both = false;
    for (int i = 0; i < 2; i++) {
        const int64_t distance = near[i] > frame ? near[i] - frame : frame - near[i];
        const int64_t now = best > frame ? best - frame : frame - best;
        if (distance > most)
            continue;
        const bool fits =
            (!plan->uses_reference || is_entry(ref, skip[0], near[i])) && is_entry(dis, skip[1], near[i]);
        if (!found || (fits && !both) || (fits == both && distance < now)) {
            best = near[i];
            both = fits;
        }
        found = true;
    }
    return best;
}

static FvStatus cut(FvPlan *plan, const int64_t skip[2], const FvPlanParams *params, FvError *error)
{
    int64_t shards = params->shards;
    if (!shards)
        shards = (plan->frames + params->frames_per_shard - 1) / params->frames_per_shard;
    if (shards > plan->frames)
        return fv_fail(error, FV_ERROR_USAGE, "%" PRId64 " shards are more than the %" PRId64 " frames", shards,
                       plan->frames);
    if (shards > MOST_SHARDS)
        return fv_fail(error, FV_ERROR_USAGE, "%" PRId64 " shards are more than the %d that a plan has", shards,
                       MOST_SHARDS);
    plan->cuts = malloc((size_t)(shards + 1) * sizeof *plan->cuts);
    if (!plan->cuts)
        return fv_fail_memory(error, (size_t)(shards + 1) * sizeof *plan->cuts);
    const int64_t most = plan->frames / shards / 4;
    plan->cuts[0] = 0;
    for (int64_t i = 1; i < shards; i++) {
        const int64_t even = params->shards ? (int64_t)((double)i * (double)plan->frames / (double)shards)
                                            : i * params->frames_per_shard;
        const int64_t chosen = choose_cut(plan, skip, even, most);
        plan->cuts[i] = chosen > plan->cuts[i - 1] && chosen < plan->frames - (shards - i - 1) ? chosen : even;
    }
    plan->cuts[shards] = plan->frames;
    plan->shards = (int)shards;
    return FV_OK;
}

static FvStatus set_indices(FvPlan *plan, FvSource *const sources[2], FvError *error)
{
    FvStatus status = FV_OK;
    for (int side = 0; side < 2 && !status; side++) {
        const FvSourceIndex *index;
        if (!sources[side] || (side == FV_REFERENCE && !plan->uses_reference))
            continue;
        status = fv_source_index(sources[side], &index, error);
        if (!status)
            status = fv_index_copy(&plan->video[side].index, &sources[side]->index, error);
    }
    return status;
}

/* By a session that has everything but frames. */
static FvStatus set_lead(FvPlan *plan, FvError *error)
{
    FvSession *trial = NULL;
    FvStatus status = fv_plan_session(&trial, plan, &(FvSessionParams){.threads = 1}, error);
    if (!status)
        plan->lead = fv_session_lead(trial);
    fv_session_close(&trial);
    return status;
}

static FvStatus make(FvPlan *plan, const FvPlanParams *params, FvError *error)
{
    FvSource *const sources[2] = {params->reference, params->distorted};
    int64_t skip[2];
    char *text;
    plan->score = *params->score;
    plan->score.progress = NULL;
    plan->score.chooses = NULL;
    plan->score.opaque = NULL;
    plan->uses_reference = params->reference && fv_session_needs_reference(params->session);
    FvStatus status = set_video(plan, FV_REFERENCE, params->reference_params, params->reference, error);
    if (!status)
        status = set_video(plan, FV_DISTORTED, params->distorted_params, params->distorted, error);
    if (!status)
        status = set_metrics(plan, params->session, error);
    if (!status)
        status = set_lead(plan, error);
    if (!status)
        status = set_indices(plan, sources, error);
    if (!status)
        status = count_frames(plan, skip, error);
    if (!status)
        status = cut(plan, skip, params, error);
    if (!status)
        status = fv_plan_print(plan, &text, plan->sha256, error);
    if (!status)
        free(text);
    return status;
}

FvStatus fv_plan_make(FvPlan **plan, const FvPlanParams *params, FvError *error)
{
    FV_REQUIRE(error, plan);
    *plan = NULL;
    FV_REQUIRE(error, params);
    FV_REQUIRE(error, params->session);
    FV_REQUIRE(error, params->distorted);
    FV_REQUIRE(error, params->distorted_params);
    FV_REQUIRE(error, params->score);
    if (params->session->state != FV_SESSION_OPEN || !params->session->metrics.count)
        return fv_fail(error, FV_ERROR_USAGE,
                       "a plan is made of a session that has metrics and has not been started");
    if (params->shards < 0 || params->frames_per_shard < 0 || !params->shards == !params->frames_per_shard)
        return fv_fail(error, FV_ERROR_USAGE, "a plan has a number of shards or of frames in each, one of the two");
    if (params->session->params.scenes)
        return fv_fail(error, FV_ERROR_USAGE,
                       "scenes are found by one run over all frames: leave them out, or score in "
                       "one run");
    if (params->score->align || params->score->chooses)
        return fv_fail(error, FV_ERROR_USAGE,
                       "frames of shards pair by index, and all are scored: pair by index, or score in one run");
    if (!params->reference != !params->reference_params ||
        (!params->reference && fv_session_needs_reference(params->session)))
        return fv_fail(error, FV_ERROR_USAGE, "the chosen metrics compare with a reference: give one");
    FvPlan *made = fv_alloc_zero(sizeof *made);
    if (!made)
        return fv_fail_memory(error, sizeof *made);
    FvStatus status = make(made, params, error);
    if (status)
        fv_plan_close(&made);
    *plan = made;
    return status;
}

FvStatus fv_plan_write(const FvPlan *plan, const char *path, FvError *error)
{
    char *text, sha256[65];
    FV_REQUIRE(error, plan);
    FV_REQUIRE(error, path);
    FvGuard guard = {.count = 0};
    for (int side = 0; side < 2; side++) {
        struct stat info;
        if (plan->video[side].present && !stat(plan->video[side].path, &info))
            guard.file[guard.count++] = (FvGuarded){fv_file_id(&info), plan->video[side].path};
    }
    FvStatus status = fv_plan_print(plan, &text, sha256, error);
    if (status)
        return status;
    FvOutput *output;
    status = fv_output_open_guarded(&output, path, &guard, NULL, error);
    if (!status) {
        fputs(text, fv_output_file(output));
        status = fv_output_close(&output, error);
    }
    free(text);
    return status;
}

const char *fv_plan_hash(const FvPlan *plan)
{
    return plan ? plan->sha256 : NULL;
}

int fv_plan_shards(const FvPlan *plan)
{
    return plan ? plan->shards : 0;
}

bool fv_plan_shard(const FvPlan *plan, int shard, FvPlanShard *info)
{
    if (!plan || !info || shard < 0 || shard >= plan->shards)
        return false;
    const int64_t first = plan->cuts[shard];
    *info = (FvPlanShard){
        .first = first, .frames = plan->cuts[shard + 1] - first, .lead = plan->lead < first ? plan->lead : first};
    return true;
}

FvStatus fv_plan_check_shard(const FvPlan *plan, int64_t shard, FvError *error)
{
    if (shard >= 0 && shard < plan->shards)
        return FV_OK;
    return fv_fail(error, FV_ERROR_USAGE, "there is no shard %" PRId64 ": the plan has %d, from 0 to %d", shard,
                   plan->shards, plan->shards - 1);
}

static void free_video(FvPlanVideo *video)
{
    char *texts[] = {video->layout, video->path,      video->reader,    video->decoder, video->sha256,
                     video->name,   video->opened_by, video->container, video->codec,   video->mastering};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    fv_index_free(&video->index);
}

void fv_plan_close(FvPlan **plan)
{
    FvPlan *closing = plan ? *plan : NULL;
    if (!closing)
        return;
    *plan = NULL;
    free_video(&closing->video[FV_REFERENCE]);
    free_video(&closing->video[FV_DISTORTED]);
    for (int i = 0; i < closing->metric_count; i++)
        free(closing->metrics[i]);
    for (int i = 0; i < closing->file_count; i++) {
        free(closing->files[i].option);
        free(closing->files[i].sha256);
    }
    free(closing->files);
    free(closing->cuts);
    fv_free(closing);
}

/* ---- Sessions of a plan -----------------------------------------------------------------------------------------
 */

static const char *hash_of(const FvSession *session, const FvPlanFile *file)
{
    const FvMetricRun *run = file->metric < session->metrics.count ? &session->metrics.run[file->metric] : NULL;
    for (int o = 0; run && run->files && o < run->metric->options.count; o++)
        if (!strcmp(run->metric->options.info[o].name, file->option))
            return run->files[o].sha256;
    return "";
}

FvStatus fv_plan_add_metrics(const FvPlan *plan, FvSession *session, FvError *error)
{
    FvStatus status = FV_OK;
    for (int i = 0; i < plan->metric_count && !status; i++)
        status = fv_session_add(session, plan->metrics[i], error);
    for (int i = 0; i < session->metrics.count && !status; i++)
        status = refuse_maps(session, i, error);
    for (int i = 0; i < plan->file_count && !status; i++)
        if (strcmp(hash_of(session, &plan->files[i]), plan->files[i].sha256))
            status = fv_fail(error, FV_ERROR_INPUT,
                             "%s: the file that its option %s names is not the one of the plan: its SHA-256 differs",
                             plan->metrics[plan->files[i].metric], plan->files[i].option);
    return status;
}

FvStatus fv_plan_session(FvSession **session, const FvPlan *plan, const FvSessionParams *params, FvError *error)
{
    FvSessionParams own = *params;
    own.device = "cpu";
    own.log = NULL;
    FvStatus status = fv_session_open(session, &own, error);
    if (status)
        return status;
    status = fv_plan_add_metrics(plan, *session, error);
    if (!status)
        status = fv_score_import(*session, plan->uses_reference ? &plan->video[FV_REFERENCE].info : NULL,
                                 &plan->video[FV_DISTORTED].info, &plan->score, error);
    if (status)
        fv_session_close(session);
    return status;
}
