/* Prints messages on standard error, as text or, for scripts, as one JSON object per line. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "failure.h"
#include "fovea/fovea.h"
#include "json.h"

/* Makes every later line on standard error a JSON object, or text again. */
void message_as_json(bool json);
bool message_is_json(void);

/*
 * With JSON, prints the last line of the process: an object with its exit code and the first error of this status.
 * `foreign`: the exit codes are those of another program, so the first error of any status is used.
 */
void message_end(int status, bool foreign);

/* Sets the stop request that ends waiting for a slow reader of standard error. Output after the request is lost. */
void message_until(const FvCancel *cancel);

/* Returns a stream to standard error. message_flush() writes its lines, each in one piece. */
FILE *message_file(void);
void message_flush(void);

/* Lock and unlock standard error, so that the messages in between are not mixed with those of other threads. */
void message_lock(void);
void message_unlock(void);

/* Shows a progress line on a terminal, in place of the previous one. Messages erase it. */
void message_bar(const char *text);
void message_wipe_bar(void);
void message_keep_bar(void);

/*
 * Prints "fovea: ..." and returns the status, so that callers can write `return report_error(FV_ERROR_USAGE, ...)`.
 * `failure` is a status, or a code of failure.h if programs must be able to recognise this failure.
 */
__attribute__((format(printf, 2, 3))) int report_error(int failure, const char *format, ...);

/* Prints the message of `error` if `status` is not FV_OK. Returns `status`. */
FvStatus report_error_if(FvStatus status, const FvError *error);

/*
 * Makes the messages of this thread begin with `name`, one of several videos, unless they contain it anyway. NULL:
 * they no longer do.
 */
void message_about(const char *name);

/*
 * Names the video with which all others are compared. An error that begins with its name and a colon is printed only
 * once, and without another video's name. NULL: there is none.
 */
void message_common(const char *name);

/* Suppresses messages, or stops suppressing them: the caller reports the failure later. */
void message_hush(bool hush);

/* Returns the first error since message_forget_error(); NULL: there was none. */
const char *message_first_error(void);
void message_forget_error(void);

/* Writes the status as a member and, if it is a failure, the first error's other members, as told_write() does. */
void message_write_outcome(FvJson *json, int status);

__attribute__((format(printf, 1, 2))) void warn(const char *format, ...);

/* Returns whether standard error and standard output are the same terminal. */
bool message_shares_terminal(void);

/* Returns whether this warning was printed on the terminal that is also standard output. */
bool message_was_seen(const char *text);

/* FvSessionParams.log: warns of everything above FV_LOG_INFO. */
void message_log(void *opaque, FvLogLevel level, const char *message);
