/* Writes reports in libvmaf's four formats. Programs parse them, so every blank counts. */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "float_mode.h"
#include "json.h"
#include "libvmaf/numbers.h"
#include "log.h"
#include "markup.h"
#include "number.h"
#include "pool.h"
#include "program_stop.h"
#include "sessions.h"

const char *vmaf_version(void)
{
    return LV_VERSION;
}

#define VALUE 352 /* maximum bytes of a value's text */

/* A report that is being written. */
typedef struct Report {
    FILE *file;
    const VmafContext *context;
    int *place; /* index of the next score in each series */
    double fps;
} Report;

static const struct {
    enum VmafPoolingMethod method;
    const char *name;
} pools[] = {{VMAF_POOL_METHOD_MIN, "min"},
             {VMAF_POOL_METHOD_MAX, "max"},
             {VMAF_POOL_METHOD_MEAN, "mean"},
             {VMAF_POOL_METHOD_HARMONIC_MEAN, "harmonic_mean"}};
#define POOLS (sizeof pools / sizeof *pools)

/* Prints a value with six decimals, or with sixteen if its fraction begins with many zeros. */
static char *write_value(char text[VALUE], double value)
{
    double fraction = fabs(value), whole;
    int zeros = 0;
    if (fraction < INT32_MAX) {
        fraction = modf(fraction, &whole);
        for (; fraction < 1 && fraction != 0; zeros++)
            fraction *= 10;
    }
    snprintf(text, VALUE, zeros <= 6 ? "%.6f" : "%.16f", value);
    return text;
}

static void print_value(FILE *file, double value)
{
    char text[VALUE];
    fputs(write_value(text, value), file);
}

static const LvSeries *series(const Report *report, int i)
{
    return &report->context->scores.series[i];
}

static const char *name(const Report *report, int i)
{
    return lv_alias(series(report, i)->name);
}

static const struct LvScore *score_of(const Report *report, int i, unsigned index)
{
    const LvSeries *of = series(report, i);
    int place = report->place[i];
    return place < of->count && of->score[place].index == index ? &of->score[place] : NULL;
}

/* Finds the next picture that has a score in any series; false at the end. */
static bool next(Report *report, bool first, unsigned *index)
{
    unsigned subsample = report->context->cfg.n_subsample;
    uint64_t least = UINT64_MAX;
    do {
        uint64_t past = first ? 0 : (uint64_t)*index + 1;
        least = UINT64_MAX;
        for (int i = 0; i < report->context->scores.count; i++) {
            const LvSeries *of = series(report, i);
            int *place = &report->place[i];
            while (*place < of->count && of->score[*place].index < past)
                ++*place;
            if (*place < of->count && of->score[*place].index < least)
                least = of->score[*place].index;
        }
        first = false;
        *index = (unsigned)least;
    } while (least != UINT64_MAX && subsample > 1 && least % subsample);
    return least != UINT64_MAX;
}

static bool pooled(const Report *report, int i, size_t pool, double *value)
{
    const VmafContext *context = report->context;
    return !lv_pool_scores(context, series(report, i)->name, pools[pool].method, value, 0, context->pictures - 1);
}

/* ---- XML ------------------------------------------------------------------------------------------------------- */

static void attribute(FvMarkup *xml, const char *key, double value)
{
    char text[VALUE];
    fv_markup_name(xml, key);
    fv_markup(xml, "=\"%s\" ", write_value(text, value));
}

