/*
 * Attaches to the sources of a run the services of the session's device, memory and decoders, and the list of needed
 * samples.
 */
#pragma once

#include "score/scoring.h"

/*
 * Returns whether the video is so short that the CPU decodes it before a hardware decoder delivers its first picture.
 */
bool fv_services_is_short_video(const FvScoring *scoring, const FvSource *source);

/*
 * Leaves preparations and the decoding of ProRes to the device if it can do them. Call it after the start of the
 * session.
 */
FvStatus fv_services_defer(FvScoring *scoring, FvError *error);

/* Attaches the services to the sources, until they are detached. Call it after fv_services_defer(). */
void fv_services_attach(FvScoring *scoring);
void fv_services_detach(const FvScoring *scoring);

/* Records which decoder each video used, if there was a choice. */
FvStatus fv_services_report_decoders(const FvScoring *scoring, FvError *error);
