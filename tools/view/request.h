/* The request to a viewer's server, and its answer. */
#pragma once

#include "view/clip.h"

#define VIEW_TOKEN 32 /* number of characters of the token */
#define VIEW_MOST_FRAME INT64_C(1000000000000)

typedef struct View {
    ViewClip *clip;
    char token[VIEW_TOKEN + 1];
    char **arguments; /* arguments of the command, its name first, NULL last; may be NULL */
} View;

typedef struct ViewRequest {
    const char *method, *path; /* "GET", "/TOKEN/scores" */
    const char *host;          /* the server's name in the request, or NULL */
    const char *tag;           /* tag of the copy in the browser's cache (If-None-Match), or NULL */
    /* Returns the value of an argument after the path, or NULL. */
    const char *(*argument)(void *opaque, const char *name);
    void *opaque;
} ViewRequest;

typedef struct ViewAnswer {
    int status;       /* status code of HTTP */
    const char *type; /* media type of the content */
    char *body;       /* the content, which the caller frees */
    size_t size;
    char tag[64];     /* ETag; empty: none */
    char policy[512]; /* content security policy; empty: the page may load nothing */
} ViewAnswer;
