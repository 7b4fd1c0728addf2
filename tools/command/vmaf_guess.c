#include "command/vmaf_guess.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "report/recheck.h"

/* ---- Names ----------------------------------------------------------------------------------------------------- */

/* Columns of libvmaf 1, and the names that fovea gives them. */
static const char *const renamed[][2] = {{"psnr", "psnr_y"}, {"ssim", "float_ssim"}, {"ms_ssim", "float_ms_ssim"}};

static const char *today_name(const char *column)
{
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
        if (!strcmp(column, renamed[i][0]))
            return renamed[i][1];
    return column;
}

/*
 * Returns whether a column is of libvmaf's float extractors, whose names begin with one of these words, with or
 * without "float_".
 */
static bool is_float(const char *column)
{
    static const char *const words[] = {"adm", "aim", "motion", "vif", "ansnr", "anpsnr", "moment"};
    const bool prefix = !strncmp(column, "float_", 6);
    if (!strcmp(column, "float_psnr"))
        return true;
    column += prefix ? 6 : 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strncmp(column, words[i], strlen(words[i])))
            return true;
    return false;
}

/*
 * Returns the name that reports give a feature without options: "integer_adm2" for "VMAF_integer_feature_adm2_score".
 */
static const char *feature_column(const char *feature, char *text, size_t size)
{
    static const char *const begins[][2] = {{"VMAF_integer_feature_", "integer_"},
                                            {"Cambi_feature_", ""},
                                            {"Speed_chroma_feature_", ""},
                                            {"Speed_temporal_feature_", ""}};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        const size_t length = strlen(begins[i][0]);
        const char *end = strstr(feature, "_score");
        if (!strncmp(feature, begins[i][0], length) && end) {
            snprintf(text, size, "%s%.*s", begins[i][1], (int)(end - feature - (ptrdiff_t)length), feature + length);
            return text;
        }
    }
    return feature;
}

/* Finds the metric whose output a column is. *suffix: the options at the end of the column's name, "_egl_1". */
static const FvMetricInfo *find_metric(const char *column, const char **output, const char **suffix)
{
    const FvMetricInfo *found = NULL;
    size_t longest = 0;
    for (int m = 0; m < fv_metric_count(); m++) {
        const FvMetricInfo *metric = fv_metric_info(m);
        for (int i = 0; i < metric->output_count && strcmp(metric->name, "vmaf"); i++) {
            const char *name = metric->outputs[i].name;
            const size_t length = strlen(name);
            if (length > longest && !strncmp(column, name, length) && (!column[length] || column[length] == '_')) {
                found = metric;
                longest = length;
                *output = name;
                *suffix = column + length;
            }
        }
    }
    return found;
}

/* Splits the next option and its value off a suffix. NULL: the metric has no such option. */
static const FvOptionInfo *next_option(const FvMetricInfo *metric, const char **suffix, char *value, size_t size)
{
    const FvOptionInfo *found = NULL;
    size_t longest = 0;
    for (int i = 0; i < metric->option_count; i++) {
        const FvOptionInfo *option = &metric->options[i];
        const char *alias = option->alias ? option->alias : option->name;
        const size_t length = strlen(alias);
        if (length > longest && !strncmp(*suffix + 1, alias, length) &&
            ((*suffix)[1 + length] == '_' || (option->type == FV_OPTION_BOOL && !(*suffix)[1 + length]))) {
            found = option;
            longest = length;
        }
    }
    if (!found)
        return NULL;
    *suffix += 1 + longest;
    if (found->type == FV_OPTION_BOOL) {
        snprintf(value, size, "true");
        return found;
    }
    const size_t length = strcspn(*suffix + 1, "_");
    snprintf(value, size, "%.*s", (int)length, *suffix + 1);
    *suffix += 1 + length;
    return found;
}

/* ---- Models ---------------------------------------------------------------------------------------------------- */

