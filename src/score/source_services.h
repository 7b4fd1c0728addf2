/*
 * Attaches the services of a session's device to the sources of a run: memory, decoders, and the samples that it
 * needs.
 */
#pragma once

#include "score/scoring.h"

/* Returns whether the video is so short that the CPU decodes it before a hardware decoder gives its first picture. */
bool fv_services_is_short_video(const FvScoring *scoring, const FvSource *source);

/*
 * Leaves preparations and the decoding of ProRes to the device if it can do them. Call it after the start of the
 * session.
 */
FvStatus fv_services_defer(FvScoring *scoring, FvError *error);

/* Attaches the services to the sources, until they are detached. Call it after fv_services_defer(). */
void fv_services_attach(const FvScoring *scoring);
void fv_services_detach(const FvScoring *scoring);

/* Records which decoder each video used, if there was a choice. */
FvStatus fv_services_report_decoders(const FvScoring *scoring, FvError *error);
