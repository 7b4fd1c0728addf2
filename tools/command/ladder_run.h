/* The run over several pairs, for the files named ladder. */
#pragma once

#include "cli/progress.h"
#include "command/job.h"
#include "result/ladder.h"

typedef struct Pair {
    struct Run *run;
    Options options; /* of its own */
    Rung *rung;
    Job job; /* while it is scored */
    FvStatus status;
    Shards shards;         /* when it is done */
    char *path[2];         /* of each side, by its shards; NULL: not known */
    int64_t frames, total; /* scored so far; -1: not known */
} Pair;

typedef struct Run {
    const Options *options;
    const ArgList *references, *encodes;
    ArgList reports; /* of each pair, its file in the folder; or empty */
    /* A LadderMerger makes the sessions, with `opaque`; NULL: the encodes are scored. */
    FvStatus (*merger)(void *opaque, int number, FvSession **session, FvError *error);
    void *opaque;
    Pair *pairs;
    Ladder ladder;
    ProgressStyle style;
    const FvCancel *cancel;
    uint64_t gpu;   /* bytes of its memory; 0: the CPU scores */
    bool shares;    /* the pairs have one reference, which they read side by side */
    double started; /* seconds of the clock */
} Run;
