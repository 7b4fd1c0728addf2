/* Plans and records of shards from their files, with libjansson. Every member is checked. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "os/content.h"
#include "picture/frame.h"
#include "os/memory.h"
#include "shard/shard.h"
#include "shard/fields.h"

#define MOST_BYTES ((size_t)1 << 30)

typedef struct Reader {
    const char *path;
    FvError *error;
} Reader;

/* A failure with ENOMEM is a lack of memory: load() cleared errno. */
static FvStatus bad(const Reader *r, const char *name)
{
    if (errno == ENOMEM)
        return fv_fail_memory(r->error, 256);
    return fv_fail(r->error, FV_ERROR_INPUT, "%s: its '%s' is missing or wrong: make the file again", r->path, name);
}

static FvStatus load(const Reader *r, const char *text, size_t size, json_t **root)
{
    json_error_t detail = {.line = 0};
    errno = 0;
    *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &detail);
    if (*root && json_is_object(*root))
        return FV_OK;
    const bool parsed = *root != NULL;
    if (!parsed && (errno == ENOMEM || json_error_code(&detail) == json_error_out_of_memory))
        return fv_fail_memory(r->error, size);
    json_decref(*root);
    *root = NULL;
    return fv_fail(r->error, FV_ERROR_INPUT, "%s: cannot be read: %s", r->path,
                   parsed ? "it is not a JSON object" : detail.text);
}

static bool take_integer(const json_t *object, const char *name, int64_t minimum, int64_t maximum, int64_t *value)
{
    const json_t *member = json_object_get(object, name);
    *value = json_integer_value(member);
    return json_is_integer(member) && *value >= minimum && *value <= maximum;
}

static bool take_text(const json_t *object, const char *name, char **text)
{
    const json_t *member = json_object_get(object, name);
    *text = json_is_string(member) ? strdup(json_string_value(member)) : NULL;
    return *text || json_is_null(member);
}

static bool take_field(const json_t *object, const FvField *field, void *to)
{
    void *place = (char *)to + field->offset;
    const json_t *member = json_object_get(object, field->name);
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
        *(double *)place = json_number_value(member);
        return json_is_number(member);
    case FV_FIELD_BOOL:
        *(bool *)place = json_is_true(member);
        return json_is_boolean(member);
    case FV_FIELD_TEXT:
        return take_text(object, field->name, place);
    }
    return false;
}

static FvStatus take_fields(const Reader *r, const json_t *object, const FvFields *fields, void *to)
{
    for (int i = 0; i < fields->count; i++)
        if (!take_field(object, &fields->field[i], to))
            return bad(r, fields->field[i].name);
    return FV_OK;
}

/* [first, step, count] again and again. */
static bool take_numbers(const json_t *array, int64_t *numbers, int64_t count)
{
    int64_t filled = 0;
    const size_t runs = json_array_size(array);
    if (!json_is_array(array) || runs % 3)
        return false;
    for (size_t i = 0; i < runs; i += 3) {
        const json_t *part[3] = {json_array_get(array, i), json_array_get(array, i + 1),
                                 json_array_get(array, i + 2)};
        const int64_t times = json_integer_value(part[2]);
        uint64_t value = (uint64_t)json_integer_value(part[0]);
        if (!json_is_integer(part[0]) || !json_is_integer(part[1]) || !json_is_integer(part[2]) || times < 1 ||
            times > count - filled)
            return false;
        for (int64_t k = 0; k < times; k++, value += (uint64_t)json_integer_value(part[1]))
            numbers[filled++] = (int64_t)value;
    }
    return filled == count;
}

