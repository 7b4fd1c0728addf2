/* The events of a session: findings about the videos, each with its data and a sentence. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "session/state.h"

static char *copy_text(const char *text, bool *good)
{
    char *copy = text ? strdup(text) : NULL;
    *good &= !text || copy;
    return copy;
}

static void free_event(const FvEvent *event)
{
    free((void *)event->kind);
    free((void *)event->severity);
    free((void *)event->fit);
    free((void *)event->unit);
    free((void *)event->text);
    free((void *)event->remedy);
}

void fv_events_free(FvEvents *events)
{
    for (int i = 0; i < events->count; i++)
        free_event(&events->event[i]);
    free(events->event);
    *events = (FvEvents){.count = 0};
}

FvStatus fv_events_add(FvEvents *events, const FvEvent *event, FvError *error)
{
    bool good = true;
    for (int i = 0; i < events->count; i++)
        if (!strcmp(events->event[i].text, event->text))
            return FV_OK;
    FvEvent copy = *event, *grown = realloc(events->event, (size_t)(events->count + 1) * sizeof copy);
    events->event = grown ? grown : events->event;
    copy.kind = copy_text(event->kind, &good);
    copy.severity = copy_text(event->severity ? event->severity : "warning", &good);
    copy.fit = copy_text(event->fit, &good);
    copy.unit = copy_text(event->unit, &good);
    copy.text = copy_text(event->text, &good);
    copy.remedy = copy_text(event->remedy, &good);
    if (!grown || !good) {
        free_event(&copy);
        return fv_fail_memory(error, sizeof copy);
    }
    events->event[events->count++] = copy;
    return FV_OK;
}

FvStatus fv_events_add_all(FvEvents *events, const FvEvents *from, FvError *error)
{
    FvStatus status = FV_OK;
    for (int i = 0; i < from->count && !status; i++)
        status = fv_events_add(events, &from->event[i], error);
    return status;
}

int fv_session_events(const FvSession *session)
{
    return session ? session->facts.events.count : 0;
}

const FvEvent *fv_session_event(const FvSession *session, int i)
{
    return session && i >= 0 && i < session->facts.events.count ? &session->facts.events.event[i] : NULL;
}

/* ---- Events in JSON -------------------------------------------------------------------------------------------- */

static const char *const side_names[] = {"reference", "distorted"};

static void write_remedy(FvJson *json, const char *remedy)
{
    fv_json_open(json, "remedy", '[');
    for (const char *at = remedy ? remedy : ""; *at;) {
        char parameter[128];
        const size_t length = strcspn(at, " ");
        snprintf(parameter, sizeof parameter, "%.*s", (int)length, at);
        fv_json_text(json, NULL, parameter);
        at += length + (at[length] == ' ');
    }
    fv_json_close(json);
}

static void write_frame(FvJson *json, const char *name, bool known, int64_t frame)
{
    if (known)
        fv_json_int(json, name, frame);
    else
        fv_json_null(json, name);
}

void fv_event_write(FvJson *json, const FvEvent *event, const FvSession *session)
{
    const bool placed = event->frames != 0;
    fv_json_open_line(json, NULL, '{');
    fv_json_text(json, "kind", event->kind);
    fv_json_text(json, "severity", event->severity);
    fv_json_text(json, "side", event->sided ? side_names[event->side] : NULL);
    write_frame(json, "first", placed, event->first);
    write_frame(json, "last", event->frames > 0, event->first + event->frames - 1);
    if (session) {
        char timecode[FV_TIMECODE_TEXT];
        const double time = placed ? fv_session_time(session, event->first) : NAN;
        fv_json_number(json, "time", time);
        const bool coded = placed && fv_session_timecode(session, event->first, timecode);
        fv_json_text(json, "timecode", coded ? timecode : NULL);
    }
    fv_json_text(json, "fit", event->fit);
    write_frame(json, "gain", event->gain != 0, event->gain);
    fv_json_number(json, "value", event->unit ? event->value : NAN);
    fv_json_text(json, "unit", event->unit);
    fv_json_text(json, "text", event->text);
    write_remedy(json, event->remedy);
    fv_json_close(json);
}

static int64_t frame_of(const FvNode *node, const char *name)
{
    const FvNode *frame = fv_node_member(node, name);
    return fv_node_is(frame, FV_NODE_INTEGER) ? fv_node_integer(frame) : -1;
}

FvStatus fv_event_read(FvEvents *events, const FvNode *node, bool *good, FvError *error)
{
    const char *side = fv_member_text(node, "side");
    const int64_t first = frame_of(node, "first"), last = frame_of(node, "last");
    const int64_t gain = frame_of(node, "gain");
    const FvNode *remedy = fv_node_member(node, "remedy"), *value = fv_node_member(node, "value");
    char parameters[512] = "";
    FvEvent event = {.kind = fv_member_text(node, "kind"),
                     .severity = fv_member_text(node, "severity"),
                     .sided = side != NULL,
                     .side = side && !strcmp(side, side_names[FV_DISTORTED]) ? FV_DISTORTED : FV_REFERENCE,
                     .first = first >= 0 ? first : 0,
                     .frames = first < 0      ? 0
                               : last < first ? -1
                                              : last - first + 1,
                     .fit = fv_member_text(node, "fit"),
                     .gain = gain > 0 && gain <= FV_EVENT_MOST_GAIN ? (int)gain : 0,
                     .unit = fv_member_text(node, "unit"),
                     .value = fv_node_is_number(value) ? fv_node_number(value) : 0,
                     .text = fv_member_text(node, "text")};
    *good = event.kind && event.severity && event.text;
    for (size_t i = 0; i < fv_node_items(remedy); i++) {
        const char *parameter = fv_node_text(fv_node_item(remedy, i));
        const size_t used = strlen(parameters);
        *good &= parameter != NULL;
        if (parameter)
            snprintf(parameters + used, sizeof parameters - used, "%s%s", used ? " " : "", parameter);
    }
    event.remedy = *parameters ? parameters : NULL;
    return *good ? fv_events_add(events, &event, error) : FV_OK;
}
