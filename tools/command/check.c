/* fovea check: examines videos one by one, and reports their faults. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "cli/stop.h"
#include "cli/style.h"
#include "command/batch.h"
#include "command/check_profile.h"
#include "command/job.h"
#include "compare_text.h"
#include "fovea/check.h"
#include "path_names.h"
#include "report/reports.h"
#include "scoring/encodes.h"
#include "table/event_gate.h"
#include "table/lines.h"
#include "table/pooled_score.h"
#include "table/table.h"
#include "words.h"

#define BANDING "cambi"
#define COMPARING "psnr"
#define EVENTS 10 /* maximum number of events of a check that are listed without --details */

/* The metrics that fovea check computes; those that belong to no check describe the video. */
static const char *const metrics[] = {"siti",  "freeze", "black",   "levels", "light",
                                      "flash", "scan",   "texture", BANDING};
enum { METRICS = sizeof metrics / sizeof *metrics };

typedef struct Choice {
    bool metric[METRICS];
    bool made[CHECKS];
    EventGates gates;
    char checks[256];   /* names of the checks to make, separated by commas; "": none, and no metric of theirs */
    char expected[256]; /* names of the intended checks, separated by commas */
} Choice;

static int metric_named(const char *name, size_t length)
{
    for (int i = 0; i < METRICS; i++)
        if (fv_span_is(name, length, metrics[i]))
            return i;
    return -1;
}

/* ---- Checks --------------------------------------------------------------------------------------------------- */

static FvStatus unknown_name(const char *option, const char *name, size_t length)
{
    char all[512] = "";
    if (!strcmp(option, "--fail-on"))
        strcpy(all, "warn, fail, none, ");
    for (int i = 0; i < fv_check_count(); i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "", fv_check_info(i)->name);
    for (int i = 0; i < METRICS; i++)
        if (fv_check_find(metrics[i]) < 0)
            snprintf(all + strlen(all), sizeof all - strlen(all), ", %s", metrics[i]);
    return report_error(FV_ERROR_USAGE, "%s: there is no check '%.*s'; there are %s", option, (int)length, name, all);
}

/* Returns whether a check, or its metric, has that name. */
static bool is_named(int check, const char *name, size_t length)
{
    const FvCheckInfo *info = fv_check_info(check);
    return fv_span_is(name, length, info->name) || fv_span_is(name, length, info->metric);
}

/* Marks the checks and metrics that a list names, by their names or by those of their metrics. */
static FvStatus mark(const char *option, const ArgList *list, bool check[], bool metric[])
{
    for (int i = 0; i < list->count; i++)
        for (const char *at = list->items[i]; *at; at += strcspn(at, ","), at += *at == ',') {
            const size_t length = strcspn(at, ",");
            bool found = false;
            for (int k = 0; k < fv_check_count(); k++) {
                check[k] |= is_named(k, at, length);
                found |= is_named(k, at, length);
            }
            const int own = metric_named(at, length);
            if (own >= 0)
                metric[own] = found = true;
            if (!found)
                return unknown_name(option, at, length);
        }
    return FV_OK;
}

/* Writes the names of the marked checks, separated by commas. */
static void name_checks(char *text, size_t size, const bool check[CHECKS])
{
    *text = 0;
    for (int i = 0; i < fv_check_count(); i++)
        if (check[i])
            snprintf(text + strlen(text), size - strlen(text), "%s%s", *text ? "," : "", fv_check_info(i)->name);
}

static FvStatus choose_checks(Choice *choice, const Options *options)
{
    bool only[CHECKS] = {false}, skip[CHECKS] = {false}, expected[CHECKS] = {false};
    bool only_metric[METRICS] = {false}, skip_metric[METRICS] = {false}, any = options->metrics.count > 0;
    FvStatus status = mark("--only", &options->only, only, only_metric);
    if (status == FV_OK)
        status = mark("--skip", &options->skip_checks, skip, skip_metric);
    if (status == FV_OK)
        status = mark("--expect", &options->expect, expected, (bool[METRICS]){false});
    const bool all = !options->only.count;
    for (int i = 0; i < METRICS; i++)
        choice->metric[i] = (all || only_metric[i]) && !skip_metric[i];
    for (int i = 0; i < fv_check_count(); i++) {
        const FvCheckInfo *info = fv_check_info(i);
        choice->made[i] = (all || only[i]) && !skip[i];
        if (choice->made[i])
            choice->metric[metric_named(info->metric, strlen(info->metric))] = true;
    }
    name_checks(choice->expected, sizeof choice->expected, expected);
    name_checks(choice->checks, sizeof choice->checks, choice->made);
    for (int i = 0; i < fv_check_count() && !*choice->checks; i++) /* numbers of other metrics are left */
        choice->metric[metric_named(fv_check_info(i)->metric, strlen(fv_check_info(i)->metric))] = false;
    for (int i = 0; i < METRICS; i++)
        any |= choice->metric[i];
    if (status == FV_OK && !any)
        status = report_error(FV_ERROR_USAGE, "--only and --skip leave nothing to check; leave out one of them");
    return status;
}

