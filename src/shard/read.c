/* Reads plans and records of shards from their files, and checks every member. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "json_read.h"
#include "os/content.h"
#include "os/memory.h"
#include "picture/frame.h"
#include "shard/fields.h"
#include "shard/shard.h"

#define MOST_BYTES ((size_t)1 << 30) /* maximum bytes of a plan or record */

typedef struct Reader {
    const char *path;
    FvError *error;
} Reader;

/* Fails because of a member. load_document() cleared errno, so ENOMEM means a lack of memory. */
static FvStatus bad(const Reader *r, const char *name)
{
    if (errno == ENOMEM)
        return fv_fail_memory(r->error, 256);
    return fv_fail(r->error, FV_ERROR_INPUT, "%s: its '%s' is missing or wrong: make the file again", r->path, name);
}

static FvStatus load_document(const Reader *r, const char *text, size_t size, FvDocument *document)
{
    FvStatus status = fv_document_open(document, r->path, text, size, r->error);
    errno = 0;
    if (!status && document->root.kind != FV_NODE_OBJECT)
        status = fv_fail(r->error, FV_ERROR_INPUT, "%s: cannot be read: it is not a JSON object", r->path);
    return status;
}

static bool take_integer(const FvNode *object, const char *name, int64_t minimum, int64_t maximum, int64_t *value)
{
    const FvNode *member = fv_node_member(object, name);
    *value = fv_node_integer(member);
    return fv_node_is(member, FV_NODE_INTEGER) && *value >= minimum && *value <= maximum;
}

static bool take_text(const FvNode *object, const char *name, char **text)
{
    const FvNode *member = fv_node_member(object, name);
    *text = fv_node_is(member, FV_NODE_TEXT) ? strdup(fv_node_text(member)) : NULL;
    return *text || fv_node_is(member, FV_NODE_NULL);
}

static bool take_field(const FvNode *object, const FvField *field, void *to)
{
    void *place = (char *)to + field->offset;
    const FvNode *member = fv_node_member(object, field->name);
    int64_t value;
    switch (field->kind) {
    case FV_FIELD_INT:
        if (!take_integer(object, field->name, field->minimum, field->maximum, &value))
            return false;
        *(int *)place = (int)value;
        return true;
    case FV_FIELD_LONG:
        return take_integer(object, field->name, field->minimum, field->maximum, place);
    case FV_FIELD_REAL:
        *(double *)place = fv_node_number(member);
        return fv_node_is_number(member);
    case FV_FIELD_BOOL:
        *(bool *)place = fv_node_is(member, FV_NODE_TRUE);
        return fv_node_is_flag(member);
    case FV_FIELD_TEXT:
        return take_text(object, field->name, place);
    }
    return false;
}

static FvStatus take_fields(const Reader *r, const FvNode *object, const FvFields *fields, void *to)
{
    for (int i = 0; i < fields->count; i++)
        if (!take_field(object, &fields->field[i], to))
            return bad(r, fields->field[i].name);
    return FV_OK;
}

/* Reads numbers that are written as runs of [first, step, count]. */
static bool take_numbers(const FvNode *array, int64_t *numbers, int64_t count)
{
    int64_t filled = 0;
    const size_t runs = fv_node_items(array);
    if (!fv_node_is(array, FV_NODE_LIST) || runs % 3)
        return false;
    for (size_t i = 0; i < runs; i += 3) {
        const FvNode *part[3] = {fv_node_item(array, i), fv_node_item(array, i + 1), fv_node_item(array, i + 2)};
        const int64_t times = fv_node_integer(part[2]);
        uint64_t value = (uint64_t)fv_node_integer(part[0]);
        if (!fv_node_is(part[0], FV_NODE_INTEGER) || !fv_node_is(part[1], FV_NODE_INTEGER) ||
            !fv_node_is(part[2], FV_NODE_INTEGER) || times < 1 || times > count - filled)
            return false;
        for (int64_t k = 0; k < times; k++, value += (uint64_t)fv_node_integer(part[1]))
            numbers[filled++] = (int64_t)value;
    }
    return filled == count;
}

