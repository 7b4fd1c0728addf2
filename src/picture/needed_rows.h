/* The rows of a plane that are needed: all of them, or the rows near every step-th one. */
#pragma once

#include <limits.h>

typedef struct FvNeededRows {
    int step, reach; /* rows up to `reach` away from a multiple of `step`, 2 reach + 1 < step; step 0: all rows */
} FvNeededRows;

static inline FvNeededRows fv_needed_rows(int step, int reach)
{
    return 2 * reach + 1 < step ? (FvNeededRows){step, reach} : (FvNeededRows){0, 0};
}

/* Returns rows that include those of a and of b, and possibly more. */
static inline FvNeededRows fv_needed_rows_of_both(FvNeededRows a, FvNeededRows b)
{
    if (a.step != b.step)
        return (FvNeededRows){0, 0};
    return (FvNeededRows){a.step, a.reach > b.reach ? a.reach : b.reach};
}

/* Returns the first needed row from row y on. */
static inline int fv_needed_rows_next(FvNeededRows needed, int y)
{
    const int past = needed.step ? y % needed.step : 0;
    return past <= needed.reach || needed.step - past <= needed.reach ? y : y + needed.step - needed.reach - past;
}

/* Returns the end of the run of needed rows that contains row y, or of the next run if row y is not needed. */
static inline int fv_needed_rows_end(FvNeededRows needed, int y)
{
    if (!needed.step)
        return INT_MAX;
    const int past = y % needed.step;
    return y - past + (past <= needed.reach ? 0 : needed.step) + needed.reach + 1;
}
