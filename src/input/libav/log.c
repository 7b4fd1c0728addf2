#include "input/libav/log.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "input/libav/calls.h"
#include "os/thread.h"

/*
 * The beginning of H.264's message about concealment, which the decoder logs only as information; with threads, the
 * picture's flags are set too late.
 */
#define CONCEALS "concealing "

/* The message of H.264's decoder about a picture that the stream tells it to drop but that it never received. */
#define GONE "mmco: unref short failure"

/*
 * Messages that are ignored. DNxHD's decoder logs some of them once per process, for the first video that they apply
 * to, and decodes as usual (fv_packet_mixes_dnxhd()); but refusals must not depend on earlier videos. The decoders of
 * WebP and JPEG log errors about Exif that they cannot read, although the samples are undamaged.
 */
static const char *const ignored[] = {"ACT flag set, in violation",         "Unsupported: variable ACT flag",
                                      "invalid TIFF header in Exif",        "error decoding Exif",
                                      "mjpeg: invalid TIFF header in EXIF", "mjpeg: error decoding EXIF"};

static FvMutex lock = FV_MUTEX;
static FvLibavLog *logs;
static _Thread_local FvLibavLog *current; /* log of the source that this thread calls libav for */

/*
 * Returns the log of the source to which a context of libav belongs, also in threads that libav started; NULL: none.
 */
static FvLibavLog *owner_of(void *context)
{
    void *opaque = NULL;
    while (context && !opaque) {
        const AVClass *class = *(const AVClass **)context;
        if (!class)
            break;
        if (!strcmp(class->class_name, "AVCodecContext"))
            opaque = ((AVCodecContext *)context)->opaque;
        else if (!strcmp(class->class_name, "AVFormatContext"))
            opaque = ((AVFormatContext *)context)->opaque;
        if (!class->parent_log_context_offset)
            break;
        context = *(void **)((uint8_t *)context + class->parent_log_context_offset);
    }
    /* The opaque pointer of a context that fovea did not open may be anything, so it is only compared. */
    FvLibavLog *log = logs;
    while (log && log != opaque)
        log = log->next;
    return log;
}

static bool is_error(int level, const char *format)
{
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        if (!strncmp(format, ignored[i], strlen(ignored[i])))
            return false;
    return (level & 0xff) <= AV_LOG_ERROR || !strncmp(format, CONCEALS, strlen(CONCEALS));
}

static void note(FvLibavLog *log, const char *text)
{
    if (!log->complained)
        snprintf(log->text, sizeof log->text, "%.*s", (int)strcspn(text, "\n"), text);
    log->complained = true;
    log->here |= log == current;
    log->elsewhere |= log != current;
}

/*
 * Receives a line. A decoder's thread that names no context may work for any source, so all sources with threads
 * record the line. Each of these sources then decodes again with one thread, which shows whether the error is its
 * own.
 */
static void log_line(void *context, int level, const char *format, va_list args)
{
    char text[256] = "";
    bool error = is_error(level, format);
    fv_lock(&lock);
    FvLibavLog *log = current ? current : owner_of(context);
    error &= !(log && log->late && !strncmp(format, GONE, strlen(GONE)));
    const bool worker = !log && fv_thread_blocks_signals();
    if (error && (log || worker)) {
        va_list copy;
        va_copy(copy, args);
        vsnprintf(text, sizeof text, format, copy);
        va_end(copy);
    }
    if (error && log)
        note(log, text);
    for (FvLibavLog *any = error && worker ? logs : NULL; any; any = any->next)
        if (any->threads)
            note(any, text);
    fv_unlock(&lock);
    if (!log && !worker)
        av_log_default_callback(context, level, format, args);
}

static void install(void)
{
    av_log_set_callback(log_line);
}

void fv_libav_log_open(FvLibavLog *log)
{
    static FvOnce once = FV_ONCE;
    fv_once(&once, install);
    fv_lock(&lock);
    log->next = logs;
    logs = log;
    fv_unlock(&lock);
}

void fv_libav_log_close(FvLibavLog *log)
{
    fv_lock(&lock);
    FvLibavLog **link = &logs;
    while (*link && *link != log)
        link = &(*link)->next;
    if (*link)
        *link = log->next;
    fv_unlock(&lock);
}

void fv_libav_log_enter(FvLibavLog *log)
{
    current = log;
}

void fv_libav_log_leave(void)
{
    current = NULL;
}

void fv_libav_log_clear(FvLibavLog *log)
{
    fv_lock(&lock);
    log->complained = log->here = log->elsewhere = false;
    log->text[0] = 0;
    fv_unlock(&lock);
}

void fv_libav_log_clear_here(FvLibavLog *log)
{
    fv_lock(&lock);
    log->here = false;
    log->complained = log->elsewhere;
    if (!log->complained)
        log->text[0] = 0;
    fv_unlock(&lock);
}

bool fv_libav_log_complained(FvLibavLog *log)
{
    fv_lock(&lock);
    bool complained = log->complained;
    fv_unlock(&lock);
    return complained;
}

bool fv_libav_log_complained_here(FvLibavLog *log)
{
    fv_lock(&lock);
    bool here = log->here;
    fv_unlock(&lock);
    return here;
}

/* Explanations of libav's lines for the owner of a file, found by words in the lines. */
static const struct {
    const char *words, *meaning;
} meanings[] = {
    {"moov atom not found", "it lacks its index (moov), which MP4 and MOV have at the end unless they are made for "
                            "streaming: the file is cut short, or still being written"},
    {"trun track id unknown",
     "it is a segment of a fragmented MP4 without its initialisation: join the two first, for "
     "example with cat init.mp4 SEGMENT.m4s"},
    {"could not find corresponding trex",
     "it is a segment of a fragmented MP4 without its initialisation: join the two "
     "first, for example with cat init.mp4 SEGMENT.m4s"},
    {"exceeds specified max pixel count",
     "its pictures are larger than a file of this size can fill (docs/input.md)"},
    {"Picture size", "its pictures have a size that no decoder takes"},
    {"mmco: unref short failure", "the stream names a picture that the file lacks"},
    {"co located POCs unavailable", "a picture refers to one that the file lacks"},
    {"non-existing PPS", "a picture refers to a parameter set that the file lacks"},
    {"non-existing SPS", "a picture refers to a parameter set that the file lacks"},
    {"PPS id out of range", "a picture refers to a parameter set that the file lacks"},
    {"Could not find ref with POC", "a picture refers to one that the file lacks"},
    {"reference picture missing", "a picture refers to one that the file lacks"},
    {"Missing reference picture", "a picture refers to one that the file lacks"},
};

void fv_libav_log_take(FvLibavLog *log, int code, char *text, size_t size)
{
    fv_lock(&lock);
    snprintf(text, size, "%s", code == FV_LIBAV_MEMORY ? "out of memory" : log->text);
    fv_unlock(&lock);
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (strstr(text, meanings[i].words)) {
            snprintf(text, size, "%s", meanings[i].meaning);
            return;
        }
    if (!*text && av_strerror(code, text, size) < 0)
        snprintf(text, size, "error %d", code);
}
