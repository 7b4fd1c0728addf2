/* The sessions of a context, which compute scores from pictures. For callers who hold its lock. */
#pragma once

#include "context.h"

/* Opens the sessions for pictures of this format. */
int lv_sessions_start(VmafContext *context, const VmafPicture *picture);

/* Takes the scores of every picture that was read. */
int lv_sessions_take(VmafContext *context);

/* The same after the last picture, with the scores that are known only at the end. */
int lv_sessions_end(VmafContext *context);

/* Logs an error of fovea. Returns the number of errno.h for it. */
int lv_sessions_fail(FvStatus status, const FvError *error);
