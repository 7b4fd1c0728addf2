/*
 * Answers the requests to a viewer's server: everything but the sockets. No request can name a file, and without the
 * token a request learns nothing.
 */
#pragma once

#include "view/request.h"

/* 128 random bits as hexadecimal digits. False when the system has none. */
bool view_make_token(char token[VIEW_TOKEN + 1]);

/* Whether a request for this path at this host knows the token. */
bool view_answer_admits(const View *view, const char *host, const char *path);

/* Thread-safe, as the clip is. */
void view_answer(const View *view, const ViewRequest *request, ViewAnswer *answer);
