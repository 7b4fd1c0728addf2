/* Makes the columns of a session, and computes rows of scores from rows of terms. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "session/state.h"

/*
 * Returns the column name of an output. If the metric was added twice, the name ends with the changed options, and
 * with a number if names would still be equal.
 */
static char *column_name(const FvSession *session, int metric, const FvOutputInfo *info)
{
    const FvMetricInstance *run = &session->metrics.run[metric];
    char name[512];
    snprintf(name, sizeof name, "%s", info->name);
    int before = 0, copies = -1;
    for (int i = 0; i < session->metrics.count; i++) {
        copies += session->metrics.run[i].metric == run->metric;
        before += i < metric && session->metrics.run[i].metric == run->metric;
    }
    if (copies && run->outputs == run->metric->info.outputs) {
        char suffix[256];
        fv_options_suffix(run->options, &run->metric->options, suffix, sizeof suffix);
        snprintf(name, sizeof name, "%s%s", info->name, suffix);
    }
    for (int i = 0; i < session->scores.column_count; i++)
        if (!strcmp(session->scores.columns[i].info.name, name)) {
            size_t used = strlen(name);
            snprintf(name + used, sizeof name - used, "_%d", before + 1);
        }
    return strdup(name);
}

static FvStatus add_column(FvSession *session, int metric, int output, char *name, FvError *error)
{
    if (!name)
        return fv_fail_memory(error, 64);
    FvColumn *column = &session->scores.columns[session->scores.column_count++];
    *column = (FvColumn){
        .metric = metric, .output = output, .info = session->metrics.run[metric].outputs[output], .sequence = NAN};
    column->info.name = name;
    column->meaning = fv_column_meaning(&session->metrics.run[metric], column);
    return FV_OK;
}

/* Returns whether a column has the name. *same: that column belongs to the same metric with the same options. */
static bool stands_already(const FvSession *session, const char *name, bool *same)
{
    *same = false;
    for (int i = 0; i < session->scores.column_count; i++) {
        const FvColumn *column = &session->scores.columns[i];
        const FvMetricInstance *run = &session->metrics.run[column->metric];
        if (strcmp(column->info.name, name))
            continue;
        char suffix[256] = "", full[512];
        if (run->outputs == run->metric->info.outputs)
            fv_options_suffix(run->options, &run->metric->options, suffix, sizeof suffix);
        snprintf(full, sizeof full, "%s%s", run->outputs[column->output].name, suffix);
        *same = !strcmp(full, name);
        return true;
    }
    return false;
}

/*
 * Adds the outputs of metrics that another metric contains, after all other outputs. An output that is a column
 * already is not added again.
 */
static FvStatus add_shared(FvSession *session, int metric, FvError *error)
{
    const FvMetricInstance *run = &session->metrics.run[metric];
    FvStatus status = FV_OK;
    for (int o = run->output_count - run->shared; o < run->output_count && !status; o++) {
        bool same;
        char name[512];
        snprintf(name, sizeof name, "%s", run->outputs[o].name);
        for (int copy = 2; stands_already(session, name, &same) && !same; copy++)
            snprintf(name, sizeof name, "%s_%d", run->outputs[o].name, copy);
        if (!same)
            status = add_column(session, metric, o, strdup(name), error);
    }
    return status;
}

static bool has_output(const FvMetricInstance *run, int output)
{
    return run->outputs != run->metric->info.outputs || (run->present >> output & 1);
}

/* Replaces each column by three: both fields, the top fields, the bottom fields. */
static FvStatus add_fields(FvSession *session, FvError *error)
{
    static const char *const suffixes[] = {"_top", "_bottom"};
    FvScores *scores = &session->scores;
    FvColumn *made = calloc(3 * (size_t)scores->column_count + 1, sizeof *made);
    if (!made)
        return fv_fail_memory(error, 3 * (size_t)scores->column_count * sizeof *made);
    bool good = true;
    for (int c = 0; c < scores->column_count; c++) {
        made[3 * c] = scores->columns[c];
        for (int field = 1; field < 3; field++) {
            char name[512];
            snprintf(name, sizeof name, "%s%s", made[3 * c].info.name, suffixes[field - 1]);
            made[3 * c + field] = made[3 * c];
            made[3 * c + field].field = field;
            made[3 * c + field].info.name = strdup(name);
            good = good && made[3 * c + field].info.name;
        }
    }
    free(scores->columns);
    scores->columns = made;
    scores->column_count *= 3;
    return good ? FV_OK : fv_fail_memory(error, 512);
}

