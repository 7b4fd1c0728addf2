/*
 * Ladders: they choose which of several encodes of one reference to ship. A program that picks one of two:
 *
 *     FvError error = {0};
 *     const FvLadderEncode encodes[] = {
 *         {.name = "a.mp4", .width = 1280, .height = 720, .rate = 1e6, .quality = 82, .mean = 82, .whole = true},
 *         {.name = "b.mp4", .width = 1920, .height = 1080, .rate = 3e6, .quality = 94, .mean = 94, .whole = true},
 *     };
 *     const FvLadderParams params = {.meaning = fv_meaning("vmaf"), .better = FV_HIGHER_IS_BETTER, .words = true};
 *     FvLadder *ladder = NULL;
 *     if (!fv_ladder_open(&ladder, encodes, 2, &params, &error))
 *         puts(fv_ladder_pick(ladder)->sentence);
 *     fv_ladder_close(&ladder);
 *
 * docs/ladders.md has the rules of the pick.
 */
#ifndef FOVEA_LADDER_H
#define FOVEA_LADDER_H

#include <fovea/bd.h>
#include <fovea/meaning.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * With gates, the pick is the cheapest encode that passes all of them. Without gates, it is the encode of best value:
 * the last encode on the hull of all encodes for which a doubling of the bit rate still pays, or the first encode on
 * the hull if none pays.
 *
 * An FvLadder copies its inputs. Several threads may read it at once.
 */

/* One encode. */
typedef struct FvLadderEncode {
    const char *name;     /* name in sentences; words of it divide the encodes of a codec into groups */
    const char *codec;    /* libav's name of its codec; NULL or "": unknown */
    const char *group;    /* name of its group; NULL: the group follows from codec and name */
    const char *sentence; /* verdict on it; NULL: none */
    int width, height;    /* size before scaling; encodes of one size are on one curve of BD-rate */
    double rate;          /* bit rate in bits per second, above 0; NaN: unknown */
    double quality;       /* pooled score that encodes are compared by; NaN: none */
    double mean;          /* mean of that score, for BD-rate, and to order encodes of equal rate and quality */
    bool whole;           /* it was scored completely and can be compared; else it is neither picked nor on a hull */
    bool passes;          /* it passes every gate */
} FvLadderEncode;

typedef struct FvLadderParams {
    const FvMeaning *meaning; /* meaning of the score that encodes are compared by */
    FvBetter better;          /* direction of that score; FV_NEITHER_IS_BETTER is FV_ERROR_USAGE */
    const char *pool;         /* name of its pooling in sentences, "worst 5 %"; NULL: a value of the whole clip */
    int gates;                /* number of gates; 0: the pick is the encode of best value */
    double limit;             /* limit of the first gate, which applies to the score of `meaning` */
    bool words; /* the score has words that are valid for these videos; without them there is no best value */
} FvLadderParams;

typedef enum FvPickKind {
    FV_PICK_NONE = 0, /* no encode passes, no bit rate is known, or the value of a bit is unknown */
    FV_PICK_GATE,     /* the cheapest encode that passes every gate */
    FV_PICK_VALUE     /* the encode of best value */
} FvPickKind;

/* Returns "none", "gate" or "value"; NULL for any other value. */
FV_API const char *fv_pick_kind_name(FvPickKind kind);

/* The pick. Its encodes are indices in [0, count). */
typedef struct FvLadderPick {
    FvPickKind kind;
    int encode; /* the pick; -1: none */
    int best;   /* the encode of best quality; -1: none was scored completely */
    int below;  /* the best of the cheaper encodes that fail a gate; -1: none, or there are no gates */
    int more; /* the encode that passes and improves most, by 1 or more, for at most 25 % more bits than the pick; -1:
                 none, or there are no gates */
    int passing, whole;   /* number of encodes that pass every gate, and that were scored completely */
    const char *sentence; /* "Ship a.mp4: 1.06 Mb/s, the cheapest that passes the gate. Good." */
    const char *reason;   /* a sentence with the numbers that support the pick; "" if `sentence` contains them */
} FvLadderPick;

typedef struct FvLadderPlace {
    int group;        /* [0, fv_ladder_groups()); -1: it has no quality */
    int rank;         /* 1: the lowest bit rate; encodes of unknown rate are last, by falling quality */
    bool on_hull;     /* on the upper convex hull of its group, over the logarithm of the rate */
    int dominated_by; /* the best encode of its group that has no more bits and no less quality, and differs in one of
                         the two; -1: none */
} FvLadderPlace;

typedef struct FvLadderGroup {
    const char *name; /* "H.264", or with words of the encodes' names: "H.264 x264_slow" */
    int count;        /* number of its encodes */
    int mark;         /* [0, 3]: index among the four largest groups, in order of the groups; -1: not among them */
    int cheapest;     /* its cheapest encode that passes every gate; -1: none, or there are no gates */
} FvLadderGroup;

typedef struct FvLadder FvLadder;

/*
 * Picks an encode and sorts the encodes into groups. The caller closes *ladder. FV_ERROR_USAGE: `count` is not in [1,
 * 65536], a name is missing, a rate is not above 0 or is infinite, or a parameter is outside its range.
 * FV_ERROR_MEMORY: memory ran out. *ladder is NULL after an error.
 */
FV_API FvStatus fv_ladder_open(FvLadder **ladder, const FvLadderEncode *encodes, int count,
                               const FvLadderParams *params, FvError *error);
FV_API void fv_ladder_close(FvLadder **ladder);

/* Return the pick, and the place of an encode; NULL: no such encode. They belong to the ladder. */
FV_API const FvLadderPick *fv_ladder_pick(const FvLadder *ladder);
FV_API const FvLadderPlace *fv_ladder_place(const FvLadder *ladder, int encode);

/*
 * Return the number of groups, and a group in [0, count), else NULL. Groups are in the order of their first encodes;
 * the first group is the usual anchor.
 */
FV_API int fv_ladder_groups(const FvLadder *ladder);
FV_API const FvLadderGroup *fv_ladder_group(const FvLadder *ladder, int group);

/*
 * Compares the hulls of two groups, each over its frame sizes, by the mean scores and FV_BD_PCHIP: docs/bd.md. A
 * refusal is FV_OK, and the result records it. FV_ERROR_USAGE: no such group, or both are the same. FV_ERROR_MEMORY:
 * memory ran out.
 */
FV_API FvStatus fv_ladder_bd(const FvLadder *ladder, int anchor, int group, FvBdResult *result, FvError *error);

#ifdef __cplusplus
}
#endif

#endif
