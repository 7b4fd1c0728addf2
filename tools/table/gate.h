/* Parses and judges quality gates: --fail-below and --fail-above with values such as "psnr_hvs=35:p5". */
#pragma once

#include "cli/options.h"
#include "fovea/fovea.h"
#include "table/event_gate.h"

typedef struct Gate {
    const char *text; /* the gate as the user wrote it */
    char output[96];
    double limit;
    FvPool pool;
    bool above; /* the gate fails above the limit instead of below it */
} Gate;

typedef struct Gates {
    Gate *gates;
    int count;
    const EventGates *events; /* gates on events of fovea check; or NULL */
} Gates;

/*
 * Parses `text`, "SCORE=VALUE[:POOL]", which was given to `option`. On failure, prints a message and returns
 * FV_ERROR_USAGE.
 */
FvStatus gate_parse(Gate *gate, const char *option, const char *text);

/*
 * Parses the gates of the options. On failure, prints a message and returns its status. Call gates_free in any case.
 */
FvStatus gates_parse(Gates *gates, const Options *options);

/*
 * Adds the gates to the started session. If the session lacks a score that a gate names, or a gate does not fit the
 * direction of its score, prints a message and returns FV_ERROR_USAGE.
 */
FvStatus gates_check(const Gates *gates, FvSession *session);

/*
 * Returns whether the scores pass a gate. Prints a sentence into `text`, such as "VMAF, mean: 65.15 is not below 60".
 */
bool gate_describe(const Gate *gate, const FvSession *session, char *text, size_t size);

/*
 * Returns whether the scores pass all gates. Prints a message for each gate that fails, unless `table`: a table on
 * the same terminal has named them.
 */
bool gates_pass(const Gates *gates, const FvSession *session, bool table);

void gates_free(Gates *gates);
