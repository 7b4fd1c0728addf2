#include "steady.h"

#include <stdlib.h>

#include "clock.h"
#include "order.h"

/*
 * The warm-up ends when AGREEING consecutive rates differ by less than the fraction CLOSE, or after PATIENCE rates.
 */
#define AGREEING 3
#define CLOSE 0.01
#define PATIENCE 8
/* The fraction of a measurement's time for which the work runs first without being measured, after other work. */
#define LEAD 0.2

static bool agree(const double rate[AGREEING])
{
    double least = rate[0], greatest = rate[0];
    for (int i = 1; i < AGREEING; i++) {
        least = rate[i] < least ? rate[i] : least;
        greatest = rate[i] > greatest ? rate[i] : greatest;
    }
    return greatest - least <= CLOSE * greatest;
}

static FvStatus warm_up(SteadyWork *work, void *what, double seconds, Steady *result, FvError *error)
{
    double rate[PATIENCE], start = fv_seconds();
    FvStatus status = FV_OK;
    result->settled = false;
    for (int i = 0; i < PATIENCE && !result->settled && !status; i++) {
        status = work(what, seconds, &rate[i], error);
        result->settled = !status && i + 1 >= AGREEING && agree(&rate[i + 1 - AGREEING]);
    }
    result->warm_up = fv_seconds() - start;
    return status;
}

static void summarise(Steady *result)
{
    double *rate = result->rate;
    qsort(rate, STEADY_ROUNDS, sizeof *rate, fv_compare_reals);
    result->median = rate[STEADY_ROUNDS / 2];
    result->best = rate[STEADY_ROUNDS - 1];
    result->spread = (rate[STEADY_ROUNDS * 3 / 4] - rate[STEADY_ROUNDS / 4]) / result->median;
}

FvStatus steady_measure(SteadyWork *work, SteadyRest *rest, void *const what[], int count, double seconds,
                        Steady results[], FvError *error)
{
    const bool rests = rest && count > 1;
    FvStatus status = FV_OK;
    for (int i = 0; i < count && !status; i++) {
        status = warm_up(work, what[i], seconds, &results[i], error);
        if (!status && rests)
            status = rest(what[i], error);
    }
    for (int round = 0; round < STEADY_ROUNDS && !status; round++)
        for (int i = 0; i < count && !status; i++) {
            double uncounted;
            if (count > 1)
                status = work(what[i], LEAD * seconds, &uncounted, error);
            if (!status)
                status = work(what[i], seconds, &results[i].rate[round], error);
            if (!status && rests)
                status = rest(what[i], error);
        }
    for (int i = 0; i < count && !status; i++)
        summarise(&results[i]);
    return status;
}
