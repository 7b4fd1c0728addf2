/*
 * Tests machines without libav, by replacing dlopen and dlsym. Files that need libav are refused with its name, and
 * all others are read.
 */
#include <dlfcn.h>
#include <string.h>

#include "clip.h"
#include "config.h"

static const char *missing; /* a library or a function that cannot be found */
static const char *found;   /* a library that is always found */

void *__real_dlopen(const char *file, int flags);
void *__wrap_dlopen(const char *file, int flags);
void *__real_dlsym(void *handle, const char *name);
void *__wrap_dlsym(void *handle, const char *name);

void *__wrap_dlopen(const char *file, int flags)
{
    if (found && !strcmp(file, found))
        return __real_dlopen(NULL, flags);
    return missing && !strncmp(file, missing, strlen(missing)) ? __real_dlopen("/nonexistent/libav.so", flags)
                                                               : __real_dlopen(file, flags);
}

void *__wrap_dlsym(void *handle, const char *name)
{
    return __real_dlsym(handle, missing && !strcmp(name, missing) ? "fv_no_such_function" : name);
}

static void what_is_missing(void **state)
{
    static const char *const parts[] = {"libavutil", "libavcodec",    "libavformat",
                                        "av_freep",  "avcodec_open2", "av_read_frame"};
    const char *path = scratch_path("video.mov");
    write_file(path, "no video", 8);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const bool library = !strncmp(parts[i], "lib", 3);
        missing = parts[i];
        assert_open_fails(&(FvSourceParams){.path = path}, FV_ERROR_INPUT, path, "libav, which cannot be opened",
                          library ? "nonexistent" : "fv_no_such_function", "Y4M", NULL);
    }
}

/* fv_libav_version() names the version of the libraries that can be opened, or the reason why none can. */
static void which_version_is_there(void **state)
{
    char text[64];
    FvError error;
    missing = "libav";
    assert_int_equal(fv_libav_version(text, sizeof text, &error), FV_ERROR_INPUT);
    assert_non_null(strstr(error.message, "libav cannot be opened: "));
    assert_non_null(strstr(error.message, "install the libraries of FFmpeg "));
    missing = NULL;
    assert_int_equal(fv_libav_version(text, sizeof text, &error), FV_OK);
    int major, minor, micro, ffmpeg, end = 0;
    assert_int_equal(sscanf(text, "libavformat %d.%d.%d of FFmpeg %d%n", &major, &minor, &micro, &ffmpeg, &end), 4);
    assert_int_equal(major - ffmpeg, 54);
    assert_int_equal(text[end], 0);
    assert_int_equal(fv_libav_version(NULL, 0, &error), FV_ERROR_USAGE);
}

static void what_is_there_instead(void **state)
{
    const char *path = scratch_path("video.mov");
    char file[32], says[64];
#define OF_FFMPEG(major) major - 54,
    const int built[] = {FV_LIBAV_RELEASES(OF_FFMPEG)};
    for (int release = 5; release <= 9; release++) {
        bool own = false;
        int oldest = built[0];
        for (size_t i = 0; i < sizeof built / sizeof *built; i++) {
            own |= built[i] == release;
            oldest = built[i] < oldest ? built[i] : oldest;
        }
        missing = "libav";
        snprintf(file, sizeof file, "libavutil.so.%d", release + 52);
        found = file;
        if (own)
            snprintf(says, sizeof says, "%d, or give", oldest);
        else
            snprintf(says, sizeof says, "%d (the installed ones of FFmpeg %d do not fit), or give", oldest, release);
        assert_open_fails(&(FvSourceParams){.path = path}, FV_ERROR_INPUT, path, says, NULL);
    }
    found = NULL;
}

static void what_is_read_without(void **state)
{
    Clip clip = clip_make(34, 18, FV_CHROMA_420, 8, 2);
    const char *path = scratch_path("clip.y4m");
    FvSource *source;
    FvError error;
    write_y4m(path, &clip, y4m_header(&clip, " F25:1"), "FRAME");
    missing = "libav";
    assert_int_equal(fv_source_open(&source, &(FvSourceParams){.path = path}, &error), FV_OK);
    assert_reads(source, &clip);
    fv_source_close(&source);
    clip_free(&clip);
}

/* After a failure, the next attempt looks for the libraries again. */
static void what_is_there_again(void **state)
{
    const char *path = scratch_path("other.mov");
    write_file(path, "no video", 8);
    missing = NULL;
    assert_open_fails(&(FvSourceParams){.path = path}, FV_ERROR_INPUT, path, "is a text file, and not a video", NULL);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_missing),      cmocka_unit_test(what_is_there_instead),
        cmocka_unit_test(what_is_read_without), cmocka_unit_test(which_version_is_there),
        cmocka_unit_test(what_is_there_again),
    };
    return cmocka_run_group_tests_name("libav_calls", tests, scratch_open, scratch_close);
}
