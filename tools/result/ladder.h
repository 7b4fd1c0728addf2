/* The scores of several encodes of one reference, or of the pairs of two folders. */
#pragma once

#include <stdio.h>

#include "fovea/fovea.h"
#include "result/gate.h"

/* A pooled score. */
typedef struct RungScore {
    char name[96];
    bool named; /* several scores of the encode have its meaning: it is called by its name */
    const FvMeaning *meaning;
    FvBetter better;
    bool first, sequence; /* it is in tables; it is one value for the whole clip */
    bool words;           /* its words hold for these videos */
    double pool[FV_POOL_COUNT];
    double *curve; /* of each frame, for the page of all; or NULL */
} RungScore;

#define LADDER_MOMENTS 4
#define LADDER_STRIP 100 /* parts of a clip */

#define LADDER_PICTURED 12 /* encodes of which the page has pictures */

/* A frame as JPEG; NULL: there is none. */
typedef struct LadderPicture {
    void *bytes_of;
    size_t bytes;
} LadderPicture;

/* What remains of one encode when its session is closed. */
typedef struct Rung {
    const char *path, *reference; /* NULL: the ladder's */
    const char *group;            /* of a report that is read again; else NULL */
    int status;                   /* the exit code of this pair */
    char error[1024];
    bool scored; /* frames were, and the rest is filled: */
    bool partial, identical;
    char codec[32];
    char word[48];           /* of the score that speaks; "" without one */
    FvClipVerdict verdict;   /* a copy, which the rung owns */
    char (*output_name)[96]; /* of each output of the verdict's session */
    bool timed;              /* frames have times */
    bool *passed;            /* of each of the ladder's gates */
    unsigned char
        strip[LADDER_STRIP]; /* the worst level of each part of the clip, by the score that speaks; 0: none */
    int strip_count;
    int width, height;
    int64_t frames;
    double bit_rate; /* NaN: not known */
    RungScore *scores;
    int count;
    int64_t *number; /* of each frame, with the curves */
    LadderPicture pictures[LADDER_MOMENTS];
    char **gates, **warnings; /* sentences; the first `failed` gates are those that failed */
    int gate_count, failed, warning_count;
    char *details; /* the table of the encode alone, of --details; or NULL */
} Rung;

/* A decision over the encodes by one pooled score. */
typedef struct LadderView {
    const RungScore *score; /* of the first encode that has it */
    FvPool pool;
    FvLadder *decision;
} LadderView;

/* BD-rate of a group of the decision against another one. */
typedef struct LadderBd {
    int anchor, group;
    FvBdResult result;
} LadderBd;

typedef struct Ladder {
    const char *reference; /* of all, or the folder of the references; or NULL */
    char facts[128];       /* of the videos that are compared */
    Rung *rungs;
    int count;
    const ArgList *picks;  /* of --print */
    const ArgList *groups; /* of --group; or NULL */
    char **group_name;     /* of each of them */
    Gates gates;           /* of each encode */
    LadderView view;       /* by the first gate, else by the mean of the score that speaks; decision NULL: the pairs
                              are no encodes of one reference, or no score judges them */
    LadderBd *bd;          /* of every ordered pair of groups, by anchor, then by group */
    int bd_count;
    int *order;                      /* indices of the encodes by rank: by bit rate; else as they were given */
    bool curves;                     /* are kept: */
    double rate, start;              /* frames a second, 0: not known; the time of frame 0 in seconds, or NaN */
    int64_t moments[LADDER_MOMENTS]; /* frames that the page shows */
    int moment_of[LADDER_MOMENTS];   /* the encode whose worst frame each is */
    int width, height;               /* of the pictures that are compared */
    int moment_count;
    bool pictured;                          /* some encode has pictures of them */
    LadderPicture pictures[LADDER_MOMENTS]; /* of the reference */
} Ladder;

/* Takes what a session that has ended says of its encode. FV_ERROR_MEMORY after a message. */
FvStatus ladder_take(Ladder *ladder, Rung *rung, FvSession *session, const Gates *gates);

/*
 * Decides over the encodes, which are all taken. With `gated` the gate is the limit in place of the first of the
 * command, whose others count as they are; without, there are no gates. FV_ERROR_MEMORY after a message; the caller
 * closes view->decision.
 */
FvStatus ladder_decide(LadderView *view, const Ladder *ladder, bool gated, double limit);

/* Fills ladder->view, ladder->bd and ladder->order. A status after a message. */
FvStatus ladder_rank(Ladder *ladder);

/* The verdict on an encode without a failed gate: a pick by other gates has none. NULL: it was not scored. */
const char *ladder_quality(const Rung *rung);

/* An example of a gate, as an option in a remedy: "`fail_below` vmaf=90". False: no score judges. */
bool ladder_example(const Ladder *ladder, char *text, size_t size);

/* Whether an encode was scored whole and can be compared with its reference. */
bool ladder_counts(const Rung *rung);

/* Takes the groups of --group, such as "slow=*_slow_*". A status after a message. */
FvStatus ladder_take_groups(Ladder *ladder, const ArgList *groups);

/* The group that --group gives an encode by its name; NULL: none. */
const char *ladder_named_group(const Ladder *ladder, const char *path);

/* The encode's value of a view; NaN: none. */
double ladder_value(const LadderView *view, const Rung *rung);

/* The number of an encode in tables, from 1. */
int ladder_number(const Ladder *ladder, int r);

/* The last part of an encode's path, or all of it where several encodes have that part. */
const char *ladder_name(const Ladder *ladder, const char *path);

/* A score of an encode by its name, or NULL. */
const RungScore *ladder_find(const Rung *rung, const char *name);

/*
 * Whether the r-th encode is the first that has this warning, or its own error. `who` gets the numbers, from 1, of
 * all that have it, or for a warning "" where all scored ones do.
 */
bool ladder_says_first(const Ladder *ladder, int r, const char *text, char *who, size_t size);

/* "1920x1080", or "" where the encode was not opened. The number of characters. */
int ladder_size(char *text, size_t size, const Rung *rung);

void ladder_free(Ladder *ladder);
