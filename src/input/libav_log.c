#include "input/libav_log.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "input/libav_calls.h"

/* H.264's decoder says so as information, and with threads the picture's flags come too late. */
#define CONCEALS "concealing "

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FvLibavLog *logs;
static _Thread_local FvLibavLog *current; /* of the source whose call of libav this thread is in */
static _Thread_local sigset_t signals;    /* of this thread, before fv_libav_log_begin_threads */

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
    /* A context that is not ours may point to anything. */
    FvLibavLog *log = logs;
    while (log && log != opaque)
        log = log->next;
    return log;
}

/* Whether this is a thread that a decoder of ours started: fv_libav_log_begin_threads blocked every signal there. */
static bool is_worker(void)
{
    sigset_t blocked;
    return !pthread_sigmask(SIG_BLOCK, NULL, &blocked) && sigismember(&blocked, SIGTERM) == 1 &&
           sigismember(&blocked, SIGRTMAX) == 1;
}

static void note(FvLibavLog *log, const char *text)
{
    if (!log->complained)
        snprintf(log->text, sizeof log->text, "%.*s", (int)strcspn(text, "\n"), text);
    log->complained = true;
    log->here |= log == current;
}

/*
 * A decoder's thread that names no context may work for any source. All that have threads hear of it: a source that
 * is decoded by threads decodes again on one, which tells.
 */
static void log_line(void *context, int level, const char *format, va_list args)
{
    char text[256] = "";
    const bool error = (level & 0xff) <= AV_LOG_ERROR || !strncmp(format, CONCEALS, strlen(CONCEALS));
    pthread_mutex_lock(&lock);
    FvLibavLog *log = current ? current : owner_of(context);
    const bool worker = !log && is_worker();
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
    pthread_mutex_unlock(&lock);
    if (!log && !worker)
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

void fv_libav_log_begin_threads(void)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &signals);
}

void fv_libav_log_end_threads(void)
{
    pthread_sigmask(SIG_SETMASK, &signals, NULL);
}

void fv_libav_log_clear(FvLibavLog *log)
{
    pthread_mutex_lock(&lock);
    log->complained = log->here = false;
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

bool fv_libav_log_complained_here(FvLibavLog *log)
{
    pthread_mutex_lock(&lock);
    bool here = log->here;
    pthread_mutex_unlock(&lock);
    return here;
}

void fv_libav_log_take(FvLibavLog *log, int code, char *text, size_t size)
{
    pthread_mutex_lock(&lock);
    snprintf(text, size, "%s", log->text);
    pthread_mutex_unlock(&lock);
    if (!*text && av_strerror(code, text, size) < 0)
        snprintf(text, size, "error %d", code);
}
