/* The scores of several encodes of one reference, or of the pairs of two folders. */
#pragma once

#include <stdio.h>

#include "fovea/fovea.h"
#include "table/gate.h"

/* A pooled score. */
typedef struct EncodeScore {
    char name[96];
    bool named; /* several scores of the encode have this meaning, so tables show the score's name instead of its
                   title */
    const FvMeaning *meaning;
    FvBetter better;
    bool first, sequence; /* `first`: tables show the score; `sequence`: it is one value for the whole clip */
    bool words;           /* the score's grades are valid for these videos */
    double pool[FV_POOL_COUNT];
    double *curve; /* value of each frame, for the page; or NULL */
} EncodeScore;

#define LADDER_MOMENTS 4 /* maximum number of frames that the page shows */
#define LADDER_STRIP 100 /* maximum number of parts into which a strip divides a clip */

#define LADDER_PICTURED 12 /* maximum number of encodes of which the page shows pictures */

/* A frame as JPEG; bytes_of NULL: no picture. */
typedef struct LadderPicture {
    void *bytes_of;
    size_t bytes;
} LadderPicture;

/* The results of one encode, which remain when its session is closed. */
typedef struct EncodeResult {
    const char *path, *reference; /* paths of the encode and of its reference; reference NULL: Ladder.reference */
    const char *group;            /* group that a stored report states; NULL: the encode was scored in this run */
    int status;                   /* the exit code of this pair */
    char error[1024];
    bool scored; /* at least one frame was scored; only then are the members below valid */
    bool partial, identical;
    char codec[32];
    char word[48];                     /* verdict's word by the score that the verdict uses; "" if there is none */
    FvClipVerdict verdict;             /* a copy that the EncodeResult owns */
    char (*output_name)[96];           /* name of each output of the session, by the index that the verdict uses */
    bool timed;                        /* the frames have times */
    bool *passed;                      /* whether each of the ladder's gates passed */
    unsigned char strip[LADDER_STRIP]; /* the worst level of each part of the clip, by the score that the verdict
                                          uses; 0: none */
    int strip_count;
    int width, height;
    int64_t frames;
    double bit_rate; /* bits per second; NaN: unknown */
    EncodeScore *scores;
    int count;
    int64_t *number; /* number of each frame; only if the ladder keeps curves */
    LadderPicture pictures[LADDER_MOMENTS];
    char **gates, **warnings; /* sentences; the first `failed` gates are those that failed */
    int gate_count, failed, warning_count;
    char *details; /* this encode's own table for --details; or NULL */
} EncodeResult;

/* A decision over the encodes by one pooled score. */
typedef struct LadderView {
    const EncodeScore *score; /* the score, as the first encode that has it describes it */
    FvPool pool;
    FvLadder *decision;
} LadderView;

/* BD-rate of a group of encodes against another, the anchor. */
typedef struct LadderBd {
    int anchor, group;
    FvBdResult result;
} LadderBd;

typedef struct Ladder {
    int numerics;          /* version of the numerics of all scores; 0: an older report does not state it */
    const char *reference; /* the reference of all encodes, or the folder of the references; or NULL */
    char facts[128];       /* facts of the compared videos, in words */
    EncodeResult *results;
    int count;
    const ArgList *picks;  /* the scores named by --print */
    const ArgList *groups; /* the values of --group; or NULL */
    char **group_name;     /* name of each group */
    Gates gates;           /* gates that every encode must pass */
    LadderView view; /* decides by the first gate, else by the mean of the score that the verdict uses; decision NULL:
                        the pairs are not encodes of one reference, or no score judges quality */
    LadderBd *bd;    /* BD-rates of every ordered pair of groups, sorted by anchor, then by group */
    int bd_count;
    int *order;         /* indices of the encodes, by bit rate if there is a decision, else as the user gave them */
    bool curves;        /* encodes keep the values of each frame; only then are the members below valid */
    double rate, start; /* `rate`: frames per second, 0: unknown; `start`: time of frame 0 in seconds, or NaN */
    int64_t moments[LADDER_MOMENTS]; /* frames that the page shows */
    int moment_of[LADDER_MOMENTS];   /* the encode whose worst frame each is */
    int width, height;               /* size of the compared frames, in luma samples */
    int moment_count;
    bool pictured;                          /* some encode has pictures of the moments */
    LadderPicture pictures[LADDER_MOMENTS]; /* pictures of the reference */
} Ladder;

/*
 * Copies the results of a session that has ended into its encode. On failure, prints a message and returns
 * FV_ERROR_MEMORY.
 */
FvStatus ladder_take(Ladder *ladder, EncodeResult *result, FvSession *session, const Gates *gates);

/*
 * Decides which encode to pick, after ladder_take() for all. With `gated`, `limit` replaces the limit of the
 * command's first gate, and the other gates apply unchanged; otherwise no gate applies. On failure, prints a message
 * and returns FV_ERROR_MEMORY. The caller closes view->decision.
 */
FvStatus ladder_decide(LadderView *view, const Ladder *ladder, bool gated, double limit);

/* Fills ladder->view, ladder->bd and ladder->order. On failure, prints a message and returns its status. */
FvStatus ladder_rank(Ladder *ladder);

/*
 * Returns the verdict on an encode without mention of a failed gate, because a pick may be by other gates. NULL: the
 * encode was not scored.
 */
const char *ladder_quality(const EncodeResult *result);

/* Prints an example of a gate for a remedy, such as "`fail_below` vmaf=90". false: no score judges quality. */
bool ladder_example(const Ladder *ladder, char *text, size_t size);

/* Returns whether an encode was scored completely and can be compared with its reference. */
bool ladder_counts(const EncodeResult *result);

/* Parses the groups of --group, such as "slow=*_slow_*". On failure, prints a message and returns its status. */
FvStatus ladder_take_groups(Ladder *ladder, const ArgList *groups);

/* Returns the group that --group gives an encode by its name; NULL: none. */
const char *ladder_named_group(const Ladder *ladder, const char *path);

/* Returns the encode's value of the view's pooled score; NaN: none. */
double ladder_value(const LadderView *view, const EncodeResult *result);

/* Returns the number of an encode in tables, from 1. */
int ladder_number(const Ladder *ladder, int r);

/* Returns the last part of an encode's path, or the whole path if several encodes share that part. */
const char *ladder_name(const Ladder *ladder, const char *path);

/* Returns an encode's score by its name, or NULL. */
const EncodeScore *ladder_find(const EncodeResult *result, const char *name);

/*
 * Returns whether the r-th encode is the first with this warning or error. Prints into `who` the numbers, from 1, of
 * all encodes that have it; for a warning, "" if all scored encodes have it.
 */
bool ladder_says_first(const Ladder *ladder, int r, const char *text, char *who, size_t size);

/*
 * Prints the encode's size, such as "1920x1080", or "" if the encode was not opened. Returns the number of
 * characters.
 */
int ladder_size(char *text, size_t size, const EncodeResult *result);

void ladder_free(Ladder *ladder);
