/* What the session's device lends to the sources of one scoring: memory, decoders, and which samples it needs. */
#pragma once

#include "score/scoring.h"

/* Whether the CPU has decoded the videos before a hardware decoder gives its first picture. */
bool fv_lend_is_short(const FvScoring *scoring, const FvSource *source);

/* After the start of the session: leaves preparations to the device where it can do them. */
FvStatus fv_lend_preparations(FvScoring *scoring, FvError *error);

/* After that: lends to the sources, until everything is taken back. */
void fv_lend(const FvScoring *scoring);
void fv_lend_take_back(const FvScoring *scoring);

/* Tells what decoded each video, where there was a choice. */
FvStatus fv_lend_tell_decoders(const FvScoring *scoring, FvError *error);
