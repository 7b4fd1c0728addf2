/*
 * Analyses: what a feature computes from a reference frame alone (FvFeature.analyse), once for all sessions that
 * score this frame: the encodes of fv_score_encodes(). An analysis exists as long as the frame.
 */
#pragma once

#include "device/feature.h"

/* Gives analyses to the frames of one video, and recycles their memory. */
typedef struct FvAnalyses FvAnalyses;

FvStatus fv_analyses_open(FvAnalyses **analyses, FvError *error);
/* Frames may outlive it. */
void fv_analyses_close(FvAnalyses **analyses);

/*
 * Makes sessions share the analyses of this frame. Call it before other threads know the frame. If memory runs out,
 * they do not share.
 */
void fv_analyses_share(FvAnalyses *analyses, FvFrame *reference);

typedef struct FvAnalysis FvAnalysis;

/*
 * Returns the analysis that instances of this feature with these options, format and instruction set share, the same
 * one on every call; NULL: they share none. Thread-safe, as is fv_analysis_need().
 */
FvAnalysis *fv_analysis_of(const FvFeatureInstance *run, const FvFrame *reference);

/* FvFeatureInstance.analysis_bytes, which `analyse` fills. */
void *fv_analysis_memory(const FvAnalysis *analysis);

/*
 * Waits until this part of work->analysis is computed. While another thread computes it, this one computes other
 * parts of [first, end), all of which can be computed already.
 */
void fv_analysis_need(const FvFeatureInstance *run, const FvWork *work, int part, int first, int end);
