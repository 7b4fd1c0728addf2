/*
 * Answers the requests to a viewer's server: everything but the sockets. No request can name a file, and without the
 * token a request learns nothing.
 */
#pragma once

#include "view/request.h"

/* 128 random bits as hexadecimal digits. False when the system has none. */
bool view_make_token(char token[VIEW_TOKEN + 1]);

/* Thread-safe, as the clip is. */
void view_answer(const View *view, const ViewRequest *request, ViewAnswer *answer);