static FvStatus take_index(const Reader *r, const FvNode *object, FvIndex *index)
{
    FvSourceIndex *shown = &index->shown;
    if (!take_integer(object, "frames", 0, FV_PLAN_MOST_FRAMES, &shown->frames) ||
        !take_integer(object, "entry_count", 0, shown->frames, &shown->entry_count))
        return bad(r, "index");
    for (int i = 0; i < FV_INDEX_FIELDS; i++) {
        const FvIndexField *field = &fv_index_fields[i];
        const FvNode *array = fv_node_member(object, field->name);
        const int64_t count = field->of_frames ? shown->frames : shown->entry_count;
        int64_t **to = (int64_t **)((char *)index + field->offset);
        if (!array)
            continue;
        *to = malloc((size_t)count * sizeof **to + 1);
        if (!*to)
            return fv_fail_memory(r->error, (size_t)count * sizeof **to);
        if (!take_numbers(array, *to, count))
            return bad(r, field->name);
    }
    shown->entries = index->entries;
    /* Seeking relies on these conditions of an index. */
    bool good = !index->entries == !shown->entry_count && (!index->entries || !index->entries[0]) &&
                !index->enter_pts == !index->enter_dts && (!index->enter_pts || index->entries);
    for (int64_t i = 1; i < shown->entry_count && good; i++)
        good = index->entries[i] > index->entries[i - 1] && index->entries[i] < shown->frames && index->enter_pts;
    return good ? FV_OK : bad(r, "entries");
}

/*
 * Reads the parameters of an object with fv_run_set(), and refuses other members. `side`: a prefix of names,
 * "reference.", or "".
 */
static FvStatus take_rows(const Reader *r, const FvNode *object, const char *key, const char *side, FvRunParams *run)
{
    size_t taken = 0;
    for (int i = 0; i < FV_PARAM_COUNT; i++) {
        const FvParamRow *row = &fv_param_rows[i];
        const FvNode *member = fv_node_member(object, row->info.option.name);
        char name[64];
        snprintf(name, sizeof name, "%s%s", side, row->info.option.name);
        if (!member || !fv_plan_has_row(row, *side != '\0'))
            continue;
        if (!fv_node_is(member, FV_NODE_TEXT) || fv_run_set(run, name, fv_node_text(member), NULL))
            return bad(r, row->info.option.name);
        taken++;
    }
    return fv_node_is(object, FV_NODE_OBJECT) && taken == object->count ? FV_OK : bad(r, key);
}

static FvStatus take_video(const Reader *r, const FvNode *root, const char *name, FvPlan *plan, int side)
{
    FvPlanVideo *video = &plan->video[side];
    FvRunParams run = {.score = plan->score};
    const FvNode *object = fv_node_member(root, name);
    if (fv_node_is(object, FV_NODE_NULL))
        return FV_OK;
    if (!fv_node_is(object, FV_NODE_OBJECT))
        return bad(r, name);
    video->present = true;
    FvStatus status = take_fields(r, object, &fv_fields_video, video);
    if (!status)
        status = take_rows(r, fv_node_member(object, "given"), "given", side ? "distorted." : "reference.", &run);
    if (!status) {
        const FvRgb rgb = video->given.rgb;
        video->given = run.source[side];
        video->given.rgb = rgb;
        plan->score = run.score;
        if (!fv_plan_own_rows(video))
            status = fv_fail_memory(r->error, sizeof run);
    }
    if (!status && !take_integer(object, "bars_of_frames", 0, INT64_MAX, &plan->score.crop[side].frames))
        status = bad(r, "bars_of_frames");
    if (!status)
        status = take_fields(r, fv_node_member(object, "raw"), &fv_fields_format, &video->given.raw);
    if (!status)
        status = take_fields(r, fv_node_member(object, "tags"), &fv_fields_format, &video->given.tags);
    if (!status)
        status = take_fields(r, fv_node_member(object, "format"), &fv_fields_format, &video->info.format);
    if (!status)
        status = take_fields(r, fv_node_member(object, "info"), &fv_fields_info, &video->info);
    if (!status && fv_format_check(&video->info.format, NULL))
        status = bad(r, "format");
    if (!status)
        status = take_index(r, fv_node_member(object, "index"), &video->index);
    if (!status &&
        (!video->path || !video->sha256 || !video->name || !video->opened_by || !video->container || !video->codec))
        status = bad(r, name);
    fv_plan_own_texts(video);
    return status;
}

