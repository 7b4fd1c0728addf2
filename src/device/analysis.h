/*
 * An analysis is the part of a feature that depends on the reference frame alone (FvFeature.analyse). It is computed
 * once for all sessions that score this frame, those of fv_score_encodes(), and lives as long as the frame.
 */
#pragma once

#include "device/feature.h"

/* The analyses of the frames of one video, whose memory is reused. */
typedef struct FvAnalyses FvAnalyses;

FvStatus fv_analyses_open(FvAnalyses **analyses, FvError *error);
/* Closes the analyses. Frames that share them may be released later. */
void fv_analyses_close(FvAnalyses **analyses);

/*
 * Makes sessions share the analyses of this frame. Call it before other threads use the frame. If memory runs out,
 * nothing is shared.
 */
void fv_analyses_share(FvAnalyses *analyses, FvFrame *reference);

typedef struct FvAnalysis FvAnalysis;

/*
 * Returns the analysis that all instances with the feature, options, format and instruction set of `run` share for
 * this frame; NULL: none. Thread-safe, as is fv_analysis_need().
 */
FvAnalysis *fv_analysis_of(const FvFeatureInstance *run, const FvFrame *reference);

/* Returns the memory of FvFeatureInstance.analysis_bytes bytes that FvFeature.analyse fills. */
void *fv_analysis_memory(const FvAnalysis *analysis);

/*
 * Waits until part `part` of work->analysis is computed. While another thread computes it, the calling thread
 * computes other parts in [first, end), all of which must be ready to be computed.
 */
void fv_analysis_need(const FvFeatureInstance *run, const FvWork *work, int part, int first, int end);
