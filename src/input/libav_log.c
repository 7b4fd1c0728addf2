#include "libav_log.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FvLibavLog *logs;
static _Thread_local FvLibavLog *current; /* of the source whose call of libav this thread is in */

/* The source whose decoder or demuxer a context belongs to, also in threads that libav started. */
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
    /* Somebody else's context may point to anything. */
    FvLibavLog *log = logs;
    while (log && log != opaque)
        log = log->next;
    return log;
}

static void log_line(void *context, int level, const char *format, va_list args)
{
    pthread_mutex_lock(&lock);
    FvLibavLog *log = current ? current : owner_of(context);
    if (log && (level & 0xff) <= AV_LOG_ERROR && !log->complained) {
        vsnprintf(log->text, sizeof log->text, format, args);
        log->text[strcspn(log->text, "\n")] = 0;
        log->complained = true;
    }
    pthread_mutex_unlock(&lock);
    if (!log)
        av_log_default_callback(context, level, format, args);
}

static void install(void)
{
    av_log_set_callback(log_line);
}

void fv_libav_log_open(FvLibavLog *log)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
    pthread_mutex_lock(&lock);
    log->next = logs;
    logs = log;
    pthread_mutex_unlock(&lock);
}

void fv_libav_log_close(FvLibavLog *log)
{
    pthread_mutex_lock(&lock);
    FvLibavLog **link = &logs;
    while (*link && *link != log)
        link = &(*link)->next;
    if (*link)
        *link = log->next;
    pthread_mutex_unlock(&lock);
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
    pthread_mutex_lock(&lock);
    log->complained = false;
    log->text[0] = 0;
    pthread_mutex_unlock(&lock);
}

bool fv_libav_log_complained(FvLibavLog *log)
{
    pthread_mutex_lock(&lock);
    bool complained = log->complained;
    pthread_mutex_unlock(&lock);
    return complained;
}

void fv_libav_log_take(FvLibavLog *log, int code, char *text, size_t size)
{
    pthread_mutex_lock(&lock);
    snprintf(text, size, "%s", log->text);
    pthread_mutex_unlock(&lock);
    if (!*text && av_strerror(code, text, size) < 0)
        snprintf(text, size, "error %d", code);
}
