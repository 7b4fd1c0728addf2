/* The answers to requests, each defined in its own file. */
#pragma once

#include "view/request.h"

void view_answer_page(const View *view, ViewAnswer *answer);
void view_answer_clip(const View *view, ViewAnswer *answer);
void view_answer_scores(const View *view, const ViewRequest *request, ViewAnswer *answer);
void view_answer_pool(const View *view, const ViewRequest *request, ViewAnswer *answer);
void view_answer_times(const View *view, const ViewRequest *request, ViewAnswer *answer);
void view_answer_frame(const View *view, const ViewRequest *request, ViewAnswer *answer);
void view_answer_thumb(const View *view, const ViewRequest *request, ViewAnswer *answer);
void view_answer_coding(const View *view, const ViewRequest *request, ViewAnswer *answer);
void view_answer_packets(const View *view, const ViewRequest *request, ViewAnswer *answer);
void view_answer_map(const View *view, const ViewRequest *request, ViewAnswer *answer);

/* Returns whether a request may set this option: its value must not be able to name a file. */
bool view_answer_is_open(const FvOptionInfo *option);
