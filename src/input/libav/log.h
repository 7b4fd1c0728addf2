/*
 * Collects the lines that libav logs about each source, for fovea's messages, since libav has only one log per
 * process.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <libavutil/error.h>

/* An error code that libav lacks: an allocation failed, whatever libav returned. */
#define FV_LIBAV_MEMORY FFERRTAG('F', 'o', 'M', ' ')

/*
 * The log of one source. It gets the lines of contexts of libav whose `opaque` is its address, and of calls that a
 * thread makes between fv_libav_log_enter() and fv_libav_log_leave().
 */
typedef struct FvLibavLog {
    struct FvLibavLog *next; /* next open log of the process */
    bool threads;            /* the decoder has several threads; set by the source */
    bool late;               /* decoding began after pictures that later ones may still refer to; set by the source */
    bool complained;         /* libav has logged an error since the last fv_libav_log_clear() */
    /* `here`: a thread that had entered the log caused an error; `elsewhere`: another thread did */
    bool here, elsewhere;
    char text[256]; /* the first error, which names the cause of later ones; "": none */
} FvLibavLog;

/*
 * Opens a log. The first log sets the callback of the process; lines that belong to no source are passed to libav's
 * default callback. A thread that libav starts between fv_thread_block_signals() and fv_thread_restore_signals()
 * belongs to a source even when it logs without a context.
 */
void fv_libav_log_open(FvLibavLog *log);
void fv_libav_log_close(FvLibavLog *log);

void fv_libav_log_enter(FvLibavLog *log);
void fv_libav_log_leave(void);

void fv_libav_log_clear(FvLibavLog *log);
bool fv_libav_log_complained(FvLibavLog *log);

/*
 * Returns whether libav has logged an error in a thread that had entered the log; errors of a decoder's threads do
 * not count.
 */
bool fv_libav_log_complained_here(FvLibavLog *log);

/* Forgets errors of threads that had entered the log, but not those of a decoder's threads. */
void fv_libav_log_clear_here(FvLibavLog *log);

/* Writes the first logged error, or else libav's text for `code`. */
void fv_libav_log_take(FvLibavLog *log, int code, char *text, size_t size);
