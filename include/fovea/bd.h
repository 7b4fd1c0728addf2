/*
 * BD-rate and BD-quality, which compare the encodes of one codec or setting with those of another.
 *
 * Two curves, the anchor and the test, are given as points of bit rate and quality. BD-rate is the mean difference of
 * the logarithm of their rates over the qualities that both reach, in percent. It is negative when the test needs
 * fewer bits for the same quality. BD-quality is the mean difference of their qualities over the logarithms of the
 * rates that both have. Curves whose comparison would be meaningless are refused with a reason.
 *
 * Source: G. Bjontegaard, VCEG-M33 and VCEG-AI11; the methods follow the programs that FvBdMethod names. All
 * arithmetic is binary64 in a stated order. Logarithms and powers are rounded to nearest, without the C library.
 *
 * A program that compares two curves:
 *
 *     FvError error = {0};
 *     const FvBdPoint anchor[] = {{1000, 80, 0}, {2000, 86, 0}, {4000, 91, 0}, {8000, 95, 0}};
 *     const FvBdPoint test[] = {{900, 81, 0}, {1800, 87, 0}, {3500, 92, 0}, {7000, 96, 0}};
 *     FvBd *bd = NULL;
 *     if (!fv_bd_open(&bd, anchor, 4, test, 4, &(FvBdParams){.better = FV_HIGHER_IS_BETTER}, &error))
 *         printf("BD-rate %g %%\n", fv_bd_result(bd)->bd_rate);
 *     fv_bd_close(&bd);
 *
 * Any thread may call these functions; one FvBd may be read by several threads.
 */
#ifndef FOVEA_BD_H
#define FOVEA_BD_H

#include <fovea/metric.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The method that interpolates a curve between its points. */
typedef enum FvBdMethod {
    FV_BD_PCHIP = 0, /* monotone cubic pieces, integrated exactly: bjontegaard 1.3.0 */
    FV_BD_PCHIP_AOM, /* monotone cubic pieces, 100 samples integrated by trapezoids: the AOM common test conditions */
    FV_BD_AKIMA,     /* Akima's cubic pieces, integrated exactly: bjontegaard 1.3.0 */
    FV_BD_CUBIC,     /* one least-squares polynomial of degree 3: VCEG-M33 */
    FV_BD_METHOD_COUNT
} FvBdMethod;

/* Returns "pchip", "pchip-aom", "akima" or "cubic"; NULL for any other value. */
FV_API const char *fv_bd_method_name(FvBdMethod method);

/* One encode. */
typedef struct FvBdPoint {
    double rate;    /* bit rate, in any unit that both curves share; kbit/s for fv_bd_hull() */
    double quality; /* a pooled score */
    int resolution; /* for fv_bd_hull() only: points with equal numbers are on one curve */
} FvBdPoint;

typedef struct FvBdParams {
    FvBdMethod method;
    FvBetter better;     /* direction of the quality; FV_NEITHER_IS_BETTER is FV_ERROR_USAGE */
    double saturated;    /* a curve ends at a point at least as good as this if the next point is worse; 0: curves are
                            never cut. AOM's tools use 99.5 for VMAF */
    int least_points;    /* least number of points per curve, at least 2; 0 means 4. FV_BD_CUBIC always needs 4 */
    bool drop_dominated; /* leave out points that cost as many bits or more for less quality, instead of refusing */
    bool allow_little_overlap; /* compare curves that share less than a quarter of their qualities */
} FvBdParams;

/* The reason why two curves are not compared. */
typedef enum FvBdRefusal {
    FV_BD_ACCEPTED = 0,
    FV_BD_RATE,           /* a rate that is not positive and finite */
    FV_BD_QUALITY,        /* a quality that is not a number, or infinitely bad */
    FV_BD_NOT_MONOTONIC,  /* a point costs as many bits or more for less quality */
    FV_BD_FEW_POINTS,     /* fewer points than FvBdParams.least_points remain */
    FV_BD_NO_OVERLAP,     /* the curves share no quality */
    FV_BD_LITTLE_OVERLAP, /* the curves share less than a quarter of their qualities */
    FV_BD_TURNS,          /* the polynomial of FV_BD_CUBIC is not monotonic between the points */
    FV_BD_REFUSAL_COUNT
} FvBdRefusal;

/* Returns "rate", "quality", "not monotonic", ...; "accepted" for 0, NULL for any other value. */
FV_API const char *fv_bd_refusal_name(FvBdRefusal refusal);

