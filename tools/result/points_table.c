#include "result/points_table.h"

#include <stdlib.h>
#include <string.h>

#include "cli/message.h"

/* Takes the next line that says something, without its end. NULL: there is none. */
static char *next_line(char **text, int *number)
{
    while (**text) {
        char *line = *text;
        const size_t length = strcspn(line, "\n");
        *text += length + (line[length] == '\n');
        line[length] = '\0';
        if (length && line[length - 1] == '\r')
            line[length - 1] = '\0';
        ++*number;
        if (line[strspn(line, " \t")] && *line != '#')
            return line;
    }
    return NULL;
}

/* Takes the next value of a line, without spaces and quotation marks around it. NULL behind the last. */
static char *next_value(char **line)
{
    if (!*line)
        return NULL;
    char *value = *line + strspn(*line, " \t");
    char *comma = strchr(value, ',');
    *line = comma ? comma + 1 : NULL;
    if (comma)
        *comma = '\0';
    for (size_t length = strlen(value); length && strchr(" \t", value[length - 1]);)
        value[--length] = '\0';
    const size_t length = strlen(value);
    if (length >= 2 && *value == '"' && value[length - 1] == '"') {
        value[length - 1] = '\0';
        value++;
    }
    return value;
}

/* Which columns hold something else than scores; -1: the column is missing. */
typedef struct Columns {
    int rate, resolution, count;
} Columns;

static FvStatus read_header(Points *points, char *line, Columns *columns)
{
    FvStatus status = FV_OK;
    *columns = (Columns){-1, -1, 0};
    for (char *name; !status && (name = next_value(&line)); columns->count++) {
        int *const special = !strcmp(name, "bitrate")      ? &columns->rate
                             : !strcmp(name, "resolution") ? &columns->resolution
                                                           : NULL;
        if (special ? *special >= 0 : points_find(points, name) >= 0)
            return complain(FV_ERROR_INPUT, "%s has two columns '%s'", points->path, name);
        if (special)
            *special = columns->count;
        else
            status = points_add_score(points, name);
    }
    points->resolutions = columns->resolution >= 0;
    if (!status && (columns->rate < 0 || !points->score_count))
        return complain(FV_ERROR_INPUT,
                        "%s: its first line does not name a column 'bitrate' and at least one score, as in "
                        "'bitrate,vmaf'",
                        points->path);
    return status;
}

static FvStatus read_row(Points *points, const Columns *columns, int number, char *line)
{
    double values[POINTS_SCORES + 1]; /* the rate is the last */
    const char *resolution = NULL;
    int column = 0, score = 0;
    for (char *value, *end; (value = next_value(&line)); column++) {
        if (column == columns->count)
            return complain(FV_ERROR_INPUT, "%s, line %d has more than the %d values that the first line names",
                            points->path, number, columns->count);
        if (column == columns->resolution) {
            resolution = value;
            continue;
        }
        values[column == columns->rate ? points->score_count : score++] = strtod(value, &end);
        if (!*value || *end)
            return complain(FV_ERROR_INPUT, "%s, line %d: '%s' is not a number", points->path, number, value);
    }
    if (column < columns->count)
        return complain(FV_ERROR_INPUT, "%s, line %d has %d values, and the first line names %d", points->path,
                        number, column, columns->count);
    return points_add(points, values[points->score_count], resolution, values);
}

FvStatus points_read_table(Points *points, char *text)
{
    static const char mark[] = "\xef\xbb\xbf"; /* with which spreadsheets begin UTF-8 */
    int number = 0;
    Columns columns;
    if (!strncmp(text, mark, sizeof mark - 1))
        text += sizeof mark - 1;
    char *line = next_line(&text, &number);
    if (!line)
        return complain(FV_ERROR_INPUT, "%s is empty", points->path);
    FvStatus status = read_header(points, line, &columns);
    while (!status && (line = next_line(&text, &number)))
        status = read_row(points, &columns, number, line);
    if (!status && !points->count)
        return complain(FV_ERROR_INPUT, "%s names columns and has no encodes", points->path);
    return status;
}
