#include "bd/points_reports.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "json_read.h"
#include "path_names.h"
#include "report/written.h"
#include "table/pooled_score.h"

#define NO_REPORT " (all files of a side are reports: move this one away, or name the others by a pattern)"
#define NO_RATE "write a table of values, with 'bitrate,vmaf' in its first line"

__attribute__((format(printf, 1, 2))) static char *in_words(const char *format, ...)
{
    va_list list;
    char *text;
    va_start(list, format);
    const int printed = vasprintf(&text, format, list);
    va_end(list);
    return printed < 0 ? NULL : text;
}

/* States the reference by its file name only, because its folder may differ if another machine scored. */
static FvStatus state_reference(Points *points, const char *file, const char *path)
{
    return path ? points_state(points, &points->fact[FACT_REFERENCE], file,
                               in_words("the reference %s", fv_base_name(path)))
                : FV_OK;
}

static FvStatus state_frames(Points *points, const char *file, int64_t frames)
{
    return points_state(points, &points->fact[FACT_FRAMES], file, in_words("%" PRId64 " frames", frames));
}

/* ---- A report of many encodes ---------------------------------------------------------------------------------- */

static FvStatus take_encode(Points *points, const FvNode *root, const FvNode *encode)
{
    const FvNode *scores = fv_node_member(encode, "scores"), *rate = fv_node_member(encode, "bit_rate");
    const FvNode *frames = fv_node_member(encode, "frames");
    const char *path = fv_member_text(encode, "path");
    const char *reference = fv_member_text(encode, "reference");
    double quality[POINTS_SCORES];
    char size[64];
    FvStatus status = FV_OK;
    path = path ? path : "an encode";
    if (!fv_node_is(scores, FV_NODE_OBJECT) || fv_node_is(fv_node_member(encode, "partial"), FV_NODE_TRUE)) {
        warn("%s: %s was not scored whole, and is left out", points->path, path);
        return FV_OK;
    }
    if (!fv_node_is_number(rate))
        return report_error(FV_ERROR_INPUT, "%s: the bit rate of %s is not known: " NO_RATE, points->path, path);
    status = state_reference(points, path, reference ? reference : fv_member_text(root, "reference"));
    if (!status && fv_node_is_number(frames))
        status = state_frames(points, path, fv_node_integer(frames));
    for (uint32_t i = 0; i < scores->count && !points->count && !status; i++)
        status = points_add_score(points, scores->items[i].key);
    for (int i = 0; i < points->score_count; i++)
        quality[i] = fv_node_real(fv_node_member(fv_node_member(scores, points->score[i]), "mean"));
    snprintf(size, sizeof size, "%" PRId64 "x%" PRId64, fv_node_integer(fv_node_member(encode, "width")),
             fv_node_integer(fv_node_member(encode, "height")));
    return status ? status : points_add(points, fv_node_number(rate) / 1000, size, quality);
}

FvStatus points_read_encodes(Points *points, const char *text)
{
    FvError error = {0};
    FvDocument document;
    FvStatus status = report_error_if(fv_document_open(&document, points->path, text, strlen(text), &error), &error);
    const FvNode *encodes = status ? NULL : fv_node_member(&document.root, "encodes");
    points->report = points->resolutions = true;
    points->witness = points->path;
    if (!status && !fv_node_items(encodes))
        status = report_error(
            FV_ERROR_INPUT,
            "%s is not a report of many encodes; write one with 'fovea score REF A B C D -o %s', or name a "
            "folder of reports of one encode each",
            points->path, points->path);
    for (size_t i = 0; i < fv_node_items(encodes) && !status; i++)
        status = take_encode(points, &document.root, fv_node_item(encodes, i));
    if (!status && !points->count)
        status = report_error(FV_ERROR_INPUT, "%s has no encode that was scored whole", points->path);
    fv_document_close(&document);
    return status;
}

/* ---- Reports of one encode ------------------------------------------------------------------------------------- */

