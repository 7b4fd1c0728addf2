#include "result/table.h"

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
#define SHOWN 5 /* scores of parts */

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

/* " (0:01:02.480)", of a frame of the distorted video. */
static void format_time(char *text, size_t size, const FvFormat *format, int64_t frame)
{
    const double seconds = (double)frame * format->rate_den / format->rate_num;
    const int64_t minutes = (int64_t)(seconds / 60);
    snprintf(text, size, " (%" PRId64 ":%02" PRId64 ":%06.3f)", minutes / 60, minutes % 60,
             seconds - 60. * (double)minutes);
}

/* The frames with the worst values of an output, the worst first; of equals the first. */
static void print_worst(FILE *file, const FvSession *session, int output, const TableVideo *video)
{
    int64_t worst[WORST];
    const int count = fv_session_worst(session, output, 1, worst, WORST);
    fprintf(file, "Worst frames by %s:", fv_session_output(session, output)->name);
    for (int i = 0; i < count; i++) {
        const int64_t number = fv_session_frame_number(session, worst[i]);
        char time[64] = "";
        if (video->format.rate_den)
            format_time(time, sizeof time, &video->format, number + video->first);
        fprintf(file, "%s %" PRId64 "%s %.6f", i ? "," : "", number, time,
                fv_session_value(session, worst[i], output) + 0.0);
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
    for (int m = 0, metric; m < fv_session_metrics(session); m++)
        for (int i = 0; i < fv_session_outputs(session); i++)
            if (fv_session_output_origin(session, i, &metric) && metric == m &&
                !fv_session_output(session, i)->sequence &&
                fv_session_output(session, i)->better != FV_NEITHER_IS_BETTER) {
                print_worst(file, session, i, video);
                break;
            }
    for (int i = 0; i < fv_session_outputs(session); i++)
        print_ceiling(file, session, i);
}

/* The means of each part, one score a column, as far as they fit a line. */
static void print_parts(FILE *file, const FvSession *session, FvPartKind kind, const TableVideo *video)
{
    FvPart part = {0};
    int shown[SHOWN], count = 0;
    for (int i = 0; i < fv_session_outputs(session) && count < SHOWN; i++)
        if (!fv_session_output(session, i)->sequence)
            shown[count++] = i;
    while (fv_session_next_part(session, kind, &part)) {
        if (!part.first) {
            fprintf(file, "Means of %s\n%-28s  frames", kind == FV_PARTS_SCENES ? "scenes" : "intervals",
                    "from frame");
            for (int i = 0; i < count; i++)
                fprintf(file, "  %*s", CELL, fv_session_output(session, shown[i])->name);
            fputc('\n', file);
        }
        char from[96], time[64] = "";
        if (video->format.rate_den)
            format_time(time, sizeof time, &video->format, part.frame + video->first);
        snprintf(from, sizeof from, "%" PRId64 "%s", part.frame, time);
        fprintf(file, "%-28s  %6" PRId64, from, part.count);
        for (int i = 0; i < count; i++)
            print_value(file, fv_session_pool_part(session, shown[i], FV_POOL_MEAN, &part));
        fputc('\n', file);
    }
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
    print_parts(file, session, FV_PARTS_INTERVALS, video);
    print_parts(file, session, FV_PARTS_SCENES, video);
    for (int i = 0; i < fv_session_decisions(session); i++)
        fprintf(file, "Note: %s\n", fv_session_decision(session, i));
}