static FvStatus take_index(const Reader *r, const json_t *object, FvIndex *index)
{
    FvSourceIndex *shown = &index->shown;
    if (!take_integer(object, "frames", 0, FV_PLAN_MOST_FRAMES, &shown->frames) ||
        !take_integer(object, "entry_count", 0, shown->frames, &shown->entry_count))
        return bad(r, "index");
    for (int i = 0; i < FV_INDEX_FIELDS; i++) {
        const FvIndexField *field = &fv_index_fields[i];
        const json_t *array = json_object_get(object, field->name);
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
    /* What seeking relies on. */
    bool good = !index->entries == !shown->entry_count && (!index->entries || !index->entries[0]) &&
                !index->enter_pts == !index->enter_dts && (!index->enter_pts || index->entries);
    for (int64_t i = 1; i < shown->entry_count && good; i++)
        good = index->entries[i] > index->entries[i - 1] && index->entries[i] < shown->frames && index->enter_pts;
    return good ? FV_OK : bad(r, "entries");
}

static FvStatus take_video(const Reader *r, const json_t *root, const char *name, FvPlanVideo *video)
{
    const json_t *object = json_object_get(root, name);
    if (json_is_null(object))
        return FV_OK;
    if (!json_is_object(object))
        return bad(r, name);
    video->present = true;
    FvStatus status = take_fields(r, object, &fv_fields_video, video);
    if (!status)
        status = take_fields(r, json_object_get(object, "raw"), &fv_fields_format, &video->raw);
    if (!status)
        status = take_fields(r, json_object_get(object, "tags"), &fv_fields_format, &video->tags);
    if (!status)
        status = take_fields(r, json_object_get(object, "format"), &fv_fields_format, &video->info.format);
    if (!status)
        status = take_fields(r, json_object_get(object, "info"), &fv_fields_info, &video->info);
    if (!status && fv_format_check(&video->info.format, NULL))
        status = bad(r, "format");
    if (!status)
        status = take_index(r, json_object_get(object, "index"), &video->index);
    if (!status &&
        (!video->path || !video->sha256 || !video->name || !video->opened_by || !video->container || !video->codec))
        status = bad(r, name);
    video->info.path = video->name;
    video->info.reader = video->opened_by;
    video->info.container = video->container;
    video->info.codec = video->codec;
    video->info.mastering = video->mastering;
    return status;
}

static FvStatus take_metrics(const Reader *r, const json_t *root, FvPlan *plan)
{
    const json_t *metrics = json_object_get(root, "metrics"), *files = json_object_get(root, "files");
    const size_t count = json_array_size(metrics), file_count = json_array_size(files);
    if (!json_is_array(metrics) || !count || count > FV_MAX_METRICS)
        return bad(r, "metrics");
    if (!json_is_array(files) || file_count > 1000)
        return bad(r, "files");
    for (size_t i = 0; i < count; i++) {
        const char *text = json_string_value(json_array_get(metrics, i));
        if (!text || !(plan->metrics[i] = strdup(text)))
            return bad(r, "metrics");
        plan->metric_count++;
    }
    plan->files = calloc(file_count + 1, sizeof *plan->files);
    if (!plan->files)
        return fv_fail_memory(r->error, file_count * sizeof *plan->files);
    for (size_t i = 0; i < file_count; i++) {
        const json_t *object = json_array_get(files, i);
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

static FvStatus take_cuts(const Reader *r, const json_t *root, FvPlan *plan)
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
    if (!take_numbers(json_object_get(root, "cuts"), plan->cuts, shards + 1))
        return bad(r, "cuts");
    for (int64_t i = 0; i < shards; i++)
        if (plan->cuts[i] >= plan->cuts[i + 1])
            return bad(r, "cuts");
    return plan->cuts[0] || plan->cuts[shards] != plan->frames ? bad(r, "cuts") : FV_OK;
}

/* Numbers are read and printed alike, so the text that a whole file gives has the hash that it names. */
static FvStatus check_hash(const Reader *r, const json_t *root, const char *sha256, const char *writer)
{
    const char *stated = json_string_value(json_object_get(root, "sha256"));
    return stated && !strcmp(stated, sha256)
               ? FV_OK
               : fv_fail(r->error, FV_ERROR_INPUT,
                         "%s: was changed or damaged since 'fovea %s' wrote it: its hash does not match", r->path,
                         writer);
}

static FvStatus check_plan(const Reader *r, const json_t *root, bool any_hash, FvPlan *plan)
{
    char *text;
    FvStatus status = fv_plan_print(plan, &text, plan->sha256, r->error);
    free(text);
    return status || any_hash ? status : check_hash(r, root, plan->sha256, "plan");
}

static FvStatus take_plan(const Reader *r, const json_t *root, bool any_hash, FvPlan *plan)
{
    int64_t format, numerics;
    if (!take_integer(root, "fovea_plan", 1, INT32_MAX, &format))
        return fv_fail(r->error, FV_ERROR_INPUT, "%s: is not a plan of fovea; 'fovea plan' makes one", r->path);
    if (format != FV_PLAN_FORMAT)
        return fv_fail(r->error, FV_ERROR_INPUT, "%s: is a plan of another version of fovea: make a new one",
                       r->path);
    if (!take_integer(root, "numerics_version", 1, INT32_MAX, &numerics))
        return bad(r, "numerics_version");
    if (numerics != fv_numerics_version())
        return fv_fail(r->error, FV_ERROR_INPUT,
                       "%s: was made for numerics version %" PRId64
                       ", and this fovea has version %d: scores of the two do not mix; make a new plan",
                       r->path, numerics, fv_numerics_version());
    FvStatus status = take_video(r, root, "reference", &plan->video[0]);
    if (!status)
        status = take_video(r, root, "distorted", &plan->video[1]);
    plan->uses_reference = json_is_true(json_object_get(root, "uses_reference"));
    if (!status && (!plan->video[1].present || (plan->uses_reference && !plan->video[0].present)))
        status = bad(r, "distorted");
    if (!status)
        status = take_fields(r, json_object_get(root, "scoring"), &fv_fields_score, &plan->score);
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
    json_t *root;
    FvStatus status = load(&r, text, size, &root);
    FvPlan *reading = status ? NULL : fv_alloc_zero(sizeof *reading);
    if (!status && !reading)
        status = fv_fail_memory(error, sizeof *reading);
    if (!status)
        status = take_plan(&r, root, any_hash, reading);
    json_decref(root);
    if (status)
        fv_plan_close(&reading);
    *plan = reading;
    return status;
}

FvStatus fv_plan_read(FvPlan **plan, const char *path, FvError *error)
{
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

static FvStatus take_record(const Reader *r, const json_t *root, FvRecord *record)
{
    const json_t *carriers = json_object_get(root, "carriers"), *decisions = json_object_get(root, "decisions");
    const size_t carrier_count = json_array_size(carriers), decision_count = json_array_size(decisions);
    FvStatus status = take_fields(r, root, &fv_fields_record, record);
    if (status)
        return status;
    if (!record->requested || !record->kind || !record->title || !record->isa)
        return bad(r, "device");
    if (carrier_count > FV_MAX_METRICS || decision_count > 10000)
        return bad(r, "carriers");
    record->decisions = calloc(decision_count + 1, sizeof *record->decisions);
    for (size_t i = 0; i < carrier_count; i++) {
        const char *text = json_string_value(json_array_get(carriers, i));
        if (!text || !(record->carriers[i] = strdup(text)))
            return bad(r, "carriers");
        record->carrier_count++;
    }
    for (size_t i = 0; i < decision_count && record->decisions; i++) {
        const char *text = json_string_value(json_array_get(decisions, i));
        if (!text || !(record->decisions[i] = strdup(text)))
            return bad(r, "decisions");
        record->decision_count++;
    }
    return record->decisions ? FV_OK : fv_fail_memory(r->error, decision_count * sizeof *record->decisions);
}

static FvStatus check_record(const Reader *r, const json_t *root, const FvRecord *record)
{
    char *text, sha256[65];
    const json_t *written = json_object_get(root, "written_at");
    if (!json_is_number(written))
        return bad(r, "written_at");
    FvStatus status = fv_record_print(record, json_number_value(written), &text, sha256, r->error);
    free(text);
    return status ? status : check_hash(r, root, sha256, "run");
}

FvStatus fv_record_parse(FvRecord *record, const char *name, const char *text, size_t size, bool any_hash,
                         FvError *error)
{
    const Reader r = {name, error};
    json_t *root;
    *record = (FvRecord){.requested = NULL};
    FvStatus status = load(&r, text, size, &root);
    if (!status)
        status = take_record(&r, root, record);
    if (!status && !any_hash)
        status = check_record(&r, root, record);
    json_decref(root);
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
