#include "table/worst.h"

#include <math.h>
#include <stdlib.h>

typedef struct Scored {
    int64_t number;
    double badness;
} Scored;

static int worse_first(const void *a, const void *b)
{
    const Scored *x = a, *y = b;
    if (x->badness != y->badness)
        return x->badness > y->badness ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

int64_t *worst_frames(const FvSession *session, int64_t most, int64_t *count)
{
    int64_t frames = fv_session_frames(session);
    bool higher = fv_session_output(session, 0)->better == FV_HIGHER_IS_BETTER;
    Scored *scored = malloc((size_t)(frames + 1) * sizeof *scored);
    int64_t *numbers = malloc((size_t)(frames + 1) * sizeof *numbers);
    *count = frames < most ? frames : most;
    for (int64_t i = 0; scored && i < frames; i++) {
        double value = fv_session_value(session, i, 0);
        scored[i] = (Scored){fv_session_frame_number(session, i), isnan(value) ? -INFINITY : higher ? -value : value};
    }
    if (scored)
        qsort(scored, (size_t)frames, sizeof *scored, worse_first);
    for (int64_t i = 0; scored && numbers && i < *count; i++)
        numbers[i] = scored[i].number;
    if (!scored) {
        free(numbers);
        numbers = NULL;
    }
    free(scored);
    return numbers;
}
