/* Writes one row per frame, as in RFC 4180 but with line ends of Unix. */
#include <inttypes.h>

#include "csv.h"
#include "report/report.h"
#include "report/value.h"

/* Prints a comment on one line, even if a file name contains line ends. */
static void print_comment(FILE *file, const char *text)
{
    fputs("# partial: ", file);
    for (; *text; text++)
        fputc((unsigned char)*text < ' ' ? ' ' : *text, file);
    fputc('\n', file);
}

static const FvPartKind kinds[] = {FV_PARTS_INTERVALS, FV_PARTS_SCENES};

/*
 * Writes one column for each kind of part (interval, scene): the number of the first frame of the part that has the
 * frame.
 */
static void write_parts(FILE *file, const FvSession *session, int64_t frame, FvPart part[2])
{
    for (int k = 0; k < 2; k++) {
        if (!(kinds[k] == FV_PARTS_SCENES ? fv_session_params(session)->scenes
                                          : fv_session_params(session)->interval))
            continue;
        while (frame >= part[k].first + part[k].count && fv_session_next_part(session, kinds[k], &part[k]))
            ;
        fprintf(file, ",%" PRId64, part[k].frame);
    }
}

static void write_rows(FILE *file, const FvSession *session, int64_t first, int64_t end, const void *opaque)
{
    FvPart part[2] = {{0, 0, 0}, {0, 0, 0}};
    const FvClipVerdict *verdict = fv_session_judged(session);
    const bool timed = !isnan(fv_session_time(session, 0));
    for (int64_t i = first; i < end; i++) {
        const int64_t number = fv_session_frame_number(session, i);
        fprintf(file, "%" PRId64, number);
        if (timed)
            fprintf(file, ",%.6f", fv_session_time(session, number));
        char timecode[FV_TIMECODE_TEXT];
        if (fv_session_timecode(session, number, timecode))
            fprintf(file, ",%s", timecode);
        int64_t bytes;
        bool key;
        if (fv_session_packet(session, i, &bytes, &key))
            fprintf(file, ",%" PRId64 ",%d", bytes, key);
        write_parts(file, session, i, part);
        for (int c = 0; c < fv_session_outputs(session); c++)
            if (!fv_session_output(session, c)->sequence) {
                fputc(',', file);
                fv_print_value(file, fv_session_value(session, i, c));
            }
        FvVerdict word = {.level = 0};
        if (verdict->output >= 0)
            fv_session_verdict(session, verdict->output, fv_session_value(session, i, verdict->output), &word);
        if (word.level)
            fprintf(file, ",%d\n", verdict->level - word.level);
        else
            fputs(",\n", file);
    }
}

void fv_report_csv(FILE *file, const FvSession *session)
{
    char timecode[FV_TIMECODE_TEXT];
    fputs(!isnan(fv_session_time(session, 0)) ? "Frame,Time" : "Frame", file);
    fputs(fv_session_timecode(session, 0, timecode) ? ",Timecode" : "", file);
    fputs(fv_session_packet(session, 0, NULL, NULL) ? ",Bytes,Key" : "", file);
    fputs(fv_session_params(session)->interval ? ",Interval" : "", file);
    fputs(fv_session_params(session)->scenes ? ",Scene" : "", file);
    for (int c = 0; c < fv_session_outputs(session); c++)
        if (!fv_session_output(session, c)->sequence) {
            fputc(',', file);
            fv_csv_text(
                file,
                fv_session_output(session, c)->name); /* the name contains values of options, which may be any text */
        }
    fputs(",Low\n", file);
    if (fv_session_params(session)->interval || fv_session_params(session)->scenes)
        write_rows(file, session, 0, fv_session_frames(session), NULL); /* parts follow from those before */
    else
        fv_report_frames(file, session, write_rows, NULL);
    fv_report_csv_end(file, session);
}

void fv_report_csv_end(FILE *file, const FvSession *session)
{
    const char *partial = fv_session_partial(session);
    if (partial)
        print_comment(file, partial);
}
