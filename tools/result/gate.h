/* Quality gates: "psnr_hvs=35:p5" as given to --fail-below and --fail-above. */
#ifndef GATE_H
#define GATE_H

#include "cli/args.h"
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

/* FV_OK, or a status after a message. gates_free in any case. */
FvStatus gates_parse(Gates *gates, const ArgList *below, const ArgList *above);

/*
 * Whether the started session has the scores that the gates name, and each gate fits the direction of its score.
 * FV_OK, or FV_ERROR_USAGE after a message.
 */
FvStatus gates_check(const Gates *gates, FvSession *session);

/* Whether the scores pass all; says which they do not. */
bool gates_pass(const Gates *gates, const FvSession *session);

void gates_free(Gates *gates);

#endif
