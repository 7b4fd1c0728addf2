/*
 * The lines that libav logs about a source. A process has one log of libav: lines about our sources go into our
 * messages.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <libavutil/error.h>

/* An error code that libav lacks: an allocation failed, whatever libav returned. */
#define FV_LIBAV_MEMORY FFERRTAG('F', 'o', 'M', ' ')

/*
 * The lines of one source. Contexts of libav that have its address as their `opaque` belong to it, and so does
 * everything that a thread does between fv_libav_log_enter and fv_libav_log_leave.
 */
typedef struct FvLibavLog {
    struct FvLibavLog *next; /* among the open ones */
    bool threads;            /* its decoder has threads; the source sets it */
    bool late;            /* decoding began after pictures that later ones may still refer to; the source sets it */
    bool complained;      /* libav has logged an error since the last fv_libav_log_clear() */
    bool here, elsewhere; /* the error came from a thread that had entered the log, or from another thread */
    char text[256];       /* the first one, which names the cause of the others; "" for none */
} FvLibavLog;

/*
 * The first log sets the callback of the process; lines of no source go on to libav's default callback. A thread that
 * libav starts between fv_thread_block_signals() and fv_thread_restore_signals() belongs to a source even when it
 * logs without a context.
 */
void fv_libav_log_open(FvLibavLog *log);
void fv_libav_log_close(FvLibavLog *log);

void fv_libav_log_enter(FvLibavLog *log);
void fv_libav_log_leave(void);

void fv_libav_log_clear(FvLibavLog *log);
bool fv_libav_log_complained(FvLibavLog *log);

/* Returns the result of fv_libav_log_complained() without the complaints of a decoder's threads. */
bool fv_libav_log_complained_here(FvLibavLog *log);

/* Clears what was complained here; complaints of a decoder's threads stay. */
void fv_libav_log_clear_here(FvLibavLog *log);

/* The first logged error, or libav's text for its error code. */
void fv_libav_log_take(FvLibavLog *log, int code, char *text, size_t size);
