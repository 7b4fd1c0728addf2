/* Finds the worst frames of a session by one of its scores. */
#include <math.h>

#include "base/error.h"
#include "session/state.h"

const char *fv_better_name(FvBetter better)
{
    switch (better) {
    case FV_HIGHER_IS_BETTER:
        return "higher";
    case FV_LOWER_IS_BETTER:
        return "lower";
    case FV_NEITHER_IS_BETTER:
        return "neither";
    }
    return NULL;
}

static bool is_near(const int64_t *frames, int count, int64_t frame, int64_t apart)
{
    for (int i = 0; i < count; i++)
        if (frame < frames[i] + apart && frames[i] < frame + apart)
            return true;
    return false;
}

int fv_session_worst(const FvSession *session, int output, int64_t apart, int64_t *frames, int count)
{
    FV_FLOAT_MODE;
    const FvOutputInfo *info = fv_session_output(session, output);
    int found = 0;
    if (!info || info->sequence || info->better == FV_NEITHER_IS_BETTER || !frames || apart < 1 ||
        apart > INT64_MAX / 2)
        return 0;
    const bool higher = info->better == FV_HIGHER_IS_BETTER;
    for (int64_t worst = 0; worst >= 0 && found < count;) {
        double at = NAN;
        worst = -1;
        for (int64_t i = 0; i < session->scores.frames; i++) {
            const double value = fv_session_value(session, i, output);
            if (isnan(value) || (worst >= 0 && (higher ? value >= at : value <= at)) ||
                is_near(frames, found, i, apart))
                continue;
            worst = i;
            at = value;
        }
        if (worst >= 0)
            frames[found++] = worst;
    }
    return found;
}