/* Makes a gate of an item of --fail-on: warn, fail, none, or a name. */
static FvStatus make_gate(EventGate *gate, const char *item, size_t length)
{
    static const struct {
        const char *word;
        FvSeverity from;
    } words[] = {{"warn", FV_SEVERITY_WARN}, {"fail", FV_SEVERITY_FAIL}, {"none", FV_SEVERITY_FAIL + 1}};
    bool any = false;
    *gate = (EventGate){.from = FV_SEVERITY_FAIL + 1};
    snprintf(gate->name, sizeof gate->name, "%.*s", (int)length, item);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(gate->name, words[i].word)) {
            gate->from = words[i].from;
            return FV_OK;
        }
    FvStatus status = mark("--fail-on", &(ArgList){.items = &(const char *){gate->name}, .count = 1}, gate->checks,
                           (bool[METRICS]){false});
    for (int i = 0; i < fv_check_count(); i++)
        any |= gate->checks[i];
    if (!status && !any)
        status = report_error(FV_ERROR_USAGE,
                              "--fail-on %s: it has no events; limit its scores by --fail-above or --fail-below",
                              gate->name);
    return status;
}

/*
 * Makes the gates of --fail-on. `given`: the list is of the command line, not of a profile, so each of its items must
 * name a check that is made.
 */
static FvStatus choose_gates(Choice *choice, const Options *options, bool given)
{
    EventGates *gates = &choice->gates;
    const char *at = options->fail_on ? options->fail_on : "fail";
    for (; *at; at += strcspn(at, ","), at += *at == ',') {
        EventGate gate;
        FvStatus status = make_gate(&gate, at, strcspn(at, ","));
        bool made = gate.from <= FV_SEVERITY_FAIL, known = !strcmp(gate.name, "none");
        for (int i = 0; i < fv_check_count(); i++)
            made |= gate.checks[i] && choice->made[i];
        for (int i = 0; i < gates->count; i++)
            known |= !strcmp(gates->gates[i].name, gate.name);
        if (!status && given && !made && !known)
            status = report_error(
                FV_ERROR_USAGE, "--fail-on %s names a check that --only or --skip leaves out; take it from --fail-on",
                gate.name);
        if (status)
            return status;
        if (!known)
            gates->gates[gates->count++] = gate;
    }
    return FV_OK;
}

/*
 * Lists the chosen metrics with the options that --metric gives them, and other metrics that --metric names, which
 * may compare with a reference. Leaves out banding, except as the only metric: open_video() adds it.
 */
static bool list_metrics(ArgList *list, const Choice *choice, const Options *options)
{
    bool given[METRICS] = {false}, good = true;
    for (int i = 0; i < options->metrics.count; i++) {
        const int metric = metric_named(options->metrics.items[i], strcspn(options->metrics.items[i], "="));
        if (metric >= 0)
            given[metric] = true;
        good = good && arg_list_add(list, options->metrics.items[i]);
    }
    for (int i = 0; i < METRICS; i++)
        if (choice->metric[i] && !given[i] && (strcmp(metrics[i], BANDING) || !list->count))
            good = good && arg_list_add(list, metrics[i]);
    return options->reference ? good && arg_list_add(list, COMPARING) : good;
}

/* ---- Output --------------------------------------------------------------------------------------------------- */

static void print_time(char *text, size_t size, double seconds)
{
    const int64_t ms = isnan(seconds) ? 0 : (int64_t)floor(seconds * 1000 + 0.5), minutes = ms / 60000;
    if (minutes >= 60)
        snprintf(text, size, "%" PRId64 ":%02d:%06.3f", minutes / 60, (int)(minutes % 60),
                 (double)(ms % 60000) / 1000);
    else
        snprintf(text, size, "%" PRId64 ":%06.3f", minutes, (double)(ms % 60000) / 1000);
}