/* The reason why a point is left out of a curve. */
typedef enum FvBdDrop {
    FV_BD_INFINITE,      /* its quality is infinitely good */
    FV_BD_DUPLICATE,     /* another point is equal to it */
    FV_BD_SATURATED,     /* it is after the end of a saturated curve */
    FV_BD_EQUAL_QUALITY, /* a point with fewer bits has the same quality */
    FV_BD_DOMINATED,     /* a point with no more bits has a better quality */
} FvBdDrop;

/* Returns "infinite", "duplicate", "saturated", "equal quality" or "dominated"; NULL for any other value. */
FV_API const char *fv_bd_drop_name(FvBdDrop drop);

/* A point that was left out. */
typedef struct FvBdDropped {
    FvBdPoint point;
    FvBdDrop why;
} FvBdDropped;

typedef enum FvBdSide { FV_BD_ANCHOR = 0, FV_BD_TEST } FvBdSide;

typedef struct FvBdResult {
    FvBdRefusal refusal; /* if not FV_BD_ACCEPTED, bd_rate, bd_quality, rate_overlap, from and to are NaN */
    char reason[256];    /* a sentence with the numbers that led to the refusal */
    double bd_rate;      /* percent; negative: the test needs fewer bits */
    double bd_quality;   /* test minus anchor, in the unit of the quality; NaN if the rates overlap too little or the
                            polynomial of FV_BD_CUBIC is not monotonic */
    double overlap; /* [0, 1]: the shared part of the qualities of both curves; NaN for a pair that was refused before
                       it was computed */
    double rate_overlap; /* [0, 1]: the shared part of the logarithms of the rates */
    double from, to;     /* lowest and highest quality that is compared */
    bool few_shared;     /* a warning: overlap is below 0.75 */
    bool turns;          /* a warning: a curve of FV_BD_AKIMA is not monotonic between the points */
} FvBdResult;

typedef struct FvBd FvBd;

/*
 * Compares two curves, each with 1 to 2^20 points, in any order. The caller closes *bd. A refusal is FV_OK, and the
 * result records it. FV_ERROR_USAGE: a parameter is outside its range. FV_ERROR_MEMORY: memory ran out. *bd is NULL
 * after an error.
 */
FV_API FvStatus fv_bd_open(FvBd **bd, const FvBdPoint *anchor, int anchor_count, const FvBdPoint *test,
                           int test_count, const FvBdParams *params, FvError *error);

FV_API void fv_bd_close(FvBd **bd);

FV_API const FvBdResult *fv_bd_result(const FvBd *bd);

/*
 * Return the number of points on a curve, and of points that were left out of it, and set the pointer to these
 * points, which belong to `bd`. The points on a curve are in ascending order of rate.
 */
FV_API int fv_bd_points(const FvBd *bd, FvBdSide side, const FvBdPoint **points);
FV_API int fv_bd_dropped(const FvBd *bd, FvBdSide side, const FvBdDropped **dropped);

/* Returns the rate of a curve at a quality in [from, to]; NaN outside of it, or if the pair was refused. */
FV_API double fv_bd_rate_at(const FvBd *bd, FvBdSide side, double quality);

/*
 * Returns the percentage by which the test's rate exceeds the anchor's at a quality in [from, to]; NaN outside of it,
 * or if the pair was refused. BD-rate is the mean of this difference, computed in logarithms of the rates.
 */
FV_API double fv_bd_difference(const FvBd *bd, double quality);

/*
 * Computes the convex hull over the resolutions at which a video was encoded, as in the AOM common test conditions.
 * All points are scored at the size of the reference, and rates are in kbit/s. Between neighbouring points of a
 * resolution, seven points are added, linear in the logarithm of the rate and rounded to six decimals. The hull of
 * all these points is over the linear rate, by ascending rate. The caller frees *hull with fv_bd_free_hull();
 * *hull_count is at least 1. FV_ERROR_INPUT: a rate or a quality is not finite, or a rate is not above 0.
 * FV_ERROR_USAGE: `count` is outside [1, 2^20], or `better` is FV_NEITHER_IS_BETTER. FV_ERROR_MEMORY: memory ran out.
 */
FV_API FvStatus fv_bd_hull(const FvBdPoint *points, int count, FvBetter better, FvBdPoint **hull, int *hull_count,
                           FvError *error);
FV_API void fv_bd_free_hull(FvBdPoint **hull);

#ifdef __cplusplus
}
#endif

#endif
