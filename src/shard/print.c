/* Prints plans and records as text that ends with its own hash. */
#include <stdlib.h>

#include "base/error.h"
#include "base/sha256.h"
#include "json.h"
#include "os/locale.h"
#include "shard/fields.h"
#include "shard/shard.h"
#include "text.h"

static void write_field(FvJson *json, const FvField *field, const void *from)
{
    const void *place = (const char *)from + field->offset;
    switch (field->kind) {
    case FV_FIELD_INT:
        fv_json_int(json, field->name, *(const int *)place);
        break;
    case FV_FIELD_LONG:
        fv_json_int(json, field->name, *(const int64_t *)place);
        break;
    case FV_FIELD_REAL:
        fv_json_real(json, field->name, *(const double *)place);
        break;
    case FV_FIELD_BOOL:
        fv_json_bool(json, field->name, *(const bool *)place);
        break;
    case FV_FIELD_TEXT:
        fv_json_text(json, field->name, *(char *const *)place);
        break;
    }
}

static void write_fields(FvJson *json, const FvFields *fields, const void *from)
{
    for (int i = 0; i < fields->count; i++)
        write_field(json, &fields->field[i], from);
}

/* Subtracts without overflow, since the times of a hostile file may be as far apart as numbers can be. */
static int64_t difference(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

/* Writes numbers as runs of equal steps, each as [first, step, count]. */
static void write_numbers(FvJson *json, const char *name, const int64_t *numbers, int64_t count)
{
    fv_json_open_line(json, name, '[');
    for (int64_t i = 0, end; i < count; i = end) {
        const int64_t step = i + 1 < count ? difference(numbers[i + 1], numbers[i]) : 0;
        for (end = i + 1; end < count && difference(numbers[end], numbers[end - 1]) == step; end++)
            ;
        fv_json_int(json, NULL, numbers[i]);
        fv_json_int(json, NULL, step);
        fv_json_int(json, NULL, end - i);
    }
    fv_json_close(json);
}

static void write_index(FvJson *json, const FvIndex *index)
{
    fv_json_open(json, "index", '{');
    fv_json_int(json, "frames", index->shown.frames);
    fv_json_int(json, "entry_count", index->shown.entry_count);
    for (int i = 0; i < FV_INDEX_FIELDS; i++) {
        const FvIndexField *field = &fv_index_fields[i];
        const int64_t *numbers = *(int64_t *const *)((const char *)index + field->offset);
        if (numbers)
            write_numbers(json, field->name, numbers,
                          field->of_frames ? index->shown.frames : index->shown.entry_count);
    }
    fv_json_close(json);
}

/*
 * Writes the parameters that differ from their defaults, as text for fv_run_set(). side: a prefix of names,
 * "reference.", or "".
 */
static void write_rows(FvJson *json, const char *key, const FvPlan *plan, const char *side)
{
    const FvRunParams run = fv_plan_params(plan);
    fv_json_open(json, key, '{');
    for (int i = 0; i < FV_PARAM_COUNT; i++) {
        const FvParamRow *row = &fv_param_rows[i];
        char name[64], text[512];
        snprintf(name, sizeof name, "%s%s", side, row->info.option.name);
        if (fv_plan_has_row(row, *side != '\0') && *fv_run_text(&run, name, text, sizeof text))
            fv_json_text(json, row->info.option.name, text);
    }
    fv_json_close(json);
}

static void write_video(FvJson *json, const char *name, const FvPlan *plan, int side)
{
    const FvPlanVideo *from = &plan->video[side];
    if (!from->present) {
        fv_json_null(json, name);
        return;
    }
    fv_json_open(json, name, '{');
    write_fields(json, &fv_fields_video, from);
    write_rows(json, "given", plan, side ? "distorted." : "reference.");
    fv_json_int(json, "bars_of_frames", plan->score.crop[side].frames);
    fv_json_open_line(json, "raw", '{');
    write_fields(json, &fv_fields_format, &from->given.raw);
    fv_json_close(json);
    fv_json_open_line(json, "tags", '{');
    write_fields(json, &fv_fields_format, &from->given.tags);
    fv_json_close(json);
    fv_json_open_line(json, "format", '{');
    write_fields(json, &fv_fields_format, &from->info.format);
    fv_json_close(json);
    fv_json_open_line(json, "info", '{');
    write_fields(json, &fv_fields_info, &from->info);
    fv_json_close(json);
    write_index(json, &from->index);
    fv_json_close(json);
}

static void write_metrics(FvJson *json, const FvPlan *plan)
{
    fv_json_open(json, "metrics", '[');
    for (int i = 0; i < plan->metric_count; i++)
        fv_json_text(json, NULL, plan->metrics[i]);
    fv_json_close(json);
    fv_json_open(json, "files", '[');
    for (int i = 0; i < plan->file_count; i++) {
        fv_json_open_line(json, NULL, '{');
        fv_json_int(json, "metric", plan->files[i].metric);
        fv_json_text(json, "option", plan->files[i].option);
        fv_json_text(json, "sha256", plan->files[i].sha256);
        fv_json_close(json);
    }
    fv_json_close(json);
}

static void write_plan(FILE *file, const FvPlan *plan, const char *sha256)
{
    FvJson json = {.file = file};
    fv_json_open(&json, NULL, '{');
    fv_json_int(&json, "fovea_plan", FV_PLAN_FORMAT);
    fv_json_int(&json, "numerics_version", fv_numerics_version());
    fv_json_int(&json, "frames", plan->frames);
    fv_json_int(&json, "lead", plan->lead == FV_EVERYTHING ? -1 : plan->lead);
    fv_json_bool(&json, "uses_reference", plan->uses_reference);
    write_video(&json, "reference", plan, 0);
    write_video(&json, "distorted", plan, 1);
    write_rows(&json, "scoring", plan, "");
    write_metrics(&json, plan);
    fv_json_int(&json, "shards", plan->shards);
    write_numbers(&json, "cuts", plan->cuts, plan->shards + 1);
    if (sha256)
        fv_json_text(&json, "sha256", sha256);
    fv_json_close(&json);
    fputc('\n', file);
}

static void write_record(FILE *file, const FvRecord *from, double seconds, const char *sha256)
{
    FvJson json = {.file = file};
    fv_json_open(&json, NULL, '{');
    write_fields(&json, &fv_fields_record, from);
    fv_json_open(&json, "carriers", '[');
    for (int i = 0; i < from->device_count; i++)
        fv_json_text(&json, NULL, from->devices[i]);
    fv_json_close(&json);
    fv_json_open(&json, "decisions", '[');
    for (int i = 0; i < from->decision_count; i++)
        fv_json_text(&json, NULL, from->decisions[i]);
    fv_json_close(&json);
    fv_json_open(&json, "events", '[');
    for (int i = 0; i < from->events.count; i++)
        fv_event_write(&json, &from->events.event[i], NULL);
    fv_json_close(&json);
    fv_json_real(&json, "written_at", seconds);
    if (sha256)
        fv_json_text(&json, "sha256", sha256);
    fv_json_close(&json);
    fputc('\n', file);
}

/* A plan or a record, which is printed together with the hash of its text without the hash. */
typedef struct Printed {
    const FvPlan *plan;
    const FvRecord *record; /* the record; NULL: the plan is printed */
    double seconds;
} Printed;

static FvStatus print_shards(const Printed *what, const char *sha256, char **text, size_t *size, FvError *error)
{
    FILE *file = fv_text_open(text, size);
    FvLocale before;
    const bool located = fv_locale_enter(&before);
    if (file && what->record)
        write_record(file, what->record, what->seconds, sha256);
    else if (file)
        write_plan(file, what->plan, sha256);
    fv_locale_leave(before);
    if (fv_text_close(file, text) && located)
        return FV_OK;
    free(*text);
    *text = NULL;
    return fv_fail_memory(error, *size);
}

static FvStatus print_hashed(const Printed *what, char **text, char sha256[65], FvError *error)
{
    size_t size = 0;
    FvStatus status = print_shards(what, NULL, text, &size, error);
    if (status)
        return status;
    fv_sha256(*text, size, sha256);
    free(*text);
    return print_shards(what, sha256, text, &size, error);
}

FvStatus fv_plan_print(const FvPlan *plan, char **text, char sha256[65], FvError *error)
{
    return print_hashed(&(Printed){.plan = plan}, text, sha256, error);
}

FvStatus fv_record_print(const FvRecord *record, double seconds, char **text, char sha256[65], FvError *error)
{
    return print_hashed(&(Printed){.record = record, .seconds = seconds}, text, sha256, error);
}
