/* Quality gates: "psnr_hvs=35:p5" as given to --fail-below and --fail-above. */
#ifndef GATE_H
#define GATE_H

#include "args.h"
#include "fovea/fovea.h"

typedef struct Gate {
    const char *text; /* as it was given */
    char output[96];
    double limit;
    FvPool pool;
    bool above; /* fails above the limit instead of below */
} Gate;

/* FV_OK, or FV_ERROR_USAGE after a message. */
FvStatus gate_parse(Gate *gate, const char *text, bool above);

/*
 * Whether the started session has the gate's output and the gate fits its direction. FV_OK, or FV_ERROR_USAGE
 * after a message.
 */
FvStatus gate_check(const Gate *gate, const FvSession *session);

/* Whether the scores pass; says so when not. */
bool gate_passes(const Gate *gate, const FvSession *session);

#endif
