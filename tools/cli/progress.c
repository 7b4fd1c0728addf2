#include "cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/message.h"
#include "json.h"
#include "pace_json.h"

#define PERIOD 0.1 /* minimum seconds between two displays */
#define CELLS 16   /* number of cells of the bar */

static FvProgress shown, latest;
static bool any;
static char limited_by[128]; /* the latest bottleneck */

ProgressStyle progress_style(const char *name, bool quiet)
{
    if (!name && quiet)
        return PROGRESS_NONE;
    if (!name || !strcmp(name, "auto"))
        return isatty(STDERR_FILENO) ? PROGRESS_BAR : PROGRESS_NONE;
    return !strcmp(name, "bar") ? PROGRESS_BAR : !strcmp(name, "json") ? PROGRESS_JSON : PROGRESS_NONE;
}

static double rate(const FvProgress *progress)
{
    return progress->seconds > 0 ? (double)progress->frames / progress->seconds : 0;
}

/* Returns the width of the terminal. A progress line that is wider wraps, and could not be erased completely. */
static int columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || size.ws_col < 2 ? 80 : size.ws_col;
}

static void print_bar(const FvProgress *progress)
{
    const double fps = rate(progress);
    const char *limit = progress->pace.limited_by;
    char line[320];
    int length;
    if (!progress->frames && limit)
        length = snprintf(line, sizeof line, "waiting for %s", limit);
    else if (progress->total > 0 && progress->frames <= progress->total) {
        int full = (int)(progress->frames * CELLS / progress->total);
        int64_t left = fps > 0 ? (int64_t)((double)(progress->total - progress->frames) / fps + 0.5) : 0;
        length = snprintf(line, sizeof line,
                          "[%.*s%*s] %" PRId64 "/%" PRId64 " frames  %.1f fps  ETA %" PRId64 ":%02d:%02d", full,
                          "################", CELLS - full, "", progress->frames, progress->total, fps, left / 3600,
                          (int)(left / 60 % 60), (int)(left % 60));
    } else
        length = snprintf(line, sizeof line, "%" PRId64 " frames  %.1f fps", progress->frames, fps);
    if (limit && progress->frames)
        snprintf(line + length, sizeof line - (size_t)length, "  limited by %s", limit);
    if (columns() <= (int)sizeof line)
        line[columns() - 1] = '\0';
    message_bar(line);
}

/* Prints the progress as a JSON object, without unknown values. */
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
    if (progress->pace.limited_by)
        fv_pace_json(&json, &progress->pace);
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
    if (progress->pace.limited_by)
        snprintf(limited_by, sizeof limited_by, "%s", progress->pace.limited_by);
    latest.pace.limited_by = progress->pace.limited_by ? limited_by : NULL;
    if (style != PROGRESS_NONE && (!any || progress->seconds - shown.seconds >= PERIOD))
        print(style, progress);
}

void progress_finish(ProgressStyle style)
{
    if (style != PROGRESS_NONE && any && latest.frames != shown.frames)
        print(style, &latest);
    message_keep_bar();
    message_flush();
}
