#include "option_text.h"

#include <string.h>

bool fv_option_append(char *text, size_t size, size_t *used, const char *from, bool quote)
{
    for (; *from && *used + 3 <= size; from++) {
        if (quote && strchr(":,'\\", *from))
            text[(*used)++] = '\\';
        text[(*used)++] = *from;
    }
    if (*used < size)
        text[*used] = '\0';
    return !*from;
}

size_t fv_option_span(const char *text, const char *stops)
{
    bool quoted = false;
    size_t i = 0;
    for (; text[i] && (quoted || !strchr(stops, text[i])); i++) {
        if (text[i] == '\'')
            quoted = !quoted;
        else if (text[i] == '\\' && !quoted && text[i + 1])
            i++;
    }
    return i;
}
