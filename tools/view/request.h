/* A request to the viewer's server, and the answer. */
#pragma once

#include "view/clip.h"

#define VIEW_TOKEN 32 /* characters */
#define VIEW_MOST_FRAME INT64_C(1000000000000)

typedef struct View {
    ViewClip *clip;
    char token[VIEW_TOKEN + 1];
    char **arguments; /* of the command, its name first, NULL last; may be NULL */
} View;

typedef struct ViewRequest {
    const char *method, *path; /* "GET", "/TOKEN/scores" */
    const char *host;          /* the server's name in the request, or NULL */
    const char *tag;           /* of the copy that the browser has (If-None-Match), or NULL */
    /* The value of an argument after the path, or NULL. */
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