static const FvCheckDetail *detail(const FvCheckEvent *event, const char *name)
{
    for (int i = 0; i < event->details; i++)
        if (!strcmp(event->detail[i].name, name))
            return &event->detail[i];
    return NULL;
}

static int64_t number(const FvCheckEvent *event, const char *name)
{
    const FvCheckDetail *of = detail(event, name);
    return of ? of->integer[0] : 0;
}

static const char *word(const FvCheckEvent *event, const char *name)
{
    const FvCheckDetail *of = detail(event, name);
    return of && of->text ? of->text : "";
}

static double pixels(const FvSession *session)
{
    const FvFormat *format = fv_session_format(session, FV_DISTORTED);
    return (double)format->width * format->height;
}

static void remark_bars(char *text, size_t size, const FvCheckEvent *event)
{
    static const char *const sides[] = {"rows above", "rows below", "columns at the left", "columns at the right"};
    const int64_t *bars = detail(event, "bars")->integer;
    for (int i = 0; i < 4; i++)
        if (bars[i])
            snprintf(text + strlen(text), size - strlen(text), "%s%" PRId64 " %s", *text ? ", " : "", bars[i],
                     sides[i]);
}

/* Writes the details as a clause. */
static void remark(char *text, size_t size, const FvSession *session, const FvCheckEvent *event)
{
    const char *name = fv_check_info(event->check)->name;
    const FvFormat *format = fv_session_format(session, FV_DISTORTED);
    const double rate = format->rate_den ? (double)format->rate_num / format->rate_den : 0;
    *text = 0;
    if (!strcmp(name, "freeze") && number(event, "exact"))
        snprintf(text, size, "every sample equal");
    else if (!strcmp(name, "cadence")) {
        const int64_t period = number(event, "period"), fresh = period - number(event, "repeats");
        snprintf(text, size, "%" PRId64 " new of %" PRId64 " frames", fresh, period);
        if (rate > 0)
            snprintf(text + strlen(text), size - strlen(text), ": %.5g of %.5g fps",
                     rate * (double)fresh / (double)period, rate);
    } else if (!strcmp(name, "repeat"))
        snprintf(text, size, "%" PRId64 " frame%s", event->frames, event->frames == 1 ? "" : "s");
    else if (!strcmp(name, "bars"))
        remark_bars(text, size, event);
    else if (!strcmp(name, "illegal"))
        snprintf(text, size, "%.1f %% outside R 103", 100.0 * (double)number(event, "worst") / pixels(session));
    else if (!strcmp(name, "light"))
        snprintf(text, size, "above the %s",
                 !strcmp(word(event, "exceeds"), "max_cll")    ? "MaxCLL of the file"
                 : !strcmp(word(event, "exceeds"), "max_fall") ? "MaxFALL of the file"
                                                               : "mastering display's peak");
    else if (!strcmp(name, "gamut"))
        snprintf(text, size, "outside the mastering %s", !strcmp(word(event, "outside"), "p3") ? "P3" : "BT.709");
    else if (!strcmp(name, "flash") || !strcmp(name, "flash_extended"))
        snprintf(text, size, "%" PRId64 " changes a second, %s", number(event, "transitions"), word(event, "kind"));
    else if (!strcmp(name, "fields"))
        snprintf(text, size, "%s, but taken as %s", word(event, "measured"), word(event, "tagged"));
    else if (!strcmp(name, "telecine"))
        snprintf(text, size, "2 of 5 frames combed");
    else if (!strcmp(name, "comb"))
        snprintf(text, size, "%" PRId64 " frame%s", event->frames, event->frames == 1 ? "" : "s");
    if (event->added)
        snprintf(text + strlen(text), size - strlen(text), "%snew in the encode", *text ? ", " : "");
}

