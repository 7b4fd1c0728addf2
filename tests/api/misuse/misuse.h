/* Valid arguments for all files of this test, and the macro that adds a case. */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "fovea/fovea.h"
#include "tap/tap.h"

#define WRONG 99 /* a value that no enum has */

/* Valid arguments of the calls, which main.c makes. */
static const FvFormat format = {.width = 48, .height = 32, .chroma = FV_CHROMA_420, .depth = 8};
extern char folder[32], video[64], output_path[64];
extern FvSession *session;
extern FvSource *source;
extern FvFrame *frame;
extern FvDeviceList *devices;
extern FvOutput *output;
extern FvCancel *cancel;
extern const void *planes[3];

extern FvError error;
extern Tap tap;
extern bool listing;

/* Adds a case: a call of `function`, and whether it did what it must. With --list, prints the function's name. */
#define CHECK(function, good)                                                                                        \
    do {                                                                                                             \
        error = (FvError){0};                                                                                        \
        if (listing)                                                                                                 \
            puts(#function);                                                                                         \
        else                                                                                                         \
            tap_case(&tap, good, #good, error.message);                                                              \
    } while (0)

/* Returns whether a call failed with FV_ERROR_USAGE and a message. */
bool usage(FvStatus status);

/* Returns a started session, the same on each call. */
FvSession *started(void);

/* Returns a second source of the video, the same on each call. */
FvSource *other_source(void);

/* A release callback that counts its calls in the int at `opaque`. */
void count_release(void *opaque);

/* Each adds the cases of some public headers. */
void check_pictures(void);
void check_sources(void);
void check_outputs(void);
void check_lists(void);
void check_correlations(void);
void check_curves(void);
void check_ladders(void);
void check_sessions(void);
void check_scores(void);
void check_plans(void);
void check_params(void);
