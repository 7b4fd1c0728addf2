/* Who computed the rows of a session. */
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
    for (int i = 0; i < record->carrier_count; i++)
        free(record->carriers[i]);
    for (int i = 0; i < record->decision_count; i++)
        free(record->decisions[i]);
    free(record->decisions);
    *record = (FvRecord){.requested = NULL};
}

FvStatus fv_record_make(FvRecord *record, const FvSession *session, FvError *error)
{
    *record = (FvRecord){.requested = strdup(session->devices.name),
                         .kind = strdup(session->devices.opened[0]->ops->kind),
                         .title = strdup(session->devices.opened[0]->title),
                         .isa = strdup(fv_isa_name(session->devices.isa)),
                         .doubt = session->facts.doubt,
                         .decisions = calloc((size_t)session->facts.decision_count + 1, sizeof *record->decisions)};
    bool good = record->requested && record->kind && record->title && record->isa && record->decisions;
    for (int i = 0; i < session->metrics.count && good; i++) {
        char text[64];
        fv_session_carriers(session, i, text, sizeof text);
        good = (record->carriers[i] = strdup(text)) != NULL;
        record->carrier_count += good;
    }
    for (int i = 0; i < session->facts.decision_count && good; i++) {
        good = (record->decisions[i] = strdup(session->facts.decisions[i])) != NULL;
        record->decision_count += good;
    }
    if (!good)
        fv_record_free(record);
    return good ? FV_OK : fv_fail_memory(error, 256);
}