/* Returns whether a column is this feature of a model, with the options that the model gives it. */
static bool is_feature(const FvModelFeature *feature, const char *column)
{
    char name[128], value[64];
    const char *wanted = feature_column(feature->name, name, sizeof name), *output, *suffix;
    const FvMetricInfo *metric = find_metric(column, &output, &suffix);
    int given = 0, expected = 0;
    if (!metric || strcmp(output, wanted))
        return false;
    for (const FvModelOption *option = feature->options; option && option->name; option++)
        for (int i = 0; i < metric->option_count; i++) {
            const FvOptionInfo *info = &metric->options[i];
            const bool number = info->type == FV_OPTION_INT || info->type == FV_OPTION_REAL;
            const bool same = number ? strtod(option->value, NULL) == info->value
                              : info->type == FV_OPTION_BOOL
                                  ? !strcmp(option->value, info->value != 0 ? "true" : "false")
                                  : info->text && !strcmp(option->value, info->text);
            expected += !strcmp(info->name, option->name) && !same;
        }
    for (; *suffix; given++) {
        const FvOptionInfo *info = next_option(metric, &suffix, value, sizeof value);
        bool found = false;
        for (const FvModelOption *option = feature->options; info && option && option->name; option++)
            found |= !strcmp(option->name, info->name) &&
                     (!strcmp(option->value, value) || strtod(option->value, NULL) == strtod(value, NULL));
        if (!found)
            return false;
    }
    return given == expected;
}

static void add_model(Guess *guess, const char *version, bool transform, bool collection)
{
    if (guess->models == GUESSES)
        return;
    GuessModel *model = &guess->model[guess->models++];
    *model = (GuessModel){.collection = collection};
    const char *end = transform ? "_transform" : "";
    snprintf(model->name, sizeof model->name, "%s%s", version, end);
    snprintf(model->text, sizeof model->text, "version=%s:name=%s%s%s", version, version, end,
             transform ? ":enable_transform" : "");
}

/*
 * Adds the built-in models all of whose features are columns of the report. Marks the columns of these features in
 * `used`.
 */
static FvStatus add_models(Guess *guess, bool *used)
{
    const FvOptionInfo *versions = NULL;
    FvError error = {0};
    for (int m = 0; m < fv_metric_count(); m++)
        for (int i = 0; i < fv_metric_info(m)->option_count && !strcmp(fv_metric_info(m)->name, "vmaf"); i++)
            if (!strcmp(fv_metric_info(m)->options[i].name, "version"))
                versions = &fv_metric_info(m)->options[i];
    bool plain = false, collection = false;
    for (int i = 0; i < guess->scores; i++) {
        plain |= !guess->score[i].collection;
        collection |= guess->score[i].collection;
    }
    for (int v = 0; versions && versions->choices[v]; v++) {
        FvModel *model = NULL;
        if (!strcmp(versions->choices[v], "auto"))
            continue;
        if (fv_model_open(&model, &(FvModelParams){.version = versions->choices[v]}, &error))
            return report_error_if(error.status, &error);
        int found = 0;
        for (int i = 0; i < fv_model_features(model); i++)
            for (int c = 0; c < guess->old->columns; c++)
                found += is_feature(fv_model_feature(model, i), guess->old->column[c]);
        const bool many = fv_model_values(model) > 1, fits = found == fv_model_features(model);
        if (fits && (many ? collection : plain)) {
            for (int i = 0; i < fv_model_features(model); i++)
                for (int c = 0; c < guess->old->columns; c++)
                    used[c] |= is_feature(fv_model_feature(model, i), guess->old->column[c]);
            add_model(guess, versions->choices[v], false, many);
            if (!strcmp(versions->choices[v], "vmaf_v0.6.1")) /* the model's variant for phones */
                add_model(guess, versions->choices[v], true, many);
        }
        fv_model_close(&model);
    }
    return FV_OK;
}

/* ---- Features -------------------------------------------------------------------------------------------------- */

static bool has_clip_score(const Stored *old, const char *name)
{
    for (size_t i = 0; i < old->count; i++)
        if (old->number[i].pool && !strcmp(old->number[i].pool, "clip") && !strcmp(old->number[i].name, name))
            return true;
    return false;
}

/* Returns whether a column holds decibels, which exceed 1. *infinite: a value is infinite. */
static bool in_decibels(const Stored *old, const char *column, bool *infinite)
{
    bool above = false;
    *infinite = false;
    for (size_t i = 0; i < old->count; i++)
        if (!strcmp(today_name(old->number[i].name), column) && !old->number[i].pool) {
            const double value = strtod(old->number[i].text, NULL);
            above |= value > 1;
            *infinite |= value > 1e300 || !strcmp(old->number[i].text, "null");
        }
    return above;
}

