/* The sessions of a context, which compute scores from pictures. Callers must hold the context's lock. */
#pragma once

#include "context.h"

/* Opens the sessions for pictures of this format. */
int lv_sessions_start(VmafContext *context, const VmafPicture *picture);

/* Fetches the scores of every picture that was read. */
int lv_sessions_take(VmafContext *context);

/* Fetches all scores after the last picture, including those that are known only at the end. */
int lv_sessions_end(VmafContext *context);

/* Logs an error of fovea. Returns the negative errno for it. */
int lv_sessions_fail(FvStatus status, const FvError *error);
