/* The state of a run over several pairs, shared by the ladder*.c files. */
#pragma once

#include "cli/progress.h"
#include "command/job.h"
#include "encodes/ladder.h"

typedef struct Pair {
    struct Run *run;
    Options options; /* this pair's copy of the options */
    EncodeResult *result;
    Job job; /* the job while the pair is scored */
    FvStatus status;
    Shards shards;         /* the pair's shards, kept until the run ends */
    char *path[2];         /* path of each video, as the shards state it; NULL: unknown */
    int64_t frames, total; /* (`frames`) number of frames scored so far; (`total`) of all frames; -1: unknown */
    int64_t about;         /* estimate of `total`; -1: unknown */
    bool ended;            /* the pair was scored or refused */
} Pair;

typedef struct Run {
    const Options *options;
    const ArgList *references, *encodes;
    ArgList reports; /* path of each pair's report in the folder; or empty */
    /* A LadderMerger makes the sessions, with `opaque`; NULL: the encodes are scored. */
    FvStatus (*merger)(void *opaque, int number, FvSession **session, FvError *error);
    void *opaque;
    Pair *pairs;
    Ladder ladder;
    ProgressStyle style;
    const FvCancel *cancel;
    uint64_t gpu;   /* bytes of the GPU's memory; 0: the CPU scores */
    bool shares;    /* the pairs are scored side by side and share one reference */
    double started; /* clock at the start, in seconds */
} Run;
