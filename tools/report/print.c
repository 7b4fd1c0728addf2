#include "report/print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/message.h"
#include "report/reports.h"
#include "table/pooled_score.h"

static const char option[] = "--print";

FvStatus print_parse(const char *text, char *name, size_t size, FvPool *pool)
{
    const size_t length = strcspn(text, ":");
    *pool = FV_POOL_MEAN;
    if (!length || length >= size)
        return report_error(FV_FAIL_VALUE, "%s takes SCORE or SCORE:POOL, not '%s'", option, text);
    memcpy(name, text, length);
    name[length] = '\0';
    return text[length] ? pick_pool(pool, text + length + 1, option, text) : FV_OK;
}

FvStatus print_check(const Options *options)
{
    char name[96];
    FvPool pool;
    FvStatus status = FV_OK;
    if (options->print.count && reports_take_output(options))
        return report_error(FV_ERROR_USAGE, "%s and the report both go to standard output: name a file with -o",
                            option);
    for (int i = 0; i < options->print.count && status == FV_OK; i++)
        status = print_parse(options->print.items[i], name, sizeof name, &pool);
    return status;
}

/* Returns whether a value of --print asks for the sentence of the verdict instead of a score. */
static bool is_verdict(const char *text)
{
    return !strcmp(text, "verdict");
}

static FvStatus find_output(const char *text, const FvSession *session, int *output, FvPool *pool)
{
    char name[96];
    FvStatus status = print_parse(text, name, sizeof name, pool);
    return status == FV_OK ? pick_output(output, session, name, *pool, option, text) : status;
}

FvStatus print_check_scores(const Options *options, const FvSession *session)
{
    FvPool pool;
    int output;
    FvStatus status = FV_OK;
    for (int i = 0; i < options->print.count && status == FV_OK; i++)
        if (!is_verdict(options->print.items[i]))
            status = find_output(options->print.items[i], session, &output, &pool);
    return status;
}

FvStatus print_scores(FILE *file, const Options *options, FvSession *session)
{
    FvStatus status = FV_OK;
    for (int i = 0; i < options->print.count && status == FV_OK; i++) {
        const FvClipVerdict *verdict;
        FvError error = {0};
        FvPool pool;
        int output;
        if (is_verdict(options->print.items[i])) {
            status = report_error_if(fv_session_judge(session, &verdict, &error), &error);
            fprintf(file, "%s\n", status ? "" : verdict->sentence);
            continue;
        }
        status = find_output(options->print.items[i], session, &output, &pool);
        const double value = status ? NAN : pick_value(session, output, pool);
        if (isnan(value))
            fputs(status ? "" : "nan\n", file);
        else
            fprintf(file, "%.17g\n", value);
    }
    return status;
}