FvStatus fv_session_make_columns(FvSession *session, FvError *error)
{
    int outputs = 0;
    for (int i = 0; i < session->metrics.count; i++) {
        session->scores.first_output[i] = outputs;
        outputs += session->metrics.run[i].output_count;
    }
    session->scores.columns = calloc((size_t)outputs + 1, sizeof *session->scores.columns);
    session->scores.outputs = calloc((size_t)outputs + 1, sizeof *session->scores.outputs);
    if (!session->scores.columns || !session->scores.outputs)
        return fv_fail_memory(error, (size_t)outputs * sizeof *session->scores.columns);
    FvStatus status = FV_OK;
    for (int i = 0; i < session->metrics.count; i++) {
        const FvMetricInstance *run = &session->metrics.run[i];
        for (int o = 0; o < run->output_count - run->shared && !status; o++)
            if (has_output(run, o))
                status = add_column(session, i, o, column_name(session, i, &run->outputs[o]), error);
    }
    for (int i = 0; i < session->metrics.count && !status; i++)
        status = add_shared(session, i, error);
    return status || !session->facts.score.fields ? status : add_fields(session, error);
}

static FvStatus reserve_frame(FvSession *session, FvError *error)
{
    if (session->scores.frames < session->scores.capacity)
        return FV_OK;
    int64_t capacity = session->scores.capacity ? 2 * session->scores.capacity : 256;
    size_t bytes = (size_t)capacity * (size_t)session->scores.column_count * sizeof(double);
    double *values = realloc(session->scores.values, bytes + 1);
    if (values)
        session->scores.values = values;
    int64_t *number = realloc(session->scores.number, (size_t)capacity * sizeof *number);
    if (number)
        session->scores.number = number;
    if (!values || !number)
        return fv_fail_memory(error, bytes);
    session->scores.capacity = capacity;
    return FV_OK;
}

static FvStatus score_row(FvSession *session, int64_t row, FvError *error)
{
    FvStatus status = reserve_frame(session, error);
    for (int i = 0; i < session->metrics.count && !status; i++) {
        const FvMetricInstance *run = &session->metrics.run[i];
        FvRows rows = {&session->scores.rows, session->metrics.want[i], row - run->behind, row + run->ahead};
        status =
            run->metric->score(run, &rows, row, session->scores.outputs + session->scores.first_output[i], error);
    }
    if (status)
        return status;
    double *values = session->scores.values + session->scores.frames * session->scores.column_count;
    for (int c = 0; c < session->scores.column_count; c++) {
        const FvColumn *column = &session->scores.columns[c];
        values[c] = column->info.sequence
                        ? NAN
                        : session->scores.outputs[session->scores.first_output[column->metric] + column->output];
    }
    session->scores.number[session->scores.frames++] = session->scores.rows.number[row];
    return FV_OK;
}

/* Returns whether a metric needs terms that were lost. */
static bool lacks_terms(const FvSession *session, int64_t row)
{
    for (int i = 0; i < session->metrics.count && session->scores.rows.lost; i++)
        if (fv_rows_lack(&session->scores.rows, row - session->metrics.run[i].behind,
                         row + session->metrics.run[i].ahead))
            return true;
    return false;
}

FvStatus fv_session_score_rows(FvSession *session, int64_t end, FvError *error)
{
    FvStatus status = FV_OK;
    for (; session->scores.scored < end && !status; session->scores.scored += !status)
        if (!session->scores.rows.skipped[session->scores.scored] && !lacks_terms(session, session->scores.scored))
            status = score_row(session, session->scores.scored, error);
    return status;
}

FvStatus fv_session_pool_rows(FvSession *session, FvError *error)
{
    FvStatus status = FV_OK;
    for (int i = 0; i < session->metrics.count && session->scores.frames && !status; i++) {
        FvMetricInstance *run = &session->metrics.run[i];
        FvRows rows = {&session->scores.rows, session->metrics.want[i], 0, session->scores.scored - 1};
        char text[360] = "";
        if (run->metric->conclude && !session->workload.part)
            run->metric->conclude(run, &rows, text, sizeof text);
        if (*text) {
            const size_t used = strlen(run->remark);
            snprintf(run->remark + used, sizeof run->remark - used, "%s%s.", used ? " " : "", text);
            status = fv_session_decide(session, error, "%s", text);
        }
        double *values = session->scores.outputs + session->scores.first_output[i];
        if (!run->metric->pool || status)
            continue;
        status = run->metric->pool(run, &rows, values, error);
        for (int c = 0; c < session->scores.column_count && !status; c++)
            if (session->scores.columns[c].metric == i && session->scores.columns[c].info.sequence)
                session->scores.columns[c].sequence = values[session->scores.columns[c].output];
    }
    return status;
}