static void write_xml(Report *report)
{
    const VmafContext *context = report->context;
    FvMarkup markup = {.file = report->file}, *xml = &markup;
    fv_markup(xml, "<VMAF version=\"%s\">\n  <params qualityWidth=\"%u\" qualityHeight=\"%u\" />\n", vmaf_version(),
              context->picture.w, context->picture.h);
    fv_markup(xml, "  <fyi fps=\"%.2f\" />\n  <frames>\n", report->fps);
    unsigned index;
    for (bool more = next(report, true, &index); more; more = next(report, false, &index)) {
        fv_markup(xml, "    <frame frameNum=\"%u\" ", index);
        for (int i = 0; i < context->scores.count; i++)
            if (score_of(report, i, index))
                attribute(xml, name(report, i), score_of(report, i, index)->value);
        fv_markup(xml, "/>\n");
    }
    fv_markup(xml, "  </frames>\n  <pooled_metrics>\n");
    for (int i = 0; i < context->scores.count; i++) {
        double value;
        fv_markup(xml, "    <metric name=\"%s\" ", name(report, i));
        for (size_t p = 0; p < POOLS; p++)
            if (pooled(report, i, p, &value))
                attribute(xml, pools[p].name, value);
        fv_markup(xml, "/>\n");
    }
    fv_markup(xml, "  </pooled_metrics>\n  <aggregate_metrics ");
    for (int i = 0; i < context->scores.aggregates; i++)
        attribute(xml, context->scores.aggregate[i].name, context->scores.aggregate[i].value);
    fv_markup(xml, "/>\n</VMAF>\n");
}

/* ---- JSON ------------------------------------------------------------------------------------------------------ */

static void put_key(FILE *file, const char *key)
{
    fv_json_text(&(FvJson){.file = file}, NULL, key);
    fputs(": ", file);
}

static void member(FILE *file, const char *indent, const char *key, double value)
{
    fputs(indent, file);
    put_key(file, key);
    if (isfinite(value))
        print_value(file, value);
    else
        fputs("null", file);
}

/* Writes a frame's scores. As in libvmaf, a line ends after a number, but not after null. */
static void write_json_frame(const Report *report, unsigned index)
{
    FILE *file = report->file;
    int left = 0;
    for (int i = 0; i < report->context->scores.count; i++)
        left += score_of(report, i, index) != NULL;
    fprintf(file, "%s    {\n      \"frameNum\": %u,\n      \"metrics\": {\n", index ? ",\n" : "\n", index);
    for (int i = 0; i < report->context->scores.count; i++) {
        const struct LvScore *one = score_of(report, i, index);
        if (!one)
            continue;
        member(file, "        ", name(report, i), one->value);
        fputs(--left ? "," : "", file);
        fputs(isfinite(one->value) ? "\n" : "", file);
    }
    fputs("      }\n    }", file);
}

static void write_json_pooled(const Report *report, int i)
{
    FILE *file = report->file;
    double value;
    fputs(i ? ",\n    " : "\n    ", file);
    put_key(file, name(report, i));
    fputs("{", file);
    for (size_t p = 0; p < POOLS; p++)
        if (pooled(report, i, p, &value)) {
            fputs(p ? ",\n" : "\n", file);
            member(file, "      ", pools[p].name, value);
        }
    fputs("\n    }", file);
}

static void write_json(Report *report)
{
    const LvScores *scores = &report->context->scores;
    FILE *file = report->file;
    fprintf(file, "{\n  \"version\": \"%s\",\n", vmaf_version());
    fprintf(file, isfinite(report->fps) ? "  \"fps\": %.2f,\n" : "  \"fps\": null,\n", report->fps);
    fputs("  \"frames\": [", file);
    unsigned index;
    for (bool more = next(report, true, &index); more; more = next(report, false, &index))
        write_json_frame(report, index);
    fputs("\n  ],\n  \"pooled_metrics\": {", file);
    for (int i = 0; i < scores->count; i++)
        write_json_pooled(report, i);
    fputs("\n  },\n  \"aggregate_metrics\": {", file);
    for (int i = 0; i < scores->aggregates; i++) {
        member(file, "\n    ", scores->aggregate[i].name, scores->aggregate[i].value);
        fputs(i < scores->aggregates - 1 ? "," : "", file);
    }
    fputs("\n  }\n}\n", file);
}

/* ---- CSV and subtitles ----------------------------------------------------------------------------------------- */

static void write_csv(Report *report)
{
    FILE *file = report->file;
    unsigned index;
    fputs("Frame,", file);
    for (int i = 0; i < report->context->scores.count; i++) {
        fv_csv_text(file, name(report, i));
        fputc(',', file);
    }
    fputc('\n', file);
    for (bool more = next(report, true, &index); more; more = next(report, false, &index)) {
        fprintf(file, "%u,", index);
        for (int i = 0; i < report->context->scores.count; i++)
            if (score_of(report, i, index)) {
                print_value(file, score_of(report, i, index)->value);
                fputc(',', file);
            }
        fputc('\n', file);
    }
}

