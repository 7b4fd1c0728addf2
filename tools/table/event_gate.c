#include "table/event_gate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"

FvGateOutcome event_gate_judge(const EventGate *gate, FvSession *session, char *text, size_t size)
{
    const char *reason = NULL;
    bool made = gate->from <= FV_SEVERITY_FAIL;
    for (int i = 0; i < fv_check_count(); i++) {
        FvCheckResult result;
        if (!gate->checks[i] || !fv_session_check(session, i, &result))
            continue;
        made |= !result.reason;
        reason = result.reason && strcmp(result.reason, "not asked for") ? result.reason : reason;
    }
    const FvCheckEvent *first = NULL;
    int found = 0;
    for (int i = 0; i < fv_session_check_events(session); i++) {
        const FvCheckEvent *event = fv_session_check_event(session, i);
        if (event->side != FV_DISTORTED || (!gate->checks[event->check] && event->severity < gate->from))
            continue;
        first = first ? first : event;
        found++;
    }
    if (first) {
        snprintf(text, size, "%s, frame %" PRId64, fv_check_info(first->check)->title, first->first);
        if (found > 1)
            snprintf(text + strlen(text), size - strlen(text), ", and %d more", found - 1);
        return FV_GATE_FAILED;
    }
    snprintf(text, size, "%s", made || !reason ? "no event" : reason);
    return made || !reason ? FV_GATE_PASSED : FV_GATE_UNDEFINED;
}

bool event_gates_pass(const EventGates *gates, FvSession *session, const char *video, bool told)
{
    bool pass = true;
    for (int i = 0; i < gates->count; i++) {
        char text[256];
        const char *name = gates->gates[i].name;
        const FvGateOutcome outcome = event_gate_judge(&gates->gates[i], session, text, sizeof text);
        if (outcome == FV_GATE_UNDEFINED)
            report_error(FV_FAIL_UNDEFINED,
                         "quality gate undefined by --fail-on %s for %s: %s; name other checks in --fail-on", name,
                         video, text);
        if (outcome == FV_GATE_FAILED && !told)
            report_error(EXIT_FAILURE, "quality gate failed by --fail-on %s for %s: %s", name, video, text);
        pass &= outcome == FV_GATE_PASSED;
    }
    return pass;
}