static void print_event(FILE *file, const Style *style, const FvSession *session, const FvCheckEvent *event)
{
    char first[32], end[32], range[80], frames[64], said[160];
    const FvCheckInfo *info = fv_check_info(event->check);
    const int64_t all = fv_session_frames(session);
    const bool whole = event->last - event->first + 1 == all && all > 1;
    print_time(first, sizeof first, event->time);
    print_time(end, sizeof end, event->time + event->duration);
    snprintf(range, sizeof range, "%s to %s", first, end);
    if (event->first == event->last)
        snprintf(frames, sizeof frames, "frame %" PRId64, event->first);
    else
        snprintf(frames, sizeof frames, "frames %" PRId64 " to %" PRId64, event->first, event->last);
    remark(said, sizeof said, session, event);
    const int left = style->columns >= 100 ? 6 + 15 + 25 + 24 : 6 + 15 + 25;
    char cut[160];
    line_cut(cut, sizeof cut, said, style->columns - left > 8 ? style->columns - left : 8);
    fprintf(file, "%s%-4s%s  %-13s  %-23s", event->severity == FV_SEVERITY_FAIL ? style->alarm : "",
            fv_severity_name(event->severity), event->severity == FV_SEVERITY_FAIL ? style->none : "", info->title,
            whole ? "whole clip" : range);
    if (style->columns >= 100)
        fprintf(file, *cut ? "  %-22s" : "  %s", whole ? "" : frames);
    fprintf(file, *cut ? "  %s\n" : "%s\n", cut);
}

static void print_events(FILE *file, const Style *style, FvSession *session, int check, bool details)
{
    int shown = 0, all = 0;
    for (int i = 0; i < fv_session_check_events(session); i++) {
        const FvCheckEvent *event = fv_session_check_event(session, i);
        if (event->check != check || event->side != FV_DISTORTED)
            continue;
        all++;
        if (details || shown < EVENTS) {
            print_event(file, style, session, event);
            shown++;
        }
    }
    if (all > shown)
        fprintf(file, "      %s: and %d more\n", fv_check_info(check)->title, all - shown);
}

/* Prints the checks that found no event, and those that were not made. */
static void print_rest(FILE *file, const Style *style, FvSession *session)
{
    char passed[512] = "";
    for (int i = 0; i < fv_check_count(); i++) {
        FvCheckResult result;
        if (fv_session_check(session, i, &result) && !strcmp(result.verdict, "pass"))
            snprintf(passed + strlen(passed), sizeof passed - strlen(passed), "%s%s", *passed ? ", " : "",
                     fv_check_info(i)->title);
    }
    if (*passed)
        line_wrap(file, style, 6, "pass  ", passed);
    for (int i = 0; i < fv_check_count(); i++) {
        FvCheckResult result;
        if (fv_session_check(session, i, &result) && result.reason && strcmp(result.reason, "not asked for"))
            fprintf(file, "skip  %-13s  %s\n", fv_check_info(i)->title, result.reason);
    }
}

static double pooled(const FvSession *session, const char *name, FvPool pool)
{
    const int output = fv_session_find_output(session, name);
    return output < 0 ? NAN : pick_value(session, output, pool);
}

/* Prints statements of the file that its pictures contradict. */
static void print_facts(FILE *file, const FvSession *session)
{
    const FvFormat *format = fv_session_format(session, FV_DISTORTED);
    FvSourceInfo info = {.mastering = NULL};
    const double most = pooled(session, "max_cll", FV_POOL_MAX);
    const double outside = pooled(session, "y_below", FV_POOL_MAX) + pooled(session, "y_above", FV_POOL_MAX);
    if (most <= 203)
        fprintf(file, "fact  Tagged HDR     nothing is brighter than %.0f cd/m2, white of SDR in HDR is 203\n", most);
    const char *stated =
        fv_session_input(session, FV_DISTORTED, &info) && info.mastering ? strstr(info.mastering, "MaxCLL ") : NULL;
    const long level = stated ? strtol(stated + 7, NULL, 10) : 0;
    if (level > 0 && most > 0 && fabs(most - (double)level) > (double)level / 10)
        fprintf(file, "fact  MaxCLL         the file states %ld cd/m2, measured are %.0f\n", level, most);
    if (format->range != FV_RANGE_FULL && outside > 0.05)
        fprintf(file,
                "fact  Range          up to %.0f %% of a picture lies outside limited range: it may be full range\n",
                100 * outside);
}

