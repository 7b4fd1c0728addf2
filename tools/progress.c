#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "json.h"
#include "message.h"

#define PERIOD 0.1 /* seconds between two lines */
#define CELLS 28   /* of the bar */

static FvProgress shown, latest;
static bool any, on_screen;

ProgressStyle progress_style(const char *name)
{
    if (!name || !strcmp(name, "auto"))
        return isatty(STDERR_FILENO) ? PROGRESS_BAR : PROGRESS_NONE;
    return !strcmp(name, "bar") ? PROGRESS_BAR : !strcmp(name, "json") ? PROGRESS_JSON : PROGRESS_NONE;
}

static double rate(const FvProgress *progress)
{
    return progress->seconds > 0 ? (double)progress->frames / progress->seconds : 0;
}

static void print_bar(const FvProgress *progress)
{
    double fps = rate(progress);
    if (progress->total > 0 && progress->frames <= progress->total) {
        int full = (int)(progress->frames * CELLS / progress->total);
        int64_t left = fps > 0 ? (int64_t)((double)(progress->total - progress->frames) / fps + 0.5) : 0;
        fprintf(message_file(),
                "\r[%.*s%*s] %" PRId64 "/%" PRId64 " frames  %.1f fps  ETA %" PRId64 ":%02d:%02d\033[K", full,
                "############################", CELLS - full, "", progress->frames, progress->total, fps, left / 3600,
                (int)(left / 60 % 60), (int)(left % 60));
    } else
        fprintf(message_file(), "\r%" PRId64 " frames  %.1f fps\033[K", progress->frames, fps);
    on_screen = true;
}

static void print_json(const FvProgress *progress)
{
    FvJson json = {.file = message_file()};
    fv_json_open_line(&json, NULL, '{');
    fv_json_text(&json, "event", "progress");
    fv_json_int(&json, "frames", progress->frames);
    if (progress->total >= 0)
        fv_json_int(&json, "total", progress->total);
    else
        fv_json_null(&json, "total");
    fv_json_real(&json, "seconds", progress->seconds);
    fv_json_real(&json, "fps", rate(progress));
    fv_json_close(&json);
    fputc('\n', message_file());
}

static void print(ProgressStyle style, const FvProgress *progress)
{
    if (style == PROGRESS_BAR)
        print_bar(progress);
    else
        print_json(progress);
    message_flush();
    shown = *progress;
    any = true;
}

void progress_show(ProgressStyle style, const FvProgress *progress)
{
    latest = *progress;
    if (style != PROGRESS_NONE && (!any || progress->seconds - shown.seconds >= PERIOD))
        print(style, progress);
}

void progress_finish(ProgressStyle style)
{
    if (style != PROGRESS_NONE && any && latest.frames != shown.frames)
        print(style, &latest);
    if (on_screen)
        fputc('\n', message_file());
    message_flush();
    on_screen = false;
}

void progress_clear(void)
{
    if (on_screen)
        fputs("\r\033[K", message_file());
    on_screen = false;
}