static FvStatus take_metrics(const Reader *r, const FvNode *root, FvPlan *plan)
{
    const FvNode *metrics = fv_node_member(root, "metrics"), *files = fv_node_member(root, "files");
    const size_t count = fv_node_items(metrics), file_count = fv_node_items(files);
    if (!fv_node_is(metrics, FV_NODE_LIST) || !count || count > FV_MAX_METRICS)
        return bad(r, "metrics");
    if (!fv_node_is(files, FV_NODE_LIST) || file_count > 1000)
        return bad(r, "files");
    for (size_t i = 0; i < count; i++) {
        const char *text = fv_node_text(fv_node_item(metrics, i));
        if (!text || !(plan->metrics[i] = strdup(text)))
            return bad(r, "metrics");
        plan->metric_count++;
    }
    plan->files = calloc(file_count + 1, sizeof *plan->files);
    if (!plan->files)
        return fv_fail_memory(r->error, file_count * sizeof *plan->files);
    for (size_t i = 0; i < file_count; i++) {
        const FvNode *object = fv_node_item(files, i);
        FvPlanFile *file = &plan->files[plan->file_count++];
        int64_t metric;
        const bool good = take_integer(object, "metric", 0, (int64_t)count - 1, &metric) &&
                          take_text(object, "option", &file->option) && take_text(object, "sha256", &file->sha256);
        if (!good || !file->option || !file->sha256)
            return bad(r, "files");
        file->metric = (int)metric;
    }
    return FV_OK;
}

static FvStatus take_cuts(const Reader *r, const FvNode *root, FvPlan *plan)
{
    int64_t shards;
    if (!take_integer(root, "frames", 1, FV_PLAN_MOST_FRAMES, &plan->frames) ||
        !take_integer(root, "shards", 1, plan->frames, &shards) ||
        !take_integer(root, "lead", -1, INT32_MAX, &plan->lead))
        return bad(r, "shards");
    plan->lead = plan->lead < 0 ? FV_EVERYTHING : plan->lead;
    plan->shards = (int)shards;
    plan->cuts = malloc((size_t)(shards + 1) * sizeof *plan->cuts);
    if (!plan->cuts)
        return fv_fail_memory(r->error, (size_t)shards * sizeof *plan->cuts);
    if (!take_numbers(fv_node_member(root, "cuts"), plan->cuts, shards + 1))
        return bad(r, "cuts");
    for (int64_t i = 0; i < shards; i++)
        if (plan->cuts[i] >= plan->cuts[i + 1])
            return bad(r, "cuts");
    return plan->cuts[0] || plan->cuts[shards] != plan->frames ? bad(r, "cuts") : FV_OK;
}

/* Checks the hash of a file by printing the plan or record that was read, which gives the same text. */
static FvStatus check_hash(const Reader *r, const FvNode *root, const char *sha256, const char *writer)
{
    const char *stated = fv_member_text(root, "sha256");
    return stated && !strcmp(stated, sha256)
               ? FV_OK
               : fv_fail(r->error, FV_FAIL_DAMAGED,
                         "%s was changed or damaged since 'fovea %s' wrote it: its hash does not match", r->path,
                         writer);
}

static FvStatus check_plan(const Reader *r, const FvNode *root, bool any_hash, FvPlan *plan)
{
    char *text;
    FvStatus status = fv_plan_print(plan, &text, plan->sha256, r->error);
    free(text);
    return status || any_hash ? status : check_hash(r, root, plan->sha256, "plan");
}

static FvStatus take_plan(const Reader *r, const FvNode *root, bool any_hash, FvPlan *plan)
{
    int64_t format, numerics;
    if (!take_integer(root, "fovea_plan", 1, INT32_MAX, &format))
        return fv_fail(r->error, FV_ERROR_INPUT, "%s is not a plan of fovea; 'fovea plan' makes one", r->path);
    if (format != FV_PLAN_FORMAT)
        return fv_fail(r->error, FV_ERROR_INPUT, "%s is a plan of another version of fovea: make a new one", r->path);
    if (!take_integer(root, "numerics_version", 1, INT32_MAX, &numerics))
        return bad(r, "numerics_version");
    if (numerics != fv_numerics_version())
        return fv_fail(r->error, FV_ERROR_INPUT,
                       "%s was made for numerics version %" PRId64
                       ", and this fovea has version %d: scores of the two do not mix; make a new plan",
                       r->path, numerics, fv_numerics_version());
    FvRunParams run = {.allow_hdr = false};
    FvStatus status = take_rows(r, fv_node_member(root, "scoring"), "scoring", "", &run);
    plan->score = run.score;
    if (!status)
        status = take_video(r, root, "reference", plan, 0);
    if (!status)
        status = take_video(r, root, "distorted", plan, 1);
    plan->uses_reference = fv_node_is(fv_node_member(root, "uses_reference"), FV_NODE_TRUE);
    if (!status && (!plan->video[1].present || (plan->uses_reference && !plan->video[0].present)))
        status = bad(r, "distorted");
    if (!status)
        status = take_metrics(r, root, plan);
    if (!status)
        status = take_cuts(r, root, plan);
    return status ? status : check_plan(r, root, any_hash, plan);
}

