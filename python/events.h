/*
 * Messages and maps on their way from the library to Python. The library's callbacks queue them in whatever thread
 * they run, and the thread that called from Python hands them out with the GIL: no Python code runs in threads of the
 * library.
 */
#pragma once

#include <pthread.h>

#include "core.h"

typedef struct Event Event;

typedef struct Events {
    pthread_mutex_t lock;
    pthread_cond_t room;
    Event *first, **end;
    int maps;  /* in the queue */
    int most;  /* maps that may wait; 0: any number */
    bool quit; /* the receivers have ended */
} Events;

void events_open(Events *events);
void events_close(Events *events);

/* Empties the queue without handing anything out. */
void events_drop(Events *events);

/* How many maps may wait before the library waits, too. */
void events_limit(Events *events, int most);

/* The library stops waiting, and the next map ends it. */
void events_quit(Events *events);

void events_line(Events *events, FvLogLevel level, const char *text);

/* For FvMapRequest.take; `taker` says to whom. */
FvStatus events_map(Events *events, int taker, const FvMap *map, const char *metric, FvError *error);

/*
 * Calls log(level, text) and takers[i](map) for everything that waits, with the GIL. False after an exception of one
 * of them; the rest stays in the queue.
 */
bool events_deliver(Events *events, Core *core, PyObject *log, PyObject *takers);
