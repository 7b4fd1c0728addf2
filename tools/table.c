#include "table.h"

#include <inttypes.h>
#include <string.h>

typedef struct Column {
    const char *title;
    FvPool pool;
} Column;

static const Column columns[] = {
    {"mean", FV_POOL_MEAN},
    {"min", FV_POOL_MIN},
    {"max", FV_POOL_MAX},
    {"p5", FV_POOL_P5},
    {"harmonic mean", FV_POOL_HARMONIC_MEAN},
};
#define COLUMNS ((int)(sizeof columns / sizeof *columns))
#define CELL 13 /* characters of a number */

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

void table_print(FILE *file, const FvSession *session)
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
    for (int i = 0; i < fv_session_decisions(session); i++)
        fprintf(file, "Note: %s\n", fv_session_decision(session, i));
}
