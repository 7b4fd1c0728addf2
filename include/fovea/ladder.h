/* A ladder: encodes of one reference, and which of them to ship. */
#ifndef FOVEA_LADDER_H
#define FOVEA_LADDER_H

#include <fovea/bd.h>
#include <fovea/meaning.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * docs/ladders.md has the rules. With gates the pick is the cheapest encode that passes all of them. Without gates it
 * is the last encode on the hull of all that a doubling of the bit rate still pays for.
 *
 * An FvLadder keeps a copy of what it was given. Several threads may read it at once.
 */

/* One encode. */
typedef struct FvLadderEncode {
    const char *name;     /* its name in sentences; words of it divide the encodes of a codec into groups */
    const char *codec;    /* libav's name of its codec; NULL or "": unknown */
    const char *group;    /* name of its group; NULL: the group follows from codec and name */
    const char *sentence; /* the verdict on it; NULL: none */
    int width, height;    /* its size before it is scaled; encodes of one size lie on one curve of BD-rate */
    double rate;          /* bits a second, above 0; NaN: unknown */
    double quality;       /* the pooled score that encodes are compared by; NaN: it has none */
    double mean;          /* mean of that score, for BD-rate, and for encodes of equal rate and quality */
    bool whole;           /* it was scored whole and can be compared: else it is neither picked nor on a hull */
    bool passes;          /* it passes every gate */
} FvLadderEncode;

typedef struct FvLadderParams {
    const FvMeaning *meaning; /* of the score that encodes are compared by */
    FvBetter better;          /* of that score; FV_NEITHER_IS_BETTER is FV_ERROR_USAGE */
    const char *pool;         /* name of its pooling in sentences, "worst 5 %"; NULL: a value of the whole clip */
    int gates;                /* number of gates; 0: the pick is the best value */
    double limit;             /* limit of the first gate; it is about that score */
    bool words;               /* the words of that score hold for these videos: there is a best value */
} FvLadderParams;

typedef enum FvPickKind {
    FV_PICK_NONE = 0, /* no encode passes, no bit rate is known, or nothing says what a bit is worth */
    FV_PICK_GATE,     /* the cheapest that passes every gate */
    FV_PICK_VALUE     /* the best value */
} FvPickKind;

/* "none", "gate", "value"; NULL for any other value. */
FV_API const char *fv_pick_kind_name(FvPickKind kind);

/* Encodes by their index, [0, count). */
typedef struct FvLadderPick {
    FvPickKind kind;
    int encode;           /* the pick; -1: none */
    int best;             /* the encode of best quality; -1: none was scored whole */
    int below;            /* of the cheaper ones that fail a gate, the one of best quality; -1: none */
    int more;             /* at most 25 % more bits than the pick, and the most better, 1 or more; -1: none */
    int passing, whole;   /* numbers of encodes that pass every gate, and that were scored whole */
    const char *sentence; /* "Ship a.mp4: 1.06 Mb/s, the cheapest that passes the gate. Good." */
    const char *reason;   /* a sentence with the numbers behind it; "" if the first one says all */
} FvLadderPick;

typedef struct FvLadderPlace {
    int group;        /* [0, fv_ladder_groups()); -1: it has no quality */
    int rank;         /* 1: the lowest bit rate; encodes of unknown rate follow, the best quality first */
    bool on_hull;     /* on the upper convex hull of its group, over the logarithm of the rate */
    int dominated_by; /* the best encode of its group that costs no more, is no worse and differs in one; -1: none */
} FvLadderPlace;

typedef struct FvLadderGroup {
    const char *name; /* "H.264", or with words of the encodes' names "H.264 x264_slow" */
    int count;        /* number of its encodes */
    int mark;         /* [0, 3]: which of the four largest groups it is, in order of the groups; -1: another one */
    int cheapest;     /* its encode of least rate that passes every gate; -1: none */
} FvLadderGroup;

typedef struct FvLadder FvLadder;

/*
 * Decides. FV_ERROR_USAGE: less than one encode or more than 65536, a missing name, a rate of 0 or less, or
 * parameters outside their ranges. FV_ERROR_MEMORY. *ladder is NULL after an error. The caller closes *ladder.
 */
FV_API FvStatus fv_ladder_open(FvLadder **ladder, const FvLadderEncode *encodes, int count,
                               const FvLadderParams *params, FvError *error);
FV_API void fv_ladder_close(FvLadder **ladder);

/* The answers belong to the ladder. NULL: no such encode or group. */
FV_API const FvLadderPick *fv_ladder_pick(const FvLadder *ladder);
FV_API const FvLadderPlace *fv_ladder_place(const FvLadder *ladder, int encode);

/* The groups, in the order in which the encodes first name them; the first is the usual anchor. */
FV_API int fv_ladder_groups(const FvLadder *ladder);
FV_API const FvLadderGroup *fv_ladder_group(const FvLadder *ladder, int group);

/*
 * Compares the hulls of two groups over their sizes, by the means and `pchip`: docs/bd.md. FV_OK also when they are
 * refused: the result says so. FV_ERROR_USAGE: no such group, or both are the same. FV_ERROR_MEMORY.
 */
FV_API FvStatus fv_ladder_bd(const FvLadder *ladder, int anchor, int group, FvBdResult *result, FvError *error);

#ifdef __cplusplus
}
#endif

#endif
