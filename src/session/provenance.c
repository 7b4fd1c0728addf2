/* Records which devices, and which version of fovea, computed the rows of a session. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "session/state.h"

void fv_record_free(FvRecord *record)
{
    free(record->requested);
    free(record->kind);
    free(record->title);
    free(record->isa);
    for (int i = 0; i < record->device_count; i++)
        free(record->devices[i]);
    for (int i = 0; i < record->decision_count; i++)
        free(record->decisions[i]);
    free(record->decisions);
    fv_events_free(&record->events);
    *record = (FvRecord){.requested = NULL};
}

void fv_session_metric_devices(const FvSession *session, int metric, char *text, size_t size)
{
    const FvRecord *imported = session->facts.imported;
    bool by[2] = {false, false};
    if (imported) {
        snprintf(text, size, "%s", metric < imported->device_count ? imported->devices[metric] : "");
        return;
    }
    for (int w = 0; w < session->metrics.run[metric].feature_count; w++)
        for (int d = 0; d < 2; d++)
            by[d] |= session->devices.placement[d][session->metrics.want[metric][w]] > FV_PLACED_AS_INPUT;
    const char *chosen = session->devices.opened[0]->ops->kind;
    if (by[0] && by[1])
        snprintf(text, size, "%s+%s", chosen, session->devices.opened[1]->ops->kind);
    else
        snprintf(text, size, "%s", by[1] ? session->devices.opened[1]->ops->kind : chosen);
}

FvStatus fv_record_make(FvRecord *record, const FvSession *session, FvError *error)
{
    *record = (FvRecord){.requested = strdup(session->devices.name),
                         .kind = strdup(session->devices.opened[0]->ops->kind),
                         .title = strdup(session->devices.opened[0]->title),
                         .isa = strdup(fv_isa_name(session->devices.isa)),
                         .decisions = calloc((size_t)session->facts.decision_count + 1, sizeof *record->decisions),
                         .compared = session->facts.compared,
                         .differs = session->facts.differs};
    bool good = record->requested && record->kind && record->title && record->isa && record->decisions;
    for (int i = 0; i < session->metrics.count && good; i++) {
        char text[64];
        fv_session_metric_devices(session, i, text, sizeof text);
        good = (record->devices[i] = strdup(text)) != NULL;
        record->device_count += good;
    }
    for (int i = 0; i < session->facts.decision_count && good; i++) {
        good = (record->decisions[i] = strdup(session->facts.decisions[i])) != NULL;
        record->decision_count += good;
    }
    good = good && !fv_events_add_all(&record->events, &session->facts.events, error);
    if (!good)
        fv_record_free(record);
    return good ? FV_OK : fv_fail_memory(error, 256);
}
