#include "message.h"

#include <stdarg.h>
#include <stdio.h>

#include "progress.h"
#include "json.h"

static bool as_json;

void message_as_json(bool json)
{
    as_json = json;
}

bool message_is_json(void)
{
    return as_json;
}

static void say(const char *event, int status, const char *format, va_list args)
{
    char text[2048];
    vsnprintf(text, sizeof text, format, args);
    progress_clear();
    if (!as_json) {
        fprintf(stderr, "fovea: %s%s\n", status ? "" : "warning: ", text);
        return;
    }
    FvJson json = {.file = stderr};
    fv_json_open_line(&json, NULL, '{');
    fv_json_text(&json, "event", event);
    if (status)
        fv_json_int(&json, "status", status);
    fv_json_text(&json, "message", text);
    fv_json_close(&json);
    fputc('\n', stderr);
}

int complain(int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("error", status, format, args);
    va_end(args);
    return status;
}

void warn(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("warning", 0, format, args);
    va_end(args);
}