/* Adds a feature with its options, once. */
static void add_feature(Guess *guess, const char *text)
{
    for (int i = 0; i < guess->features; i++)
        if (!strcmp(guess->feature[i], text))
            return;
    if (guess->features < GUESSES)
        snprintf(guess->feature[guess->features++], sizeof *guess->feature, "%s", text);
}

static bool has_output_like(const Stored *old, const FvMetricInfo *metric, const char *part)
{
    const char *output, *suffix;
    for (int c = 0; c < old->columns; c++)
        if (find_metric(today_name(old->column[c]), &output, &suffix) == metric && strstr(output, part))
            return true;
    return false;
}

/* Returns whether the report has outputs of the metric, with these options, that only its option `debug` adds. */
static bool has_debug(const Stored *old, const FvMetricInfo *metric, const char *options)
{
    const char *output, *suffix;
    bool found = false;
    for (int c = 0; c < old->columns; c++)
        if (find_metric(old->column[c], &output, &suffix) == metric && !strcmp(suffix, options) &&
            !strncmp(output, "integer_", 8))
            found |= strstr(output, "_num") || strstr(output, "_den") || !strcmp(output + 8, metric->name);
    return found;
}

/*
 * Adds the feature of a column: its metric with the options in the column's name, and the options that other columns
 * imply.
 */
static void add_feature_of(Guess *guess, const char *column)
{
    char text[512], value[64];
    const Stored *old = guess->old;
    const char *output, *suffix;
    bool infinite;
    const FvMetricInfo *metric = find_metric(column, &output, &suffix);
    const char *const options = suffix;
    size_t used = (size_t)snprintf(text, sizeof text, "%s", metric->name);
    const char *mark = "=";
#define OPTION(...)                                                                                                  \
    (used += (size_t)snprintf(text + used, sizeof text - used, "%s", mark),                                          \
     used += (size_t)snprintf(text + used, sizeof text - used, __VA_ARGS__), mark = ":")
    while (*suffix) {
        const FvOptionInfo *option = next_option(metric, &suffix, value, sizeof value);
        if (!option)
            return;
        OPTION("%s=%s", option->name, value);
    }
    if (!strcmp(metric->name, "psnr")) {
        if (!has_output_like(old, metric, "_cb"))
            OPTION("enable_chroma=false");
        if (has_output_like(old, metric, "mse_"))
            OPTION("enable_mse=true");
        if (has_clip_score(old, "apsnr_y"))
            OPTION("enable_apsnr=true");
    }
    if (!strncmp(metric->name, "float_", 6)) {
        if (has_output_like(old, metric, "_l"))
            OPTION("enable_lcs=true");
        if (in_decibels(old, metric->name, &infinite))
            OPTION("enable_db=true%s", infinite ? "" : ":clip_db=true");
    }
    if (has_debug(old, metric, options))
        OPTION("debug=true");
    if (!strcmp(metric->name, "cambi") && has_output_like(old, metric, "_source"))
        OPTION("full_ref=true");
#undef OPTION
    add_feature(guess, text);
}

/* ---- The guess ------------------------------------------------------------------------------------------------- */

/*
 * Returns the name of the collection to which a column such as "vmaf_bagging" or "vmaf_0007" belongs, "vmaf"; else
 * NULL.
 */
static const char *collection_of(const Guess *guess, const char *column)
{
    for (int i = 0; i < guess->scores; i++) {
        const size_t length = strlen(guess->score[i].name);
        if (guess->score[i].collection && !strncmp(column, guess->score[i].name, length) && column[length] == '_')
            return guess->score[i].name;
    }
    return NULL;
}

/*
 * Returns whether the report has features of libvmaf 1 or of its float extractors; with `alone`, whether it has no
 * others, so that they apply to all models.
 */
static bool has_floats(const Stored *old, bool alone)
{
    bool integers = false, floats = false;
    for (int c = 0; c < old->columns; c++) {
        integers |= !strncmp(old->column[c], "integer_", 8);
        floats |= is_float(old->column[c]);
    }
    return floats && !(alone && integers);
}

