#include "bd/points_table.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "cli/message.h"
#include "table/delimited.h"

/* Returns the next line that is not a remark ('#'). NULL: the text has no further line. */
static char *next_line(Delimited *table)
{
    char *line;
    do
        line = delimited_line(table);
    while (line && *line == '#');
    return line;
}

/* The indices of the columns that are not scores, -1: missing; and the number of all columns. */
typedef struct Columns {
    int rate, resolution, count;
} Columns;

static FvStatus read_header(Points *points, char *line, Columns *columns)
{
    FvStatus status = FV_OK;
    *columns = (Columns){-1, -1, 0};
    for (char *name; !status && (name = delimited_field(&line, ',')); columns->count++) {
        int *const special = !strcmp(name, "bitrate")      ? &columns->rate
                             : !strcmp(name, "resolution") ? &columns->resolution
                                                           : NULL;
        if (special ? *special >= 0 : points_find(points, name) >= 0)
            return report_error(FV_ERROR_INPUT, "%s has two columns '%s'", points->path, name);
        if (special)
            *special = columns->count;
        else
            status = points_add_score(points, name);
    }
    points->resolutions = columns->resolution >= 0;
    if (!status && (columns->rate < 0 || !points->score_count))
        return report_error(FV_ERROR_INPUT,
                            "%s: its first line does not name a column 'bitrate' and at least one score, as in "
                            "'bitrate,vmaf'",
                            points->path);
    return status;
}

static FvStatus read_row(Points *points, const Columns *columns, int number, char *line)
{
    double values[POINTS_SCORES + 1]; /* value of each score, then the rate */
    const char *resolution = NULL;
    int column = 0, score = 0;
    for (char *value; (value = delimited_field(&line, ',')); column++) {
        if (column == columns->count)
            return report_error(FV_ERROR_INPUT,
                                "%s, line %d has more than the %d values that the first line names; write "
                                "numbers with a decimal point",
                                points->path, number, columns->count);
        if (column == columns->resolution) {
            resolution = value;
            continue;
        }
        const bool is_rate = column == columns->rate;
        double *place = &values[is_rate ? points->score_count : score++];
        const bool good = delimited_number(value, place);
        if (is_rate && !(good && *place > 0))
            return report_error(
                FV_ERROR_INPUT,
                "%s, line %d: the bitrate is '%s'; correct it to a positive number, such as 2500.5, or "
                "delete the line",
                points->path, number, value);
        if (!good && strcasecmp(value, "inf"))
            return report_error(
                FV_ERROR_INPUT,
                "%s, line %d: the %s is '%s'; correct it to a number, such as 36.5, or to inf for PSNR "
                "of equal frames, or delete the line",
                points->path, number, points->score[score - 1], value);
        *place = good ? *place : INFINITY;
    }
    if (column < columns->count)
        return report_error(FV_ERROR_INPUT, "%s, line %d has %d values, and the first line names %d", points->path,
                            number, column, columns->count);
    FvStatus status = points_add(points, values[points->score_count], resolution, values);
    if (!status)
        points->point[points->count - 1].line = number;
    return status;
}

FvStatus points_read_table(Points *points, char *text)
{
    Delimited table = delimited_open(text);
    Columns columns;
    char *line = next_line(&table);
    if (!line)
        return report_error(FV_ERROR_INPUT, "%s is empty", points->path);
    FvStatus status = read_header(points, line, &columns);
    while (!status && (line = next_line(&table)))
        status = read_row(points, &columns, table.line, line);
    if (!status && !points->count)
        return report_error(FV_ERROR_INPUT, "%s names columns and has no encodes", points->path);
    return status;
}