static void print_numbers(FILE *file, const FvSession *session)
{
    const double si = pooled(session, "si", FV_POOL_MEAN), ti = pooled(session, "ti", FV_POOL_MEAN);
    const double least = pooled(session, "y_min", FV_POOL_MIN), most = pooled(session, "y_max", FV_POOL_MAX);
    const double high = pooled(session, "y_high", FV_POOL_MEAN), cambi = pooled(session, "cambi", FV_POOL_MEAN);
    const double noise = pooled(session, "noise", FV_POOL_MEAN),
                 blocks = pooled(session, "blockiness_h", FV_POOL_MEAN);
    char text[512] = "";
#define ADD(...) snprintf(text + strlen(text), sizeof text - strlen(text), __VA_ARGS__)
    if (!isnan(si))
        ADD("SI %.1f", si);
    if (!isnan(ti))
        ADD(", TI %.1f", ti);
    if (!isnan(least))
        ADD("%sluma %.0f to %.0f, %.1f %% at white or above", *text ? "; " : "", least, most, 100 * high);
    if (!isnan(cambi))
        ADD("%sbanding %.2f", *text ? "; " : "", cambi);
    if (!isnan(blocks))
        ADD("%sblockiness %.2f", *text ? "; " : "", blocks);
    if (!isnan(noise))
        ADD(", noise %.1f codes", noise);
    if (!isnan(pooled(session, "max_cll", FV_POOL_MAX)))
        ADD("; MaxCLL %.0f, MaxFALL %.0f cd/m2", pooled(session, "max_cll", FV_POOL_MAX),
            pooled(session, "max_fall", FV_POOL_MAX));
#undef ADD
    if (*text)
        fprintf(file, "\n%s\n", text);
}

static const char *name_of(const char *path)
{
    return strcmp(path, "-") ? fv_base_name(path) : "standard input";
}

/* Prints the verdict and what it is based on, or with --quiet the verdict alone. */
static FvStatus print_check(FILE *file, const Options *options, FvSession *session)
{
    const Style style = style_of_output();
    const FvFormat *format = fv_session_format(session, FV_DISTORTED);
    const FvClipVerdict *verdict;
    FvError error = {0};
    if (report_error_if(fv_session_judge(session, &verdict, &error), &error))
        return error.status;
    char length[32], name[256];
    print_time(length, sizeof length, fv_word_length(session, 1));
    snprintf(name, sizeof name, "%s", name_of(options->distorted));
    fprintf(file, "%s%s: %s%s\n", table_look(&style, session, verdict), style_clean(name), verdict->sentence,
            style.none);
    if (options->quiet && !options->details)
        return FV_OK;
    fprintf(file, "%s%dx%d", style.dim, format->width, format->height);
    if (format->rate_den)
        fprintf(file, ", %.5g fps", (double)format->rate_num / format->rate_den);
    fprintf(file, ", %" PRId64 " frame%s, %s%s\n\n", fv_session_frames(session),
            fv_session_frames(session) == 1 ? "" : "s", length, style.none);
    for (int severity = FV_SEVERITY_FAIL; severity >= FV_SEVERITY_INFO; severity--)
        for (int i = 0; i < fv_check_count(); i++) {
            FvCheckResult result;
            if (fv_session_check(session, i, &result) &&
                !strcmp(result.verdict, fv_severity_name((FvSeverity)severity)))
                print_events(file, &style, session, i, options->details);
        }
    print_facts(file, session);
    print_rest(file, &style, session);
    print_numbers(file, session);
    FvCheckResult flash;
    const bool flashes = fv_session_check(session, fv_check_find("flash"), &flash) && !flash.reason;
    if (flashes || !options->details)
        fprintf(file, "\n%s%s%s\n", flashes ? "A flash check is no certificate." : "",
                flashes && !options->details ? " " : "", options->details ? "" : "--details lists every event.");
    return FV_OK;
}

/* ---- One video ------------------------------------------------------------------------------------------------ */

static FvStatus intend(Job *job, const Choice *choice)
{
    FvError error = {0};
    FvStatus status = fv_session_intend(job_scored(job), choice->expected, &error);
    if (!status)
        status = fv_session_choose_checks(job_scored(job), choice->checks, &error);
    return report_error_if(status, &error);
}

