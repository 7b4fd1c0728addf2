#include "result/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "result/file_text.h"

#define MOST_BYTES ((size_t)64 << 20) /* of a table of encodes */

void points_close(Points *points)
{
    free(points->text);
    fv_document_close(&points->document);
    free(points->rate);
    free(points->quality);
    free(points->resolution);
    *points = (Points){0};
}

int points_find(const Points *points, const char *score)
{
    for (int i = 0; i < points->score_count; i++)
        if (!strcmp(points->score[i], score))
            return i;
    return -1;
}

static int out_of_memory(const Points *points)
{
    return complain(FV_ERROR_MEMORY, "out of memory while reading %s", points->path);
}

static int read_text(Points *points)
{
    size_t size;
    const FvStatus status = file_text(points->path, MOST_BYTES, &points->text, &size);
    return status || strlen(points->text) == size
               ? (int)status
               : (int)complain(FV_ERROR_INPUT, "%s is not a text: it has a NUL character", points->path);
}

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

/* What each column is. */
typedef enum Column { COLUMN_RATE, COLUMN_RESOLUTION, COLUMN_SCORE } Column;

typedef struct Columns {
    Column of[POINTS_SCORES + 2];
    int count;
} Columns;

static int read_header(Points *points, char *line, Columns *columns)
{
    bool rate = false;
    for (char *name; (name = next_value(&line));) {
        const bool is_rate = !strcmp(name, "bitrate"), is_resolution = !strcmp(name, "resolution");
        if ((is_rate && rate) || (is_resolution && points->resolutions) || points_find(points, name) >= 0)
            return complain(FV_ERROR_INPUT, "%s has two columns '%s'", points->path, name);
        if (columns->count == POINTS_SCORES + 2 ||
            (!is_rate && !is_resolution && points->score_count == POINTS_SCORES))
            return complain(FV_ERROR_INPUT, "%s has more than %d scores", points->path, POINTS_SCORES);
        columns->of[columns->count++] = is_rate ? COLUMN_RATE : is_resolution ? COLUMN_RESOLUTION : COLUMN_SCORE;
        rate |= is_rate;
        points->resolutions |= is_resolution;
        if (!is_rate && !is_resolution)
            points->score[points->score_count++] = name;
    }
    if (!rate || !points->score_count)
        return complain(FV_ERROR_INPUT,
                        "%s: its first line does not name a column 'bitrate' and at least one score, as in "
                        "'bitrate,vmaf'",
                        points->path);
    return 0;
}

static int read_number(const Points *points, int number, const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    if (!*text || *end)
        return complain(FV_ERROR_INPUT, "%s, line %d: '%s' is not a number", points->path, number, text);
    return 0;
}

static int make_room(Points *points, int *room)
{
    if (points->count < *room)
        return 0;
    const size_t rows = *room ? 2 * (size_t)*room : 64;
    double *rate = realloc(points->rate, rows * sizeof *rate);
    if (rate)
        points->rate = rate;
    double *quality = realloc(points->quality, rows * (size_t)points->score_count * sizeof *quality);
    if (quality)
        points->quality = quality;
    int *resolution = realloc(points->resolution, rows * sizeof *resolution);
    if (resolution)
        points->resolution = resolution;
    if (!rate || !quality || !resolution)
        return out_of_memory(points);
    *room = (int)rows;
    return 0;
}

/* The number of a resolution: words that are equal have equal ones. */
static int resolution_of(const char **words, int *count, const char *word)
{
    int i = 0;
    while (i < *count && strcmp(words[i], word))
        i++;
    if (i == *count && *count < POINTS_SCORES)
        words[(*count)++] = word;
    return i;
}

static int read_row(Points *points, const Columns *columns, int number, char *line, const char **words,
                    int *word_count)
{
    int column = 0, score = 0;
    points->resolution[points->count] = 0;
    for (char *value; (value = next_value(&line)); column++) {
        if (column == columns->count)
            return complain(FV_ERROR_INPUT, "%s, line %d has more than the %d values that the first line names",
                            points->path, number, columns->count);
        double *place = columns->of[column] == COLUMN_RATE
                            ? &points->rate[points->count]
                            : &points->quality[points->count * points->score_count + score];
        score += columns->of[column] == COLUMN_SCORE;
        if (columns->of[column] == COLUMN_RESOLUTION)
            points->resolution[points->count] = resolution_of(words, word_count, value);
        else if (read_number(points, number, value, place))
            return FV_ERROR_INPUT;
    }
    if (column < columns->count)
        return complain(FV_ERROR_INPUT, "%s, line %d has %d values, and the first line names %d", points->path,
                        number, column, columns->count);
    if (*word_count == POINTS_SCORES)
        return complain(FV_ERROR_INPUT, "%s has %d resolutions or more", points->path, POINTS_SCORES);
    points->count++;
    return 0;
}

