#include "table/delimited.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

Delimited delimited_open(char *text)
{
    static const char mark[] = "\xef\xbb\xbf";
    return (Delimited){.rest = strncmp(text, mark, sizeof mark - 1) ? text : text + sizeof mark - 1};
}

char *delimited_line(Delimited *table)
{
    while (*table->rest) {
        char *line = table->rest;
        const size_t length = strcspn(line, "\n");
        table->rest += length + (line[length] == '\n');
        line[length] = '\0';
        if (length && line[length - 1] == '\r')
            line[length - 1] = '\0';
        table->line++;
        if (line[strspn(line, " \t")])
            return line;
    }
    return NULL;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

char *delimited_field(char **line, char separator)
{
    if (!*line)
        return NULL;
    char *from = *line;
    while (is_blank(*from) && *from != separator)
        from++;
    char *field = from, *to = from;
    bool quoted = *from == '"';
    from += quoted;
    for (; *from && (quoted || *from != separator); from++) {
        if (*from == '"' && quoted && from[1] == '"')
            *to++ = *from++;
        else if (*from == '"' && quoted)
            quoted = false;
        else
            *to++ = *from;
    }
    *line = *from ? from + 1 : NULL;
    while (to > field && is_blank(to[-1]))
        to--;
    *to = '\0';
    return field + strspn(field, " \t");
}

bool delimited_number(const char *field, double *value)
{
    char *end;
    *value = strtod(field, &end);
    return *field && !*end && !field[strspn(field, "0123456789+-.eE")] && isfinite(*value);
}
