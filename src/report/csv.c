/* One row a frame; RFC 4180 but for the line ends, which are those of Unix. */
#include <inttypes.h>
#include <string.h>

#include "report/report.h"
#include "report/value.h"

/* Names hold values of options, which may be anything. */
static void write_name(FILE *file, const char *name)
{
    bool plain = !strpbrk(name, ",\"\n\r");
    fputs(plain ? "," : ",\"", file);
    for (; *name; name++)
        fprintf(file, !plain && *name == '"' ? "\"\"" : "%c", *name);
    fputs(plain ? "" : "\"", file);
}

/* On one line, whatever a file's name brings along. */
static void print_comment(FILE *file, const char *text)
{
    fputs("# partial: ", file);
    for (; *text; text++)
        fputc((unsigned char)*text < ' ' ? ' ' : *text, file);
    fputc('\n', file);
}

void fv_report_csv(FILE *file, const FvSession *session)
{
    fputs("Frame", file);
    for (int c = 0; c < session->column_count; c++)
        if (!session->columns[c].info.sequence)
            write_name(file, session->columns[c].info.name);
    fputc('\n', file);
    for (int64_t i = 0; i < session->frames; i++) {
        fprintf(file, "%" PRId64, session->number[i]);
        for (int c = 0; c < session->column_count; c++)
            if (!session->columns[c].info.sequence) {
                fputc(',', file);
                fv_print_value(file, fv_session_value(session, i, c));
            }
        fputc('\n', file);
    }
    const char *partial = fv_report_partial(session);
    if (partial)
        print_comment(file, partial);
}
