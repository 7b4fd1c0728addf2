/* Quality gates: --fail-below and --fail-above with values such as "psnr_hvs=35:p5". */
#pragma once

#include "cli/options.h"
#include "fovea/fovea.h"

typedef struct Gate {
    const char *text; /* as it was given */
    char output[96];
    double limit;
    FvPool pool;
    bool above; /* fails above the limit instead of below */
} Gate;

typedef struct Gates {
    Gate *gates;
    int count;
} Gates;

/* "SCORE=VALUE[:POOL]" as `option` was given it. FV_ERROR_USAGE after a message. */
FvStatus gate_parse(Gate *gate, const char *option, const char *text);

/* FV_OK, or a status after a message. gates_free in any case. */
FvStatus gates_parse(Gates *gates, const Options *options);

/*
 * Adds the gates to the started session. FV_ERROR_USAGE after a message when it lacks a score that a gate names, or
 * when a gate does not fit the direction of its score.
 */
FvStatus gates_check(const Gates *gates, FvSession *session);

/* Whether the scores pass a gate. `text` gets a sentence about it: "VMAF, mean: 65.15 is not below 60". */
bool gate_describe(const Gate *gate, const FvSession *session, char *text, size_t size);

/*
 * Whether the scores pass all gates. A message names each that fails, unless a table did it on the same terminal.
 */
bool gates_pass(const Gates *gates, const FvSession *session, bool table);

void gates_free(Gates *gates);
