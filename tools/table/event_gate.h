/* Quality gates on the events of fovea check: the items of --fail-on. */
#pragma once

#include "fovea/check.h"
#include "fovea/fovea.h"

enum { CHECKS = 64 /* maximum number of checks, and of gates on them */ };

typedef struct EventGate {
    char name[64];       /* the item of --fail-on */
    bool checks[CHECKS]; /* an event of these checks fails the video, whatever its severity */
    FvSeverity from;     /* an event of this severity or above fails the video; above FV_SEVERITY_FAIL: none */
} EventGate;

typedef struct EventGates {
    EventGate gates[CHECKS];
    int count;
} EventGates;

/*
 * Judges the events of the distorted video. A gate whose checks could not be made for this video is undefined; checks
 * that the caller left out fail no gate. Prints a clause into `text`, such as "Black, frame 75, and 2 more".
 */
FvGateOutcome event_gate_judge(const EventGate *gate, FvSession *session, char *text, size_t size);

/*
 * Returns whether all gates pass. Prints a message that names the video for each gate that is undefined and, unless
 * `told`, for each that fails.
 */
bool event_gates_pass(const EventGates *gates, FvSession *session, const char *video, bool told);
