/* Restores scores that were computed earlier into a session that never scores. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "session/state.h"

FvStatus fv_session_restore(FvSession *session, const FvRestored *from, FvError *error)
{
    FvScores *scores = &session->scores;
    const size_t count = (size_t)from->frames * (size_t)scores->column_count;
    double *values = malloc(count * sizeof *values + 1);
    int64_t *numbers = malloc((size_t)from->frames * sizeof *numbers + 1);
    if (!values || !numbers) {
        free(values);
        free(numbers);
        return fv_fail_memory(error, count * sizeof *values);
    }
    memcpy(values, from->values, count * sizeof *values);
    memcpy(numbers, from->numbers, (size_t)from->frames * sizeof *numbers);
    free(scores->values);
    free(scores->number);
    scores->values = values;
    scores->number = numbers;
    scores->frames = scores->capacity = from->frames;
    for (int c = 0; c < scores->column_count; c++)
        scores->columns[c].sequence = from->sequence[c];
    if (from->version) {
        snprintf(session->facts.version, sizeof session->facts.version, "%s", from->version);
        session->facts.numerics = from->numerics;
    }
    fv_session_stop(session);
    session->state = FV_SESSION_FINISHED;
    return FV_OK;
}

const char *fv_session_version(const FvSession *session)
{
    return *session->facts.version ? session->facts.version : fv_version();
}

int fv_session_numerics(const FvSession *session)
{
    return *session->facts.version ? session->facts.numerics : fv_numerics_version();
}
