/* Messages on standard error, as text or, for scripts, as one JSON object a line. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "failure.h"
#include "fovea/fovea.h"
#include "json.h"

/* Every later line on standard error becomes a JSON object. */
void message_as_json(bool json);
bool message_is_json(void);

/*
 * As JSON the process ends with one object: its exit code, and what was first said with this status. `foreign`: exit
 * codes are those of another program, so it is what was first said at all.
 */
void message_end(int status, bool foreign);

/* From now on waiting for a reader of standard error ends with this request, and later output is lost. */
void message_until(const FvCancel *cancel);

/* Standard error: a line appears at once when message_flush is called, and whole. */
FILE *message_file(void);
void message_flush(void);

/* Messages in between are not mixed with those of other threads. */
void message_lock(void);
void message_unlock(void);

/* Shows a line on a terminal, in place of the one before. Messages wipe it. */
void message_bar(const char *text);
void message_wipe_bar(void);
void message_keep_bar(void);

/*
 * "fovea: ..." and returns the status, so that a caller reads `return complain(FV_ERROR_USAGE, ...)`. `failure` is a
 * status, or one of failure.h where programs tell this failure from others.
 */
__attribute__((format(printf, 2, 3))) int complain(int failure, const char *format, ...);

/* Returns `status`, after the message of `error` when it is not FV_OK. */
FvStatus complain_if(FvStatus status, const FvError *error);

/* The messages of this thread concern one of several videos: they name it if they do not by themselves. NULL: they
 * end.
 */
void message_about(const char *name);

/*
 * A video with which all others are compared: an error that begins with its name and a colon is said once for all,
 * and names no other. NULL: there is none.
 */
void message_common(const char *name);

/* Whether messages are dropped: what they would say is said later. */
void message_hush(bool hush);

/* The text of the first error since it was forgotten; NULL: there was none. */
const char *message_first_error(void);
void message_forget_error(void);

/* The status and, if it is a failure, the other members that told_write() makes of that error. */
void message_write_outcome(FvJson *json, int status);

__attribute__((format(printf, 1, 2))) void warn(const char *format, ...);

/* Whether people see messages and standard output on one terminal. */
bool message_shares_terminal(void);

/* Whether this warning already stands on the terminal that standard output goes to as well. */
bool message_was_seen(const char *text);

/* FvSessionParams.log: warns of everything above FV_LOG_INFO. */
void message_log(void *opaque, FvLogLevel level, const char *message);
