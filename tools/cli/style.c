#include "cli/style.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

char *style_clean(char *text)
{
    for (char *c = text; *c; c++)
        *c = (unsigned char)*c < ' ' || *c == 0x7f ? '?' : *c;
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
