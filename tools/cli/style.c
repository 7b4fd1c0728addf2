#include "cli/style.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "json.h"

/*
 * Returns whether a control character begins here. Those of C1 count because terminals obey them: U+009B equals ESC
 * [.
 */
static bool is_control(const char *text)
{
    const unsigned char first = (unsigned char)text[0];
    return first < ' ' || first == 0x7f || (first == 0xc2 && (unsigned char)text[1] < 0xa0);
}

char *style_clean(char *text)
{
    char *to = text;
    for (const char *from = text; *from;) {
        const int length = fv_utf8_length(from);
        if (length && !is_control(from)) {
            memmove(to, from, (size_t)length);
            to += length;
        } else
            *to++ = '?';
        from += length ? length : 1;
    }
    *to = '\0';
    return text;
}

Style style_of_output(void)
{
    const char *refusal = getenv("NO_COLOR"), *kind = getenv("TERM");
    const bool terminal = isatty(STDOUT_FILENO);
    struct winsize size = {.ws_col = 0};
    Style style = {STYLE_COLUMNS, "", "", "", ""};
    if (terminal && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col >= 40 && size.ws_col < STYLE_COLUMNS)
        style.columns = size.ws_col;
    if (terminal && !(refusal && *refusal) && kind && strcmp(kind, "dumb"))
        style = (Style){style.columns, "\033[1m", "\033[2m", "\033[1;31m", "\033[0m"};
    return style;
}
