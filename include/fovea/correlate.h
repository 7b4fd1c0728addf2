/*
 * How well scores agree with votes of people: correlations of linear and of rank order, before and after a curve from
 * scores to votes, with intervals, and the differences between several scores.
 *
 * Each score and the votes are lists of the same stimuli in the same order. A curve is fitted from each score to the
 * votes; what follows from its predictions is computed as the video quality field does (ITU-T P.1401, VQEG), and,
 * where the votes have intervals, as Krasula and others (QoMEX 2016) analyse pairs. docs/correlate.md defines every
 * number. All arithmetic is binary64 in a stated order: a result has the same bits everywhere.
 *
 * Any thread may call these functions; one FvCorrelation may be read by several threads.
 */
#ifndef FOVEA_CORRELATE_H
#define FOVEA_CORRELATE_H

#include <fovea/metric.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The curve from scores to votes. */
typedef enum FvCurve {
    FV_CURVE_LOGISTIC4 = 0, /* monotonic: upper and lower level, middle, width */
    FV_CURVE_LOGISTIC5,     /* a logistic plus a straight line, which may turn */
    FV_CURVE_LINEAR,        /* a straight line */
    FV_CURVE_NONE,          /* scores are on the scale of the votes already */
    FV_CURVE_COUNT
} FvCurve;

/* "logistic4", "logistic5", "linear", "none"; NULL for any other value. */
FV_API const char *fv_curve_name(FvCurve curve);

typedef struct FvCorrelateVotes {
    int count;           /* of stimuli, [6, 20000] */
    const double *vote;  /* finite */
    const double *half;  /* half widths of the 95 % intervals of the votes, finite, 0 or more; NULL: not known */
    const int *contents; /* equal numbers are of one content; NULL: not known */
} FvCorrelateVotes;

typedef struct FvCorrelateScore {
    const double *value; /* of each stimulus, finite */
    FvBetter better;     /* FV_NEITHER_IS_BETTER: the sign of the rank correlation decides */
} FvCorrelateScore;

typedef struct FvCorrelateParams {
    FvCurve curve;
    int draws;     /* of the stimuli with replacement, for intervals, [0, 100000]; 0: no such intervals */
    uint64_t seed; /* of these draws */
} FvCorrelateParams;

/* A 95 % interval; not numbers where it is not defined. */
typedef struct FvInterval {
    double low, high;
} FvInterval;

/* How one score agrees with the votes. Values that are not defined are not numbers. */
typedef struct FvCorrelateResult {
    double srocc, krocc;                            /* rank correlations: Spearman's, and Kendall's tau-b; [-1, 1] */
    double plcc;                                    /* linear correlation of predictions and votes; [-1, 1] */
    double plcc_raw;                                /* the same of the scores themselves */
    double rmse;                                    /* root of the mean squared error of the predictions */
    double rmse_p1401;                              /* the same, with the curve's parameters taken off the count */
    double rmse_star;                               /* errors count beyond the votes' intervals only */
    double outlier_ratio;                           /* [0, 1]: share of predictions outside these intervals */
    FvInterval plcc_fisher;                         /* by Fisher's transform */
    FvInterval srocc_drawn, plcc_drawn, rmse_drawn; /* by the draws, with the curve as it is */
    int64_t different, similar;   /* pairs of stimuli by their votes' intervals; 0, 0: no intervals */
    double auc_different_similar; /* [0, 1]: how well distances of scores tell such pairs apart */
    double auc_better_worse;      /* [0, 1]: how well their sign tells the better stimulus */
    double correct;               /* [0, 1]: share of different pairs in the right order */
    double threshold_95;          /* 95 % of similar pairs have scores nearer than this */
    int contents;                 /* with 4 stimuli or more */
    double srocc_content_mean, srocc_content_least; /* srocc within these contents */
    double parameter[5];                            /* of the curve, in units of scores and votes */
    int parameters;                                 /* how many it has: 4, 5, 2 (intercept and slope) or 0 */
    bool higher_is_better;                          /* as the curve goes */
    bool from_data;                                 /* because the data say so */
    bool step;                                      /* a warning: the curve is nearly a step */
    bool open;  /* a warning: a level of the curve lies far outside the votes and means nothing */
    bool turns; /* a warning: the curve goes the other way somewhere between the scores */
} FvCorrelateResult;

/* How two scores differ in their agreement. */
typedef struct FvCorrelateDifference {
    int a, b;              /* places of the scores, a < b */
    double meng_z, meng_p; /* Meng, Rosenthal and Rubin (1992): of plcc; z above 0: a is better; p is two-sided */
    double p1401_z;        /* ITU-T P.1401: as if the scores were independent */
    FvInterval srocc, plcc, rmse; /* of a minus b over the same draws; srocc counts in the direction of each score */
} FvCorrelateDifference;

typedef struct FvCorrelation FvCorrelation;

/*
 * Compares 1 to 256 scores with the votes. The caller closes *correlation. FV_ERROR_USAGE for parameters outside
 * their ranges; FV_ERROR_INPUT where the votes, or a score, have one value only, and for values that are not finite:
 * the message names the score by its place from 1. FV_ERROR_MEMORY. *correlation is NULL then.
 */
FV_API FvStatus fv_correlate_open(FvCorrelation **correlation, const FvCorrelateVotes *votes,
                                  const FvCorrelateScore *scores, int score_count, const FvCorrelateParams *params,
                                  FvError *error);

FV_API void fv_correlate_close(FvCorrelation **correlation);

/* The result of a score; NULL outside [0, score_count). */
FV_API const FvCorrelateResult *fv_correlate_result(const FvCorrelation *correlation, int score);

/* The predictions of a score, one for each stimulus; NULL outside [0, score_count). */
FV_API const double *fv_correlate_predictions(const FvCorrelation *correlation, int score);

/* The curve of a score at a value of it; not a number outside [0, score_count). */
FV_API double fv_correlate_curve_at(const FvCorrelation *correlation, int score, double value);

/* The differences between scores: score_count * (score_count - 1) / 2 of them. NULL outside of that. */
FV_API int fv_correlate_differences(const FvCorrelation *correlation);
FV_API const FvCorrelateDifference *fv_correlate_difference(const FvCorrelation *correlation, int i);

#ifdef __cplusplus
}
#endif

#endif
