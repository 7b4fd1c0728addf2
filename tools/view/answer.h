/*
 * What a viewer's server answers to a request: everything but the sockets. Nothing that a request says names a file,
 * and who does not know the token learns nothing.
 */
#ifndef VIEW_ANSWER_H
#define VIEW_ANSWER_H

#include "view/clip.h"

#define VIEW_TOKEN 32 /* characters */
#define VIEW_MOST_FRAME INT64_C(1000000000000)

typedef struct View {
    ViewClip *clip;
    char token[VIEW_TOKEN + 1];
} View;

typedef struct ViewRequest {
    const char *method, *path; /* "GET", "/TOKEN/scores" */
    const char *host;          /* as the browser names the server; NULL: it does not */
    const char *tag;           /* of what the browser has already (If-None-Match); or NULL */
    /* The value of an argument behind the path, or NULL. */
    const char *(*argument)(void *opaque, const char *name);
    void *opaque;
} ViewRequest;

typedef struct ViewAnswer {
    int status;       /* of HTTP */
    const char *type; /* of the content */
    char *body;       /* to be freed */
    size_t size;
    char tag[64];     /* empty: none */
    char policy[512]; /* of the content; empty: nothing may be loaded */
} ViewAnswer;

/* 128 random bits as hexadecimal digits. False when the system has none. */
bool view_make_token(char token[VIEW_TOKEN + 1]);

/* Thread-safe, as the clip is. */
void view_answer(const View *view, const ViewRequest *request, ViewAnswer *answer);

#endif
