/*
 * Attaches the services of a session's device to the sources of a run: memory, decoders, and the samples that it
 * needs.
 */
#pragma once

#include "score/scoring.h"

/* Returns whether the video is so short that the CPU decodes it before a hardware decoder gives its first picture. */
bool fv_lend_is_short(const FvScoring *scoring, const FvSource *source);

/* Leaves preparations to the device if it can do them. Call it after the start of the session. */
FvStatus fv_lend_preparations(FvScoring *scoring, FvError *error);

/* Attaches the services to the sources, until they are detached. Call it after fv_lend_preparations(). */
void fv_lend(const FvScoring *scoring);
void fv_lend_take_back(const FvScoring *scoring);

/* Records which decoder each video used, if there was a choice. */
FvStatus fv_lend_tell_decoders(const FvScoring *scoring, FvError *error);
