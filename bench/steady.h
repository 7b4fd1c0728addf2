/* Measures the rate of continuous work, on processors that raise their clock under load. */
#pragma once

#include "fovea/fovea.h"

#define STEADY_ROUNDS 7 /* number of measured rounds */

typedef struct Steady {
    double rate[STEADY_ROUNDS];  /* rates of the rounds, sorted */
    double median, best, spread; /* spread: the distance between the quartiles, as a fraction of the median */
    double warm_up;              /* seconds of warming up */
    bool settled;                /* the warm-up ended because consecutive rates agreed */
} Steady;

/* Works for about `seconds` and returns the units done per second. */
typedef FvStatus SteadyWork(void *what, double seconds, double *rate, FvError *error);

/* Waits for work that is still in flight and would slow down the next measurement. */
typedef FvStatus SteadyRest(void *what, FvError *error);

/* Warms up work(what[i]) for each i, then measures them in alternation. `rest` may be NULL. */
FvStatus steady_measure(SteadyWork *work, SteadyRest *rest, void *const what[], int count, double seconds,
                        Steady results[], FvError *error);
