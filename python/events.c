#include "events.h"

#include <stdlib.h>
#include <string.h>

#include "map.h"

struct Event {
    Event *next;
    int taker; /* index of the receiver of a map; negative: the event is a line of text */
    FvLogLevel level;
    char *text;
    float *numbers;
    FvMap map; /* the map without its data, which are `numbers` */
    const char *metric;
};

void events_open(Events *events)
{
    *events = (Events){.end = NULL};
    events->end = &events->first;
    pthread_mutex_init(&events->lock, NULL);
    pthread_cond_init(&events->room, NULL);
}

static void drop(Event *event)
{
    free(event->text);
    free(event->numbers);
    free(event);
}

static Event *take_event(Events *events)
{
    pthread_mutex_lock(&events->lock);
    Event *event = events->first;
    if (event) {
        events->first = event->next;
        events->end = event->next ? events->end : &events->first;
        events->maps -= event->taker >= 0;
        pthread_cond_signal(&events->room);
    }
    pthread_mutex_unlock(&events->lock);
    return event;
}

void events_drop(Events *events)
{
    for (Event *event; (event = take_event(events));)
        drop(event);
}

void events_close(Events *events)
{
    events_drop(events);
    pthread_cond_destroy(&events->room);
    pthread_mutex_destroy(&events->lock);
}

void events_limit(Events *events, int most)
{
    pthread_mutex_lock(&events->lock);
    events->most = most;
    pthread_cond_signal(&events->room);
    pthread_mutex_unlock(&events->lock);
}

void events_quit(Events *events)
{
    pthread_mutex_lock(&events->lock);
    events->quit = true;
    pthread_cond_signal(&events->room);
    pthread_mutex_unlock(&events->lock);
}

/* Queues an event, which it then owns. false: there are no receivers any more. */
static bool put_event(Events *events, Event *event)
{
    pthread_mutex_lock(&events->lock);
    while (event->taker >= 0 && events->most && events->maps >= events->most && !events->quit)
        pthread_cond_wait(&events->room, &events->lock);
    const bool good = !events->quit;
    if (good) {
        *events->end = event;
        events->end = &event->next;
        events->maps += event->taker >= 0;
    } else
        drop(event);
    pthread_mutex_unlock(&events->lock);
    return good;
}

void events_line(Events *events, FvLogLevel level, const char *text)
{
    Event *event = calloc(1, sizeof *event);
    if (!event)
        return;
    event->taker = -1;
    event->level = level;
    event->text = strdup(text);
    put_event(events, event);
}

FvStatus events_map(Events *events, int taker, const FvMap *map, const char *metric, FvError *error)
{
    Event *event = calloc(1, sizeof *event);
    float *numbers = event ? map_copy(map) : NULL;
    if (!numbers) {
        free(event);
        *error = (FvError){.status = FV_ERROR_MEMORY, .message = "out of memory for a map"};
        return error->status;
    }
    *event = (Event){.taker = taker, .numbers = numbers, .map = *map, .metric = metric};
    if (put_event(events, event))
        return FV_OK;
    *error = (FvError){.status = FV_ERROR_PARTIAL, .message = "stopped on request"};
    return error->status;
}

static PyObject *hand_out(Event *event, Core *core, PyObject *log, PyObject *takers)
{
    if (event->taker < 0)
        return log == Py_None || !event->text ? Py_NewRef(Py_None)
                                              : PyObject_CallFunction(log, "is", (int)event->level, event->text);
    PyObject *map = map_make(core, event->numbers, &event->map, event->metric);
    event->numbers = NULL;
    PyObject *taker = map ? PyList_GetItem(takers, event->taker) : NULL;
    PyObject *result = taker ? PyObject_CallFunctionObjArgs(taker, map, NULL) : NULL;
    Py_XDECREF(map);
    return result;
}

bool events_deliver(Events *events, Core *core, PyObject *log, PyObject *takers)
{
    for (Event *event; (event = take_event(events));) {
        PyObject *result = hand_out(event, core, log, takers);
        drop(event);
        if (!result) {
            events_drop(events);
            return false;
        }
        Py_DECREF(result);
    }
    return true;
}
