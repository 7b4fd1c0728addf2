/*
 * What a feature makes of a frame of the reference alone (FvFeature.analyse), once for all sessions that score this
 * frame: the pairs of fv_score_encodes. It lives as long as the frame.
 */
#pragma once

#include "device/feature.h"

/* Gives analyses to the frames of one video, and recycles their memory. */
typedef struct FvAnalyses FvAnalyses;

FvStatus fv_analyses_open(FvAnalyses **analyses, FvError *error);
/* Frames may outlive it. */
void fv_analyses_close(FvAnalyses **analyses);

/* Before other threads know the frame: sessions share what they make of it. Short of memory, they do not. */
void fv_analyses_share(FvAnalyses *analyses, FvFrame *reference);

typedef struct FvAnalysis FvAnalysis;

/*
 * The analysis that runs of this feature with these options, format and instruction set share, the same one whenever
 * it is asked for; NULL: they share none. Thread-safe, as is the next one.
 */
FvAnalysis *fv_analysis_of(const FvRun *run, const FvFrame *reference);

/* FvRun.analysis_bytes, which `analyse` fills. */
void *fv_analysis_memory(const FvAnalysis *analysis);

/*
 * Returns when this part of work->analysis is made. While another thread makes it, this one makes others of
 * [first, end), all of which can be made already.
 */
void fv_analysis_need(const FvRun *run, const FvWork *work, int part, int first, int end);
