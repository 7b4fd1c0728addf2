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
