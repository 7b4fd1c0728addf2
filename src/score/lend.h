/* What sources get from the device for one scoring: its memory, its decoders, and which planes need not be read. */
#ifndef FV_SCORE_LEND_H
#define FV_SCORE_LEND_H

#include "score/scoring.h"

/* Lends to both sources, or takes everything back. `started`: the session has started. */
void fv_lend_all(const FvScoring *scoring, FvSource *reference, FvSource *distorted, bool started, bool lend);

/* Leaves preparations to the device where it can. */
FvStatus fv_lend_preparations(FvScoring *scoring, FvError *error);

/* Who decoded, where it could have been somebody else. */
FvStatus fv_lend_tell_decoders(const FvScoring *scoring, FvError *error);

#endif
