/*
 * Answers the requests to a viewer's server: everything but the sockets. No request can name a file, and without the
 * token a request learns nothing.
 */
#pragma once

#include "view/request.h"

/* Makes a token of 128 random bits, as hexadecimal digits. false: the system gives no random numbers. */
bool view_make_token(char token[VIEW_TOKEN + 1]);

/* Returns whether a request may be answered: its host is allowed, and its path begins with the token. */
bool view_answer_admits(const View *view, const char *host, const char *path);

/* Answers a request. Thread-safe, as the clip is. */
void view_answer(const View *view, const ViewRequest *request, ViewAnswer *answer);