static FvStatus state_facts(Points *points, const char *file, const Written *report)
{
    const FvSession *session = report->session;
    const FvFormat *scored = fv_session_format(session, FV_REFERENCE);
    const FvNode *scoring = fv_node_member(&report->document.root, "scoring");
    const int64_t frames = fv_session_frames(session);
    FvSourceInfo info;
    FvStatus status = state_frames(points, file, frames);
    if (!status && fv_session_input(session, FV_REFERENCE, &info))
        status = state_reference(points, file, info.path);
    if (!status)
        status = points_state(points, &points->fact[FACT_NUMERICS], file,
                              in_words("numerics version %" PRId64,
                                       fv_node_integer(fv_node_member(&report->document.root, "numerics_version"))));
    if (!status && frames)
        status =
            points_state(points, &points->fact[FACT_NUMBERS], file,
                         in_words("frames %" PRId64 " to %" PRId64 " after --start %g and --frame-skip-ref %" PRId64,
                                  fv_session_frame_number(session, 0), fv_session_frame_number(session, frames - 1),
                                  fv_node_number(fv_node_member(scoring, "start")),
                                  fv_node_integer(fv_node_member(scoring, "skip_reference"))));
    scored = scored ? scored : fv_session_format(session, FV_DISTORTED);
    if (!status)
        status =
            points_state(points, &points->fact[FACT_PICTURES], file,
                         in_words("pictures of %dx%d with %d bits", scored->width, scored->height, scored->depth));
    return status;
}

static char *metric_of(const FvSession *session, int output)
{
    char text[8192];
    FvError error;
    int metric;
    fv_session_output_origin(session, output, &metric);
    return in_words("scores of %s", fv_session_metric_text(session, metric, text, sizeof text, &error)
                                        ? fv_session_metric(session, metric)->name
                                        : text);
}

/* Reads the scores of a report, which must be those of the first report. */
static FvStatus take_scores(Points *points, const char *file, const FvSession *session, double *quality)
{
    static const char lacks[] = "%s lacks the score '%s' of %s: leave one out, or score both alike";
    const int outputs = fv_session_outputs(session);
    FvStatus status = FV_OK;
    for (int i = 0; i < outputs && !status; i++) {
        const char *name = fv_session_output(session, i)->name;
        if (!points->count)
            status = points_add_score(points, name);
        else if (points_find(points, name) < 0)
            status = report_error(FV_ERROR_INPUT, lacks, points->witness, name, file);
    }
    for (int i = 0; i < points->score_count && !status; i++) {
        const int output = fv_session_find_output(session, points->score[i]);
        if (output < 0)
            return report_error(FV_ERROR_INPUT, lacks, file, points->score[i], points->witness);
        quality[i] = pick_value(session, output, FV_POOL_MEAN);
        status = points_state(points, &points->metric[i], file, metric_of(session, output));
    }
    return status;
}

static FvStatus take_report(Points *points, const char *file, const Written *report)
{
    const FvSession *session = report->session;
    const double rate = fv_session_bit_rate(session, FV_DISTORTED);
    double quality[POINTS_SCORES];
    char size[64] = "";
    FvSourceInfo info;
    if (fv_session_partial(session)) {
        warn("%s was not scored whole, and is left out", file);
        return FV_OK;
    }
    if (isnan(rate))
        return report_error(FV_ERROR_INPUT, "%s has no bit rate (raw video has none); " NO_RATE, file);
    if (fv_session_input(session, FV_DISTORTED, &info))
        snprintf(size, sizeof size, "%dx%d", info.format.width, info.format.height);
    FvStatus status = state_facts(points, file, report);
    if (!status)
        status = take_scores(points, file, session, quality);
    return status ? status : points_add(points, rate / 1000, size, quality);
}

/* Refuses two equal rates, which most likely are one encode that was scored twice. */
static FvStatus check_rates(const Points *points, const char *const *file)
{
    const Point *last = &points->point[points->count - 1];
    for (int i = 0; i < points->count - 1; i++)
        if (points->point[i].rate == last->rate && points->point[i].resolution == last->resolution)
            return report_error(FV_ERROR_INPUT, "%s and %s have the same bit rate, %g kbit/s: leave one of them out",
                                file[i], file[points->count - 1], last->rate);
    return FV_OK;
}

FvStatus points_read_reports(Points *points)
{
    const char **file = calloc((size_t)points->files.count + 1, sizeof *file); /* the file of each point */
    FvStatus status = file ? FV_OK : report_error(FV_ERROR_MEMORY, "out of memory while reading %s", points->path);
    points->report = points->resolutions = true;
    for (int i = 0; i < points->files.count && !status; i++) {
        const int before = points->count;
        Written report = {.session = NULL};
        file[before] = points->files.items[i];
        status = written_open(&report, points->files.items[i], NO_REPORT);
        if (!status)
            status = take_report(points, points->files.items[i], &report);
        if (!status && points->count > before)
            status = check_rates(points, file);
        written_close(&report);
    }
    free(file);
    if (!status && !points->count)
        status = report_error(FV_ERROR_INPUT, "%s has no encode that was scored whole", points->path);
    return status;
}
