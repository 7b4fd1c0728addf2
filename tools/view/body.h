/* Bodies of answers, and the numbers of requests. */
#pragma once

#include <stdio.h>

#include "view/request.h"

/* Starts a body that is written as a file; NULL without memory. */
FILE *view_body_begin(ViewAnswer *answer, int status, const char *type);

/* Ends it: an answer of 503 when memory ran out, also for file NULL. */
void view_body_end(ViewAnswer *answer, FILE *file);

/* Instead of ending it: an answer of 503. `file` may be NULL. */
void view_body_give_up(ViewAnswer *answer, FILE *file);

/* A message for a person, as JSON. */
void view_body_refuse(ViewAnswer *answer, int status, const char *message);
void view_body_refuse_for(ViewAnswer *answer, FvStatus status, const FvError *error);

/*
 * The encode that encode= names, which counts from 1; the first without it. -1 after a refusal: there is none, or
 * nothing of it can be seen.
 */
int view_body_encode(const View *view, const ViewRequest *request, ViewAnswer *answer);

/*
 * An argument in [0, most]; -1 when it is missing or not such a number. With VIEW_MOST_FRAME a greater number gives
 * that, a frame that no video has.
 */
int64_t view_body_number(const ViewRequest *request, const char *name, int64_t most);
