/*
 * BD-rate and BD-quality: how the encodes of one codec or setting compare with those of another.
 *
 * Two curves, the anchor and the test, are given as points of bit rate and quality. BD-rate is the mean difference of
 * the logarithm of their rates over the qualities that both reach, as percent: negative, when the test needs fewer
 * bits for the same quality. BD-quality is the mean difference of their qualities over the logarithms of rates that
 * both have. Curves that cannot be compared are refused with a reason: a number is given only where it means
 * something.
 *
 * Source: G. Bjontegaard, VCEG-M33 and VCEG-AI11; the methods are those of the programs that FvBdMethod names. All
 * arithmetic is binary64 in a stated order, with the logarithms and powers of the C library.
 *
 * Any thread may call these functions; one FvBd may be read by several threads.
 */
#ifndef FOVEA_BD_H
#define FOVEA_BD_H

#include <fovea/metric.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a curve is drawn through its points. */
typedef enum FvBdMethod {
    FV_BD_PCHIP = 0, /* monotone cubic pieces, integrated exactly: bjontegaard 1.3.0 */
    FV_BD_PCHIP_AOM, /* the same pieces, 100 samples by trapezoids: the AOM common test conditions */
    FV_BD_AKIMA,     /* Akima's cubic pieces, integrated exactly: bjontegaard 1.3.0 */
    FV_BD_CUBIC,     /* one polynomial of degree 3 of least squares: VCEG-M33 */
    FV_BD_METHOD_COUNT
} FvBdMethod;

/* "pchip", "pchip-aom", "akima", "cubic"; NULL for any other value. */
FV_API const char *fv_bd_method_name(FvBdMethod method);

/* One encode. */
typedef struct FvBdPoint {
    double rate;    /* in any unit that both curves share; for fv_bd_hull kbit/s */
    double quality; /* a pooled score */
    int resolution; /* for fv_bd_hull: points of the same number lie on one curve */
} FvBdPoint;

typedef struct FvBdParams {
    FvBdMethod method;
    FvBetter better;     /* of the score; FV_NEITHER_IS_BETTER is FV_ERROR_USAGE */
    double saturated;    /* a curve that falls from a quality of at least this ends there; 0: none does. For VMAF
                            99.5, as AOM's tools have it */
    int least_points;    /* that must be left of each curve, 2 or more; 0: 4. `cubic` needs 4 in any case */
    bool drop_dominated; /* leaves out points that cost more bits for less quality instead of refusing them */
    bool allow_little_overlap; /* compares curves that share less than a quarter of their qualities */
} FvBdParams;

/* Why two curves are not compared. */
typedef enum FvBdRefusal {
    FV_BD_ACCEPTED = 0,
    FV_BD_RATE,           /* a rate that is not positive and finite */
    FV_BD_QUALITY,        /* a quality that is not a number, or infinitely bad */
    FV_BD_NOT_MONOTONIC,  /* more bits for less quality */
    FV_BD_FEW_POINTS,     /* fewer points than FvBdParams.least_points are left */
    FV_BD_NO_OVERLAP,     /* the curves share no quality */
    FV_BD_LITTLE_OVERLAP, /* they share less than a quarter of their qualities */
    FV_BD_TURNS,          /* the polynomial of `cubic` turns back between the points */
    FV_BD_REFUSAL_COUNT
} FvBdRefusal;

/* "rate", "quality", "not monotonic", ...; "accepted" for 0, NULL for any other value. */
FV_API const char *fv_bd_refusal_name(FvBdRefusal refusal);

/* Why a point is left out of a curve. */
typedef enum FvBdDrop {
    FV_BD_INFINITE,      /* its quality is infinitely good */
    FV_BD_DUPLICATE,     /* the same point again */
    FV_BD_SATURATED,     /* it follows the fall of a saturated score */
    FV_BD_EQUAL_QUALITY, /* a point with fewer bits has the same quality */
    FV_BD_DOMINATED,     /* a point with fewer bits has a better quality */
} FvBdDrop;

/* "infinite", "duplicate", "saturated", "equal quality", "dominated"; NULL for any other value. */
FV_API const char *fv_bd_drop_name(FvBdDrop drop);

/* A point that was left out. */
typedef struct FvBdDropped {
    FvBdPoint point;
    FvBdDrop why;
} FvBdDropped;

typedef enum FvBdSide { FV_BD_ANCHOR = 0, FV_BD_TEST } FvBdSide;

typedef struct FvBdResult {
    FvBdRefusal refusal; /* other than FV_BD_ACCEPTED: the values below are not numbers */
    char reason[256];    /* of the refusal, a sentence with the numbers that led to it */
    double bd_rate;      /* percent; negative: the test needs fewer bits */
    double bd_quality;   /* in the unit of the score, test minus anchor; not a number where rates overlap too little
                            or the polynomial of `cubic` turns back */
    double overlap;      /* [0, 1]: the shared part of the qualities of both curves; also of a refused pair that came
                            this far, else not a number */
    double rate_overlap; /* [0, 1]: the same of the logarithms of the rates */
    double from, to;     /* the qualities that are compared */
    bool few_shared;     /* a warning: overlap is below 0.75 */
    bool turns;          /* a warning: a curve of `akima` turns back between the points */
} FvBdResult;

typedef struct FvBd FvBd;

/*
 * Compares two curves, each of at least one point in any order. FV_OK also when they are refused: the result says so.
 * The caller closes *bd. FV_ERROR_USAGE for parameters outside their ranges, FV_ERROR_MEMORY; *bd is NULL then.
 */
FV_API FvStatus fv_bd_open(FvBd **bd, const FvBdPoint *anchor, int anchor_count, const FvBdPoint *test,
                           int test_count, const FvBdParams *params, FvError *error);

FV_API void fv_bd_close(FvBd **bd);

FV_API const FvBdResult *fv_bd_result(const FvBd *bd);

/* The points that a curve goes through, by ascending rate, and those that were left out. They belong to `bd`. */
FV_API int fv_bd_points(const FvBd *bd, FvBdSide side, const FvBdPoint **points);
FV_API int fv_bd_dropped(const FvBd *bd, FvBdSide side, const FvBdDropped **dropped);

/* The rate of a curve at a quality in [from, to]; not a number outside of it and where the pair was refused. */
FV_API double fv_bd_rate_at(const FvBd *bd, FvBdSide side, double quality);

/*
 * The relative curve difference at a quality in [from, to]: by how many percent the test's rate is above the
 * anchor's. BD-rate is its mean in the logarithm.
 */
FV_API double fv_bd_difference(const FvBd *bd, double quality);

/*
 * The convex hull over the resolutions that a video was encoded at, all scored at the size of the reference: the
 * points of each resolution with seven more between neighbours, linear in the logarithm of the rate, rounded to six
 * decimals; of all of them the hull over the linear rate, by ascending rate. As the AOM common test conditions have
 * it, which ask for rates in kbit/s. On FV_OK the caller frees *hull with fv_bd_free_hull and *hull_count is at least
 * 1. FV_ERROR_INPUT for a rate or a quality that is not a number, not finite, or a rate of 0 or less;
 * FV_ERROR_USAGE, FV_ERROR_MEMORY.
 */
FV_API FvStatus fv_bd_hull(const FvBdPoint *points, int count, FvBetter better, FvBdPoint **hull, int *hull_count,
                           FvError *error);
FV_API void fv_bd_free_hull(FvBdPoint **hull);

#ifdef __cplusplus
}
#endif

#endif
