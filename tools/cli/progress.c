#include "cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/message.h"
#include "json.h"
#include "timing_json.h"

#define PERIOD 0.1 /* minimum seconds between two displays */
#define CELLS 16   /* number of cells of the bar */

#define PAST 10 /* number of latest seconds from which the rate and the remaining time are computed */

static FvProgress shown, latest;
static ProgressMore latest_more;
/* the first progress of each of the latest seconds; second n is at n % (PAST + 1) */
static struct {
    int64_t frames;
    double seconds;
} past[PAST + 1];
static int64_t first_second = -1, last_second; /* the first second of the run and the latest one; -1: none */
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

static void remember(const FvProgress *progress)
{
    const int64_t second = (int64_t)progress->seconds;
    if (first_second >= 0 && second <= last_second)
        return;
    if (first_second < 0)
        first_second = second;
    for (int64_t s = first_second == second ? second : last_second + 1; s <= second; s++) {
        past[s % (PAST + 1)].frames = progress->frames;
        past[s % (PAST + 1)].seconds = progress->seconds;
    }
    last_second = second;
    first_second = second - first_second > PAST ? second - PAST : first_second;
}

/* Returns the frames per second of the last seconds; in the beginning, those since the start. */
static double recent_rate(const FvProgress *progress)
{
    const int at = (int)(first_second % (PAST + 1));
    const double seconds = first_second < 0 ? 0 : progress->seconds - past[at].seconds;
    return seconds < PAST / 2. ? rate(progress) : (double)(progress->frames - past[at].frames) / seconds;
}

/* Returns the width of the terminal. A progress line that is wider wraps, and could not be erased completely. */
static int columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || size.ws_col < 2 ? 80 : size.ws_col;
}

/* Prints the bar, the frames and the time to go. Returns the number of characters. */
static int print_share(char *line, size_t size, const FvProgress *progress, int64_t total)
{
    const double fps = recent_rate(progress);
    const int64_t left = fps > 0 ? (int64_t)((double)(total - progress->frames) / fps + 0.5) : 0;
    const int full = (int)(progress->frames * CELLS / total);
    return snprintf(line, size, "[%.*s%*s] %" PRId64 "%s%" PRId64 " frames  %.1f fps  ETA %" PRId64 ":%02d:%02d",
                    full, "################", CELLS - full, "", progress->frames,
                    progress->total > 0 ? "/" : " of about ", total, fps, left / 3600, (int)(left / 60 % 60),
                    (int)(left % 60));
}

static void print_bar(const FvProgress *progress, const ProgressMore *more)
{
    const char *limit = progress->timing.limited_by;
    const int64_t total = progress->total > 0 ? progress->total : more->about;
    char line[384];
    int length = more->encodes ? snprintf(line, sizeof line, "%d of %d done  ", more->done, more->encodes) : 0;
    char *text = line + length;
    const size_t size = sizeof line - (size_t)length;
    if (!progress->frames && limit)
        length += snprintf(text, size, "waiting for %s", limit);
    else if (total > 0 && progress->frames <= total)
        length += print_share(text, size, progress, total);
    else
        length += snprintf(text, size, "%" PRId64 " frames  %.1f fps", progress->frames, recent_rate(progress));
    if (limit && progress->frames && length + (int)(strlen("  limited by ") + strlen(limit)) < columns())
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
    if (progress->timing.limited_by)
        fv_timing_json(&json, &progress->timing);
    fv_json_close(&json);
    fputc('\n', message_file());
}

static void print_progress(ProgressStyle style)
{
    if (style == PROGRESS_BAR)
        print_bar(&latest, &latest_more);
    else
        print_json(&latest);
    message_flush();
    shown = latest;
    any = true;
}

void progress_show(ProgressStyle style, const FvProgress *progress, const ProgressMore *more)
{
    latest = *progress;
    latest_more = more ? *more : (ProgressMore){.about = -1};
    remember(progress);
    if (progress->timing.limited_by)
        snprintf(limited_by, sizeof limited_by, "%s", progress->timing.limited_by);
    latest.timing.limited_by = progress->timing.limited_by ? limited_by : NULL;
    if (style != PROGRESS_NONE && (!any || progress->seconds - shown.seconds >= PERIOD))
        print_progress(style);
}

void progress_finish(ProgressStyle style)
{
    const int64_t total = latest.total > 0 ? latest.total : latest_more.about;
    /* The last encodes end after their last frame was counted. */
    const bool late =
        style == PROGRESS_BAR && latest_more.done < latest_more.encodes && total > 0 && latest.frames >= total;
    if (late)
        latest_more.done = latest_more.encodes;
    if (style != PROGRESS_NONE && any && (late || latest.frames != shown.frames))
        print_progress(style);
    message_keep_bar();
    message_flush();
}