/* Writes the verdict, and the checks that found something, as members of the object that answers a job. */
static FvStatus write_answer(FvJson *json, FvSession *session)
{
    const FvClipVerdict *verdict;
    FvError error = {0};
    if (report_error_if(fv_session_judge(session, &verdict, &error), &error))
        return error.status;
    if (fv_session_partial(session))
        fv_json_bool(json, "partial", true);
    fv_json_int(json, "frames", fv_session_frames(session));
    fv_json_text(json, "verdict", fv_session_check_verdict(session));
    fv_json_text(json, "sentence", verdict->sentence);
    fv_json_open(json, "checks", '{');
    for (int i = 0; i < fv_check_count(); i++) {
        FvCheckResult result;
        if (!fv_session_check(session, i, &result) || !result.events)
            continue;
        fv_json_open(json, fv_check_info(i)->name, '{');
        fv_json_text(json, "verdict", result.verdict);
        fv_json_int(json, "events", result.events);
        fv_json_int(json, "frames", result.frames);
        fv_json_close(json);
    }
    fv_json_close(json);
    return FV_OK;
}

static int finish_check(Job *job, const Choice *choice, FvStatus scored, FvJson *answer)
{
    const Options *options = job->options;
    FvStatus shown, status = intend(job, choice), written = status;
    if (status == FV_OK)
        written = job_report(job, scored == FV_OK, &shown);
    if (written != FV_OK)
        return written;
    if (scored == FV_OK)
        resume_finish(&job->shards);
    const bool prints = !answer && !reports_take_output(options);
    if (answer)
        status = write_answer(answer, job_scored(job));
    else if (prints)
        status = print_check(stdout, options, job_scored(job));
    if (status != FV_OK)
        return status;
    const bool told = prints && message_shares_terminal();
    const bool sound = event_gates_pass(&choice->gates, job_scored(job), name_of(options->distorted), told);
    const bool good = scored != FV_OK || gates_pass(&job->gates, job_scored(job), prints);
    return sound && good ? (int)scored : EXIT_GATE;
}

/* Returns whether CAMBI accepts frames of this format: it needs a minimum size and a display that it knows. */
static bool takes_banding(const FvFormat *format)
{
    FvSession *trial = NULL;
    const FvSessionParams params = {.device = "cpu", .threads = 1};
    const bool takes = !fv_session_open(&trial, &params, NULL) && !fv_session_add(trial, BANDING, NULL) &&
                       !fv_session_start(trial, NULL, format, NULL);
    fv_session_close(&trial);
    return takes;
}

/* Opens the video with the chosen metrics. Adds banding if it is defined for the video. */
static int open_video(Job *job, Options *options, ArgList *list, const Choice *choice)
{
    const int banding = metric_named(BANDING, strlen(BANDING));
    FvError error = {0};
    int status = list_metrics(list, choice, options) ? job_check(options) : FV_ERROR_MEMORY;
    bool listed = !choice->metric[banding];
    job->options = options;
    options->metrics = *list;
    if (status == FV_OK)
        status = job_open(job);
    job->gates.events = &choice->gates;
    for (int i = 0; i < list->count; i++)
        listed |= metric_named(list->items[i], strcspn(list->items[i], "=")) == banding;
    if (status != FV_OK || listed || !takes_banding(&fv_source_info(job->opened.source[1])->format))
        return status;
    return report_error_if(fv_session_add(job->opened.session, BANDING, &error), &error);
}

/* Checks the options, and chooses checks and metrics. On failure, prints a message and returns its status. */
static FvStatus choose(Choice *choice, const Options *options, bool fails_given)
{
    *choice = (Choice){.checks = ""};
    FvStatus status = choose_checks(choice, options);
    if (status == FV_OK)
        status = choose_gates(choice, options, fails_given);
    if (status == FV_OK && options->run.score.subsample > 1)
        status = report_error(FV_ERROR_USAGE, "a check looks at every frame: leave out --every (--subsample)");
    if (status == FV_OK && options->run.score.fields)
        status = report_error(FV_ERROR_USAGE, "a check looks at whole frames: leave out --fields");
    return status;
}

/* `answer` NULL: prints lines instead. */
static int check_one(const Options *given, const char *video, Choice choice, FvJson *answer, FvStatus *output)
{
    ProgressStyle style = answer ? PROGRESS_NONE : progress_style(given->progress, given->quiet);
    Options options = *given;
    Job job = {.options = &options, .log = message_log, .show = job_show, .opaque = &style};
    ArgList list = {0};
    FvError error = {0};
    options.distorted = video;
    options.events_csv = true;
    int status = open_video(&job, &options, &list, &choice);
    if (status == FV_OK) {
        const FvStatus scored = job_score(&job, &error);
        progress_finish(style);
        if (job.gate_status == FV_OK)
            report_error_if(scored, &error);
        status = job.gate_status != FV_OK              ? (int)job.gate_status
                 : fv_session_frames(job_scored(&job)) ? finish_check(&job, &choice, scored, answer)
                                                       : (int)scored;
    }
    if (answer)
        *output = job_check_output(&job);
    job_close(&job);
    free(list.items);
    return status;
}