static void find_scores(Guess *guess)
{
    const char *output, *suffix;
    if (has_floats(guess->old, true))
        return;
    for (int c = 0; c < guess->old->columns && guess->scores < GUESSES; c++) {
        const char *column = guess->old->column[c];
        char bagging[256];
        if (find_metric(today_name(column), &output, &suffix) || is_float(column) || !strncmp(column, "VMAF_", 5) ||
            collection_of(guess, column))
            continue;
        snprintf(bagging, sizeof bagging, "%s_bagging", column);
        guess->score[guess->scores++] = (GuessScore){column, stored_has(guess->old, bagging), NULL};
    }
}

FvStatus guess_open(Guess *guess, const Stored *old)
{
    *guess = (Guess){.old = old};
    bool *used = calloc((size_t)old->columns + 1, sizeof *used);
    if (!used)
        return report_error(FV_ERROR_MEMORY, "out of memory for the columns of %s", old->path);
    find_scores(guess);
    FvStatus status = add_models(guess, used);
    for (int c = 0; c < old->columns && !status; c++) {
        const char *column = today_name(old->column[c]), *output, *suffix;
        if (used[c] || is_float(old->column[c]) || !find_metric(column, &output, &suffix))
            continue;
        bool known = false; /* a chosen model computes this feature together with one of its own, as integer_adm3 with
                               integer_adm2 */
        for (int k = 0; k < old->columns; k++) {
            const char *other, *end;
            known |= used[k] && find_metric(old->column[k], &other, &end) == find_metric(column, &output, &suffix) &&
                     !strcmp(end, suffix);
        }
        if (!known || has_debug(old, find_metric(column, &output, &suffix), suffix))
            add_feature_of(guess, column);
    }
    free(used);
    for (int i = 0; i < guess->models && !status; i++)
        status = arg_list_add(&guess->model_list, guess->model[i].text) ? FV_OK : FV_ERROR_MEMORY;
    for (int i = 0; i < guess->features && !status; i++)
        status = arg_list_add(&guess->feature_list, guess->feature[i]) ? FV_OK : FV_ERROR_MEMORY;
    return status;
}

void guess_close(Guess *guess)
{
    free(guess->model_list.items);
    free(guess->feature_list.items);
    *guess = (Guess){.old = NULL};
}

/*
 * Finds up to three frames before `end` with motion, according to a column with "motion2"; without such frames, the
 * first frames.
 */
static int find_frames(const Stored *old, int64_t end, int64_t frames[3])
{
    int count = 0;
    for (int pass = 0; pass < 2 && !count; pass++)
        for (size_t i = 0; i < old->count && count < 3; i++) {
            const StoredNumber *number = &old->number[i];
            const bool moves = strstr(number->name, "motion2") && strtod(number->text, NULL) > 0;
            if (!number->pool && number->frame < end && (pass || moves) &&
                (!count || frames[count - 1] < number->frame))
                frames[count++] = number->frame;
        }
    return count;
}

static const char *stored_text(const Stored *old, const char *name, int64_t frame)
{
    for (size_t i = 0; i < old->count; i++)
        if (!old->number[i].pool && old->number[i].frame == frame && !strcmp(old->number[i].name, name))
            return old->number[i].text;
    return NULL;
}

/*
 * Returns whether today's motion differs from the report's in one of the frames, as it does for libvmaf before 3.2.
 */
static bool motion_differs(const Guess *guess, const int64_t frames[3], int count,
                           bool (*value)(void *opaque, const char *name, int64_t frame, double *value), void *opaque)
{
    double now;
    for (int c = 0; c < guess->old->columns; c++)
        for (int f = 0; f < count && !strncmp(guess->old->column[c], "integer_motion2", 15); f++) {
            const char *text = stored_text(guess->old, guess->old->column[c], frames[f]);
            if (text && value(opaque, guess->old->column[c], frames[f], &now) &&
                recheck_units(guess->old, text, now) > 0)
                return true;
        }
    return false;
}

