#include "cli/style.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "compare_text.h"
#include "json.h"

char *style_clean(char *text)
{
    char *to = text;
    for (const char *from = text; *from;) {
        const int length = fv_utf8_length(from);
        if (length && !fv_is_control(from)) {
            memmove(to, from, (size_t)length);
            to += length;
        } else
            *to++ = '?';
        from += length ? length : 1;
    }
    *to = '\0';
    return text;
}

/* Returns the width of the terminal, at most `most`; STYLE_COLUMNS if it is unknown or too small for any table. */
static int columns(int most)
{
    struct winsize size = {.ws_col = 0};
    if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || size.ws_col < 40)
        return STYLE_COLUMNS;
    return size.ws_col < most ? size.ws_col : most;
}

int style_table_columns(void)
{
    return columns(STYLE_TABLE);
}

Style style_of_output(void)
{
    const char *refusal = getenv("NO_COLOR"), *kind = getenv("TERM");
    const bool terminal = isatty(STDOUT_FILENO);
    Style style = {columns(STYLE_COLUMNS), "", "", "", ""};
    if (terminal && !(refusal && *refusal) && kind && strcmp(kind, "dumb"))
        style = (Style){style.columns, "\033[1m", "\033[2m", "\033[1;31m", "\033[0m"};
    return style;
}
