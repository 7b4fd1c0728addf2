#include "input/libav/choice.h"

#include <limits.h>
#include <stdio.h>

#include "base/error.h"
#include "config.h"
#include "library_names.h"
#include "os/library.h"
#include "os/thread.h"

#define DECLARE(major) extern const FvLibavRelease fv_libav_##major;
FV_LIBAV_RELEASES(DECLARE)

#define ADDRESS(major) &fv_libav_##major,
static const FvLibavRelease *const built[] = {FV_LIBAV_RELEASES(ADDRESS) NULL};

/* FFmpeg 5 has libavutil 57, and each major release after it the next major version. */
enum { AVUTIL_OF_FFMPEG = 52, FIRST_FFMPEG = 5, LAST_FFMPEG = 12 };

static const FvLibavRelease *newest_before(const FvLibavRelease *const *releases, int ffmpeg)
{
    const FvLibavRelease *newest = NULL;
    for (; *releases; releases++)
        if ((*releases)->ffmpeg < ffmpeg && (!newest || (*releases)->ffmpeg > newest->ffmpeg))
            newest = *releases;
    return newest;
}

/* Lists the releases from the newest to the oldest: "9, 7 or 5". */
static void list_releases(char *text, size_t size, const FvLibavRelease *const *releases)
{
    const FvLibavRelease *next, *release = newest_before(releases, INT_MAX);
    size_t used = 0;
    for (const char *before = ""; release && used < size; release = next) {
        used += (size_t)snprintf(text + used, size - used, "%s%d", before, release->ffmpeg);
        next = newest_before(releases, release->ffmpeg);
        before = next && newest_before(releases, next->ffmpeg) ? ", " : " or ";
    }
}

static bool has_release(const FvLibavRelease *const *releases, int ffmpeg)
{
    const FvLibavRelease *release = newest_before(releases, ffmpeg + 1);
    return release && release->ffmpeg == ffmpeg;
}

/* Returns the newest release of FFmpeg that is installed but not among `releases`; 0: none. */
static int other_ffmpeg(const FvLibavRelease *const *releases)
{
    char file[32];
    for (int ffmpeg = LAST_FFMPEG; ffmpeg >= FIRST_FFMPEG; ffmpeg--) {
        snprintf(file, sizeof file, FV_LIBRARY_FILE("avutil", "%d"), ffmpeg + AVUTIL_OF_FFMPEG);
        if (!has_release(releases, ffmpeg) && fv_library_open(file))
            return ffmpeg;
    }
    return 0;
}

FvStatus fv_libav_choose(const FvLibavRelease **chosen, const FvLibavRelease *const *releases, FvError *error)
{
    FvError nearest = {0};
    char wanted[64] = "", other[80] = "";
    int most = -1;
    for (const FvLibavRelease *release = newest_before(releases, INT_MAX); release;
         release = newest_before(releases, release->ffmpeg)) {
        FvError why = {0};
        int opened = 0;
        if (!release->open(&opened, &why)) {
            *chosen = release;
            return FV_OK;
        }
        if (why.status == FV_ERROR_MEMORY)
            return fv_fail(error, FV_ERROR_MEMORY, "cannot be opened: %s", why.message);
        if (opened > most) {
            most = opened;
            nearest = why;
        }
    }
    const int found = other_ffmpeg(releases);
    if (found)
        snprintf(other, sizeof other, " (the installed ones of FFmpeg %d do not fit)", found);
    list_releases(wanted, sizeof wanted, releases);
    return fv_fail(error, FV_FAIL_NO_LIBAV, "cannot be opened: %s; install the libraries of FFmpeg %s%s",
                   nearest.message, wanted, other);
}

/* Opens the release that this process uses, once. After a failure the next call tries again. */
static FvStatus open_release(const FvLibavRelease **release, FvError *error)
{
    static FvMutex lock = FV_MUTEX;
    static const FvLibavRelease *chosen;
    fv_lock(&lock);
    FvStatus status = chosen ? FV_OK : fv_libav_choose(&chosen, built, error);
    *release = chosen;
    fv_unlock(&lock);
    return status;
}

static bool probe(const FvSource *source)
{
    return true;
}

static FvStatus open_reader(FvSource *source, const FvSourceParams *params, FvError *error)
{
    const FvLibavRelease *release;
    FvError why = {0};
    FvStatus status = open_release(&release, &why);
    if (status)
        return fv_fail(error, fv_failure_of(&why), "%s is read with libav, which %s%s", source->info.path,
                       why.message,
                       status == FV_ERROR_MEMORY ? "" : ", or give Y4M, raw video or ProRes without a container");
    source->ops = &release->source;
    return source->ops->open(source, params, error);
}

const FvSourceOps fv_source_libav = {.name = "libav", .probe = probe, .open = open_reader};

FvStatus fv_libav_version(char *text, size_t size, FvError *error)
{
    FV_FLOAT_MODE;
    const FvLibavRelease *release;
    FvError why = {0};
    FV_REQUIRE(error, text);
    if (!*built)
        return fv_fail(error, FV_FAIL_NO_LIBAV, "this build has no libav");
    FvStatus status = open_release(&release, &why);
    if (status)
        return fv_fail(error, fv_failure_of(&why), "libav %s", why.message);
    const unsigned version = release->version();
    snprintf(text, size, "libavformat %u.%u.%u of FFmpeg %d", version >> 16, version >> 8 & 255, version & 255,
             release->ffmpeg);
    return FV_OK;
}