static FvStatus read_plan(FvPlan **plan, const char *path, const char *text, size_t size, bool any_hash,
                          FvError *error)
{
    const Reader r = {path, error};
    FvDocument document;
    FvStatus status = load_document(&r, text, size, &document);
    FvPlan *reading = status ? NULL : fv_alloc_zero(sizeof *reading);
    if (!status && !reading)
        status = fv_fail_memory(error, sizeof *reading);
    if (!status)
        status = take_plan(&r, &document.root, any_hash, reading);
    fv_document_close(&document);
    if (status)
        fv_plan_close(&reading);
    *plan = reading;
    return status;
}

FvStatus fv_plan_read(FvPlan **plan, const char *path, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, plan);
    *plan = NULL;
    FV_REQUIRE(error, path);
    FvContent file;
    FvStatus status = fv_content_read(&file, path, path, MOST_BYTES, error);
    if (!status)
        status = read_plan(plan, path, (const char *)file.bytes, file.size, false, error);
    free(file.bytes);
    if (status)
        return status;
    fv_guard_add(&(*plan)->read, file.id, path);
    for (int side = 0; side < 2; side++)
        if ((*plan)->video[side].present)
            fv_guard_add_path(&(*plan)->read, (*plan)->video[side].path);
    return FV_OK;
}

FvStatus fv_plan_parse(FvPlan **plan, const char *name, const char *text, size_t size, bool any_hash, FvError *error)
{
    *plan = NULL;
    return read_plan(plan, name, text, size, any_hash, error);
}

static FvStatus take_record(const Reader *r, const FvNode *root, FvRecord *record)
{
    const FvNode *carriers = fv_node_member(root, "carriers"), *decisions = fv_node_member(root, "decisions");
    const FvNode *events = fv_node_member(root, "events");
    const size_t device_count = fv_node_items(carriers), decision_count = fv_node_items(decisions);
    FvStatus status = take_fields(r, root, &fv_fields_record, record);
    if (status)
        return status;
    if (!record->requested || !record->kind || !record->title || !record->isa)
        return bad(r, "device");
    if (device_count > FV_MAX_METRICS || decision_count > 10000 || fv_node_items(events) > 10000)
        return bad(r, "carriers");
    record->decisions = calloc(decision_count + 1, sizeof *record->decisions);
    for (size_t i = 0; i < device_count; i++) {
        const char *text = fv_node_text(fv_node_item(carriers, i));
        if (!text || !(record->devices[i] = strdup(text)))
            return bad(r, "carriers");
        record->device_count++;
    }
    for (size_t i = 0; i < decision_count && record->decisions; i++) {
        const char *text = fv_node_text(fv_node_item(decisions, i));
        if (!text || !(record->decisions[i] = strdup(text)))
            return bad(r, "decisions");
        record->decision_count++;
    }
    for (size_t i = 0; i < fv_node_items(events) && !status; i++) {
        bool good;
        status = fv_event_read(&record->events, fv_node_item(events, i), &good, r->error);
        if (!good)
            return bad(r, "events");
    }
    return status || record->decisions ? status
                                       : fv_fail_memory(r->error, decision_count * sizeof *record->decisions);
}

static FvStatus check_record(const Reader *r, const FvNode *root, const FvRecord *record)
{
    char *text, sha256[65];
    const FvNode *written = fv_node_member(root, "written_at");
    if (!fv_node_is_number(written))
        return bad(r, "written_at");
    FvStatus status = fv_record_print(record, fv_node_number(written), &text, sha256, r->error);
    free(text);
    return status ? status : check_hash(r, root, sha256, "run");
}

FvStatus fv_record_parse(FvRecord *record, const char *name, const char *text, size_t size, bool any_hash,
                         FvError *error)
{
    const Reader r = {name, error};
    FvDocument document;
    *record = (FvRecord){.requested = NULL};
    FvStatus status = load_document(&r, text, size, &document);
    if (!status)
        status = take_record(&r, &document.root, record);
    if (!status && !any_hash)
        status = check_record(&r, &document.root, record);
    fv_document_close(&document);
    if (status)
        fv_record_free(record);
    return status;
}

FvStatus fv_record_read(FvRecord *record, const char *path, FvError *error)
{
    FvContent file;
    *record = (FvRecord){.requested = NULL};
    FvStatus status = fv_content_read(&file, path, path, MOST_BYTES, error);
    if (!status)
        status = fv_record_parse(record, path, (const char *)file.bytes, file.size, false, error);
    free(file.bytes);
    return status;
}