/* ---- A report of many encodes ---------------------------------------------------------------------------------- */

static double number_of(const FvNode *node)
{
    const char *text = fv_node_text(node);
    return fv_node_is_number(node) ? fv_node_number(node)
           : !text                 ? NAN
           : !strcmp(text, "inf")  ? INFINITY
           : !strcmp(text, "-inf") ? -INFINITY
                                   : NAN;
}

static bool is_whole(const FvNode *encode)
{
    return fv_node_is(fv_node_member(encode, "scores"), FV_NODE_OBJECT) &&
           !fv_node_is(fv_node_member(encode, "partial"), FV_NODE_TRUE);
}

/* The first encode that has a resolution gives it its number. */
static int resolution_at(const FvNode *encodes, size_t i)
{
    static const char *const sides[] = {"width", "height"};
    const FvNode *own = fv_node_item(encodes, i);
    for (size_t k = 0; k < i; k++) {
        bool same = true;
        for (int s = 0; s < 2; s++)
            same &= fv_node_integer(fv_node_member(own, sides[s])) ==
                    fv_node_integer(fv_node_member(fv_node_item(encodes, k), sides[s]));
        if (same)
            return (int)k;
    }
    return (int)i;
}

static int take_encode(Points *points, const FvNode *encodes, size_t i, int *room)
{
    const FvNode *encode = fv_node_item(encodes, i), *scores = fv_node_member(encode, "scores");
    const FvNode *rate = fv_node_member(encode, "bit_rate");
    const char *path = fv_node_text(fv_node_member(encode, "path"));
    path = path ? path : "an encode";
    if (!is_whole(encode)) {
        warn("%s: %s was not scored whole, and is left out", points->path, path);
        return 0;
    }
    if (!fv_node_is_number(rate))
        return complain(
            FV_ERROR_INPUT,
            "%s: the bit rate of %s is not known: write a table of values, 'bitrate,vmaf' in its first line",
            points->path, path);
    for (uint32_t k = 0; !points->count && k < scores->count && k < POINTS_SCORES; k++)
        points->score[points->score_count++] = scores->items[k].key;
    const int status = make_room(points, room);
    if (status)
        return status;
    points->rate[points->count] = fv_node_number(rate) / 1000;
    points->resolution[points->count] = resolution_at(encodes, i);
    for (int k = 0; k < points->score_count; k++)
        points->quality[points->count * points->score_count + k] =
            number_of(fv_node_member(fv_node_member(scores, points->score[k]), "mean"));
    points->count++;
    return 0;
}

static int read_report(Points *points)
{
    FvError error = {0};
    int status = (int)fv_document_open(&points->document, points->path, points->text, strlen(points->text), &error);
    if (status)
        return complain(status, "%s", error.message);
    const FvNode *encodes = fv_node_member(&points->document.root, "encodes");
    int room = 0;
    points->report = points->resolutions = true;
    if (!fv_node_items(encodes))
        return complain(FV_ERROR_INPUT,
                        "%s is not a report of many encodes: 'fovea score REF A B C D -o %s' writes one",
                        points->path, points->path);
    for (size_t i = 0; i < fv_node_items(encodes) && !status; i++)
        status = take_encode(points, encodes, i, &room);
    if (!status && !points->count)
        status = complain(FV_ERROR_INPUT, "%s has no encode that was scored whole", points->path);
    return status;
}

int points_open(Points *points, const char *path)
{
    *points = (Points){.path = path};
    int status = read_text(points);
    if (status)
        return status;
    static const char mark[] = "\xef\xbb\xbf"; /* with which spreadsheets begin UTF-8 */
    char *text = points->text;
    if (!strncmp(text, mark, sizeof mark - 1))
        text += sizeof mark - 1;
    if (text[strspn(text, " \t\r\n")] == '{')
        return read_report(points);
    int number = 0, room = 0, word_count = 0;
    const char *words[POINTS_SCORES];
    Columns columns = {.count = 0};
    char *line = next_line(&text, &number);
    status = line ? read_header(points, line, &columns) : complain(FV_ERROR_INPUT, "%s is empty", path);
    while (!status && (line = next_line(&text, &number))) {
        status = make_room(points, &room);
        if (!status)
            status = read_row(points, &columns, number, line, words, &word_count);
    }
    if (!status && !points->count)
        status = complain(FV_ERROR_INPUT, "%s names columns and has no encodes", path);
    return status;
}
