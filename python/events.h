/*
 * A queue of messages and maps from the library to Python. The library's callbacks put them in, in whatever thread
 * they run. The thread that called from Python delivers them with the GIL, so no Python code runs in threads of the
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
    int maps;  /* number of maps in the queue */
    int most;  /* maximum number of maps in the queue; 0: unlimited */
    bool quit; /* the receivers have ended */
} Events;

void events_open(Events *events);
void events_close(Events *events);

/* Empties the queue without delivering anything. */
void events_drop(Events *events);

/* Sets the number of maps in the queue at which the library waits; 0: it never waits. */
void events_limit(Events *events, int most);

/* Ends the receivers: the library stops waiting, and its next map fails. */
void events_quit(Events *events);

void events_line(Events *events, FvLogLevel level, const char *text);

/* Queues a map for receiver `taker`; called by callbacks for FvMapRequest.on_map. */
FvStatus events_map(Events *events, int taker, const FvMap *map, const char *metric, FvError *error);

/*
 * Calls log(level, text) and takers[i](map) for everything in the queue, with the GIL. false after an exception in
 * one of them; the rest stays in the queue.
 */
bool events_deliver(Events *events, Core *core, PyObject *log, PyObject *takers);