static int check_videos(const Options *options, bool fails_given)
{
    Choice choice;
    int status = choose(&choice, options, fails_given), worst = EXIT_OK;
    if (status == FV_OK && !options->encodes.count)
        status = report_error(FV_FAIL_MISSING_VIDEO, "the video is missing: fovea check VIDEO");
    ArgList videos = {0};
    const FvCancel *cancel = stop_on_signals();
    if (status == FV_OK && !cancel)
        status = FV_ERROR_MEMORY;
    if (status == FV_OK)
        status = encodes_list(&videos, &options->encodes);
    if (status == FV_OK && videos.count > 1 && options->outputs.count)
        status = report_error(FV_ERROR_USAGE,
                              "several videos would replace the report %s of one another: check them one by one",
                              options->outputs.items[0]);
    for (int i = 0; i < videos.count && status == FV_OK; i++) {
        if (i && !options->quiet)
            putchar('\n');
        const int found = check_one(options, videos.items[i], choice, NULL, NULL);
        fflush(stdout);
        worst = found == EXIT_GATE || worst == EXIT_OK ? found : worst;
        if (fv_cancel_requested(cancel)) /* a damaged video is partial as well, and the next one is checked */
            break;
    }
    encodes_free(&videos);
    return status == FV_OK ? worst : status;
}

/* Copies options and adds their profile. On failure, prints a message and returns its status. */
static FvStatus add_profile(Options *own, FvDocument *profile, const Options *options)
{
    return args_copy(&command_check, own, options) ? check_profile_apply(own, profile) : FV_ERROR_MEMORY;
}

static int check_job(const Options *options, FvJson *answer, FvStatus *output)
{
    Choice choice;
    Options own;
    FvDocument profile = {.text = NULL};
    int status = add_profile(&own, &profile, options);
    if (status == FV_OK)
        status = choose(&choice, &own, options->fail_on != NULL);
    if (status == FV_OK)
        status = check_one(&own, own.distorted, choice, answer, output);
    args_free(&command_check, &own, &(ArgList){0});
    fv_document_close(&profile);
    return status;
}

static int list_checks(void)
{
    for (int i = 0; i < fv_check_count(); i++) {
        const FvCheckInfo *info = fv_check_info(i);
        printf("%s | %s | %s | %s | %s\n", info->name, info->metric, fv_severity_name(info->severity), info->rule,
               info->source);
    }
    return EXIT_OK;
}

static int run(const void *values, const ArgList *words)
{
    const Options *options = values;
    if (options->list)
        return list_checks();
    if (options->batch)
        return batch_run(&command_check, options, check_job);
    Options own;
    FvDocument profile = {.text = NULL};
    int status = add_profile(&own, &profile, options);
    if (status == FV_OK)
        status = check_videos(&own, options->fail_on != NULL);
    args_free(&command_check, &own, &(ArgList){0});
    fv_document_close(&profile);
    return status;
}

const Command command_check = {
    .name = "check",
    .summary = "look for faults in videos, one by one",
    .synopsis = "VIDEO... [OPTION]...",
    .description =
        "Measures a video exactly and says what is wrong with it: black, frozen and repeated frames, cadence, bars, "
        "illegal levels, light above the metadata, flashes, fields, telecine, combing. Prints a line for each event, "
        "statements of the file that the pictures contradict, and levels.\n"
        "Flash results are a pre-check: they certify nothing.\n"
        "Exits with 1 if a check in --fail-on has an event, or a gate fails. With a reference (-r), events that only "
        "the video has are marked as new.",
    .example = "fovea check film.mov\n"
               "fovea check film.mov -o film.json -o film.html --fail-on warn\n"
               "fovea check film.mov --only black,freeze --metric freeze=time=1\n"
               "fovea check encode.mp4 -r master.mov --expect black,bars\n"
               "fovea check master.mov --profile pq\n"
               "fovea check --batch jobs.ndjson --fail-on warn",
    .refusal = "name the videos: fovea check VIDEO...",
    OPTIONS_OF(FOR_SCORE | FOR_CHECK),
    .run = run,
};
