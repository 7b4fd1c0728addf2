/* Writes bodies of answers, and reads numbers in requests. */
#pragma once

#include <stdio.h>

#include "view/request.h"

/* Starts a body. Returns the file to which the caller writes it; NULL: out of memory. */
FILE *view_body_begin(ViewAnswer *answer, int status, const char *type);

/* Ends the body. If memory is exhausted, or `file` is NULL, the answer has status 503. */
void view_body_end(ViewAnswer *answer, FILE *file);

/* Discards the body; the answer has status 503. `file` may be NULL. */
void view_body_give_up(ViewAnswer *answer, FILE *file);

/* Answers with a message for people, as JSON. */
void view_body_refuse(ViewAnswer *answer, int status, const char *message);
void view_body_refuse_for(ViewAnswer *answer, FvStatus status, const FvError *error);

/*
 * Returns the index of the encode that the argument encode= names, counted there from 1; without it, 0. -1: the
 * answer is a refusal, because there is no such encode or it cannot be shown.
 */
int view_body_encode(const View *view, const ViewRequest *request, ViewAnswer *answer);

/*
 * Returns an argument in [0, most]; -1 if it is missing or not such a number. With `most` VIEW_MOST_FRAME, a greater
 * number becomes VIEW_MOST_FRAME, a frame that no video has.
 */
int64_t view_body_number(const ViewRequest *request, const char *name, int64_t most);