static void write_sub(Report *report)
{
    FILE *file = report->file;
    unsigned index;
    for (bool more = next(report, true, &index); more; more = next(report, false, &index)) {
        fprintf(file, "{%u}{%u}frame: %u|", index, index + 1, index);
        for (int i = 0; i < report->context->scores.count; i++)
            if (score_of(report, i, index)) {
                fprintf(file, "%s: ", name(report, i));
                print_value(file, score_of(report, i, index)->value);
                fputc('|', file);
            }
        fputc('\n', file);
    }
}

/* ---- The file -------------------------------------------------------------------------------------------------- */

static int write_to(const VmafContext *context, const char *path, void (*write)(Report *))
{
    char here[4096];
    FvError error = {0};
    FvOutput *output = NULL;
    const LvScores *scores = &context->scores;
    Report report = {.context = context, .place = calloc((size_t)scores->count + 1, sizeof *report.place)};
    if (!report.place)
        return -ENOMEM;
    /* The path "-" names a file, not standard output, as it does in libvmaf. */
    snprintf(here, sizeof here, "%s%s", strcmp(path, "-") ? "" : "./", path);
    FvStatus status = fv_output_open(&output,
                                     &(FvOutputParams){.path = strcmp(path, "-") ? path : here,
                                                       .files = (const char *const *)context->model_file,
                                                       .file_count = context->model_files,
                                                       .cancel = program_stop},
                                     &error);
    if (status)
        fprintf(stderr, "%s\n", error.message);
    else {
        report.file = fv_output_file(output);
        report.fps = context->pictures / ((double)(scores->end - scores->begin) / CLOCKS_PER_SEC);
        locale_t before = lv_number_begin();
        write(&report);
        lv_number_end(before);
        status = fv_output_close(&output, &error);
    }
    free(report.place);
    return status ? lv_sessions_fail(status, &error) : 0;
}

int vmaf_write_output(VmafContext *vmaf, const char *output_path, enum VmafOutputFormat fmt)
{
    FV_FLOAT_MODE;
    static void (*const writers[])(Report *) = {[VMAF_OUTPUT_FORMAT_XML] = write_xml,
                                                [VMAF_OUTPUT_FORMAT_JSON] = write_json,
                                                [VMAF_OUTPUT_FORMAT_CSV] = write_csv,
                                                [VMAF_OUTPUT_FORMAT_SUB] = write_sub};
    if (!vmaf || !output_path || (unsigned)fmt >= sizeof writers / sizeof *writers || !writers[fmt])
        return -EINVAL;
    pthread_mutex_lock(&vmaf->lock);
    lv_sessions_take(vmaf);
    int failed = write_to(vmaf, output_path, writers[fmt]);
    pthread_mutex_unlock(&vmaf->lock);
    return failed;
}

bool lv_report_number(VmafContext *context, const char *name, const char *pool, unsigned index, double *value)
{
    FV_FLOAT_MODE;
    bool found = false;
    pthread_mutex_lock(&context->lock);
    lv_sessions_take(context);
    const LvScores *scores = &context->scores;
    if (pool && !strcmp(pool, "clip")) {
        for (int i = 0; i < scores->aggregates && !found; i++)
            if (!strcmp(scores->aggregate[i].name, name)) {
                *value = scores->aggregate[i].value;
                found = true;
            }
    } else {
        for (int i = 0; i < scores->count && !found; i++) {
            if (strcmp(lv_alias(scores->series[i].name), name))
                continue;
            if (!pool)
                found = lv_series_at(&scores->series[i], index, value);
            for (size_t p = 0; pool && p < POOLS; p++)
                found |=
                    !strcmp(pool, pools[p].name) && !lv_pool_scores(context, scores->series[i].name, pools[p].method,
                                                                    value, 0, context->pictures - 1);
        }
    }
    pthread_mutex_unlock(&context->lock);
    return found;
}