FvStatus guess_models(Guess *guess, int64_t end,
                      bool (*value)(void *opaque, const char *name, int64_t frame, double *value), void *opaque)
{
    int64_t frames[3];
    const int count = find_frames(guess->old, end, frames);
    const bool other_motion = motion_differs(guess, frames, count, value, opaque);
    for (int s = 0; s < guess->scores; s++) {
        GuessScore *score = &guess->score[s];
        const GuessModel *nearest = NULL;
        double gaps[2] = {INFINITY, INFINITY}; /* gaps of the nearest model and of the second nearest */
        char list[2048] = "";
        size_t used = 0;
        int agree = 0, most = 0;
        for (int m = 0; m < guess->models; m++) {
            const GuessModel *model = &guess->model[m];
            int equal = 0;
            double now = 0, gap = model->collection == score->collection ? 0 : INFINITY;
            for (int f = 0; f < count && gap < INFINITY; f++) {
                const char *text = stored_text(guess->old, score->name, frames[f]);
                const bool both = text && value(opaque, model->name, frames[f], &now), before = equal == f;
                gap = both ? fmax(gap, fabs(strtod(text, NULL) - now)) : INFINITY;
                /*
                 * A difference of one unit counts as equal, because sums in another order change the last digit of
                 * one number in 100,000.
                 */
                equal += both && recheck_units(guess->old, text, now) <= 1;
                if (text && before && equal == f && used < sizeof list)
                    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s gives %.6f for %s in frame %lld",
                                             used ? ", " : "", model->name, now, text, (long long)frames[f]);
            }
            if (gap < gaps[0])
                nearest = model;
            gaps[1] = gap < gaps[0] ? gaps[0] : fmin(gaps[1], gap);
            gaps[0] = fmin(gaps[0], gap);
            if (gap < INFINITY && (2 * equal > count || !count) && equal >= most) {
                agree = equal > most ? 1 : agree + 1;
                most = equal;
                score->model = model;
            }
        }
        if (!agree && other_motion && gaps[0] < 0.1 && gaps[0] < gaps[1] / 10) {
            score->model = nearest;
            continue;
        }
        if (!agree && has_floats(guess->old, false))
            continue;
        if (agree > 1) {
            used = 0;
            for (int m = 0; m < guess->models && used < sizeof list; m++)
                used +=
                    (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", guess->model[m].name);
        }
        if (agree != 1)
            return report_error(FV_ERROR_USAGE,
                                "the model of the column '%s' is not known: %s%s; name it with --model", score->name,
                                agree           ? "several agree in the frames that move: "
                                : guess->models ? ""
                                                : "no model of fovea has these features",
                                list);
    }
    return FV_OK;
}

const char *guess_name(const Guess *guess, const char *name, char *text, size_t size)
{
    for (int s = 0; s < guess->scores; s++) {
        const size_t length = strlen(guess->score[s].name);
        const GuessModel *model = guess->score[s].model;
        if (model && !strncmp(name, guess->score[s].name, length) &&
            (!name[length] || (model->collection && name[length] == '_'))) {
            snprintf(text, size, "%s%s", model->name, name + length);
            return text;
        }
    }
    return today_name(name);
}

const char *guess_motion(const char *name, char *text, size_t size)
{
    static const char column[] = "integer_motion";
    const size_t length = sizeof column - 1;
    if (strncmp(name, column, length) || (name[length] && name[length] != '_'))
        return name;
    snprintf(text, size, "VMAF_integer_feature_motion_sad_score%s", name + length);
    return text;
}

const char *guess_reason(const Stored *old, const char *name)
{
    if (is_float(name))
        return "libvmaf 1 or a float extractor of libvmaf computed it, whose arithmetic fovea does not have";
    const char *output, *suffix;
    if (!strcmp(name, "Width") || !strcmp(name, "Height"))
        return "it is the size of the pictures";
    if (has_floats(old, false) && !find_metric(today_name(name), &output, &suffix))
        return "its model is on libvmaf's float features, whose arithmetic fovea does not have, or has to be named "
               "with --model";
    return "nothing that was scored today has this score; name its model or feature with --model or --feature";
}

char *guess_describe(const Guess *guess, char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    for (int s = 0; s < guess->scores && used < size; s++)
        if (guess->score[s].model)
            used += (size_t)snprintf(text + used, size - used, "%s%s by %s", used ? ", " : "", guess->score[s].name,
                                     guess->score[s].model->name);
    for (int i = 0; i < guess->features && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", guess->feature[i]);
    return text;
}
