#include "table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct Column {
    const char *title;
    FvPool pool;
} Column;

static const Column columns[] = {
    {"mean", FV_POOL_MEAN}, {"min", FV_POOL_MIN},       {"max", FV_POOL_MAX},
    {"p5", FV_POOL_P5},     {"median", FV_POOL_MEDIAN}, {"harmonic mean", FV_POOL_HARMONIC_MEAN},
};
#define COLUMNS ((int)(sizeof columns / sizeof *columns))
#define CELL 13 /* characters of a number */
#define WORST 3 /* frames that are named */

static int name_width(const FvSession *session)
{
    int width = (int)strlen("metric");
    for (int i = 0; i < fv_session_outputs(session); i++) {
        int length = (int)strlen(fv_session_output(session, i)->name);
        width = length > width ? length : width;
    }
    return width;
}

/* Six decimals; the sign of a zero, or of a value that is not a number, means nothing here. */
static void print_value(FILE *file, double value)
{
    if (value != value)
        fprintf(file, "  %*s", CELL, "nan");
    else
        fprintf(file, "  %*.6f", CELL, value + 0.0);
}

/* "0:01:02.480", of a frame of the distorted video. */
static void print_time(FILE *file, const FvFormat *format, int64_t frame)
{
    const double seconds = (double)frame * format->rate_den / format->rate_num;
    const int64_t minutes = (int64_t)(seconds / 60);
    fprintf(file, " (%" PRId64 ":%02" PRId64 ":%06.3f)", minutes / 60, minutes % 60, seconds - 60. * (double)minutes);
}

/* The frames with the worst values of an output, the worst first; of equals the first. */
static void print_worst(FILE *file, const FvSession *session, int output, const TableVideo *video)
{
    int64_t worst[WORST];
    const int count = fv_session_worst(session, output, 1, worst, WORST);
    fprintf(file, "Worst frames by %s:", fv_session_output(session, output)->name);
    for (int i = 0; i < count; i++) {
        const int64_t number = fv_session_frame_number(session, worst[i]);
        fprintf(file, "%s %" PRId64, i ? "," : "", number);
        if (video->format.rate_den)
            print_time(file, &video->format, number + video->first);
        fprintf(file, " %.6f", fv_session_value(session, worst[i], output) + 0.0);
    }
    fputc('\n', file);
}

/* Where scores end: more than that they cannot say. */
static void print_ceiling(FILE *file, const FvSession *session, int output)
{
    const FvOutputInfo *info = fv_session_output(session, output);
    int64_t frames = fv_session_frames(session), count = 0;
    if (info->sequence || !info->unit || strcmp(info->unit, "dB") || !isfinite(info->maximum))
        return;
    for (int64_t i = 0; i < frames; i++)
        count += fv_session_value(session, i, output) >= info->maximum;
    if (count)
        fprintf(file, "Note: %s is at its ceiling of %g dB in %" PRId64 " of %" PRId64 " frames\n", info->name,
                info->maximum, count, frames);
}

/* By the first score of each metric, which its others go with. */
static void print_frames(FILE *file, const FvSession *session, const TableVideo *video)
{
    int behind = 0; /* outputs stand in the order of their metrics, one of which may be there twice */
    for (int m = 0; m < fv_session_metrics(session); m++) {
        const FvMetricInfo *metric = fv_session_metric(session, m);
        bool found = false;
        for (int k = 0; k < metric->output_count && !found; k++)
            for (int i = behind; i < fv_session_outputs(session) && !found; i++) {
                const FvOutputInfo *output = fv_session_output(session, i);
                if (output->sequence || strcmp(output->name, metric->outputs[k].name))
                    continue;
                print_worst(file, session, i, video);
                found = true;
                behind = i + 1;
            }
    }
    for (int i = 0; i < fv_session_outputs(session); i++)
        print_ceiling(file, session, i);
}

void table_print(FILE *file, const FvSession *session, const TableVideo *video)
{
    int width = name_width(session);
    fprintf(file, "%-*s", width, "metric");
    for (int c = 0; c < COLUMNS; c++)
        fprintf(file, "  %*s", CELL, columns[c].title);
    fputc('\n', file);
    for (int i = 0; i < fv_session_outputs(session); i++) {
        const FvOutputInfo *output = fv_session_output(session, i);
        fprintf(file, "%-*s", width, output->name);
        if (output->sequence) {
            print_value(file, fv_session_value(session, 0, i));
            fputs("  (of the whole clip)", file);
        } else
            for (int c = 0; c < COLUMNS; c++)
                print_value(file, fv_session_pool(session, i, columns[c].pool));
        fputc('\n', file);
    }
    fprintf(file, "%" PRId64 " frame%s\n", fv_session_frames(session), fv_session_frames(session) == 1 ? "" : "s");
    if (fv_session_frames(session) > 1)
        print_frames(file, session, video);
    for (int i = 0; i < fv_session_decisions(session); i++)
        fprintf(file, "Note: %s\n", fv_session_decision(session, i));
}
