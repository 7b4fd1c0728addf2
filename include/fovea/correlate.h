/*
 * The agreement of scores with the votes of people: linear and rank correlations, before and after a curve is fitted
 * from scores to votes, with intervals, and the differences between several scores.
 *
 * Each score and the votes are lists of the same stimuli in the same order. A curve is fitted from each score to the
 * votes. The statistics of its predictions are those of ITU-T P.1401 and VQEG. If the votes have intervals, pairs of
 * stimuli are also analysed by the method of Krasula and others (QoMEX 2016). docs/correlate.md defines every number.
 * All arithmetic is binary64 in a stated order: a result has the same bits everywhere.
 *
 * A program that correlates one score with votes:
 *
 *     FvError error = {0};
 *     const double vote[] = {1.2, 2.1, 2.9, 3.8, 4.1, 4.7}, value[] = {20, 41, 55, 71, 80, 93};
 *     const FvCorrelateVotes votes = {.count = 6, .vote = vote};
 *     const FvCorrelateScore score = {.value = value, .better = FV_HIGHER_IS_BETTER};
 *     const FvCorrelateParams params = {.curve = FV_CURVE_LINEAR};
 *     FvCorrelation *correlation = NULL;
 *     if (!fv_correlate_open(&correlation, &votes, &score, 1, &params, &error))
 *         printf("Spearman %g\n", fv_correlate_result(correlation, 0)->srocc);
 *     fv_correlate_close(&correlation);
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
    FV_CURVE_LOGISTIC4 = 0, /* a logistic, monotonic; parameters: upper and lower level, middle, width */
    FV_CURVE_LOGISTIC5,     /* a logistic plus a straight line, which need not be monotonic */
    FV_CURVE_LINEAR,        /* a straight line */
    FV_CURVE_NONE,          /* scores are on the scale of the votes already */
    FV_CURVE_COUNT
} FvCurve;

/* "logistic4", "logistic5", "linear", "none"; NULL for any other value. */
FV_API const char *fv_curve_name(FvCurve curve);

typedef struct FvCorrelateVotes {
    int count;           /* number of stimuli, [6, 20000] */
    const double *vote;  /* mean vote of each stimulus, finite */
    const double *half;  /* half width of each vote's 95 % interval, finite, 0 or more; NULL: unknown */
    const int *contents; /* number of the content (source clip) that each stimulus shows, any value; NULL: unknown */
} FvCorrelateVotes;

typedef struct FvCorrelateScore {
    const double *value; /* score of each stimulus, finite */
    FvBetter better;     /* FV_NEITHER_IS_BETTER: the sign of the rank correlation decides */
} FvCorrelateScore;

typedef struct FvCorrelateParams {
    FvCurve curve;
    int draws;     /* number of bootstrap draws for intervals, [0, 100000]; 0: no intervals by draws */
    uint64_t seed; /* seed of the draws */
} FvCorrelateParams;

/* A 95 % interval; NaN if undefined. */
typedef struct FvInterval {
    double low, high;
} FvInterval;

/* The agreement of one score with the votes. Values that are undefined are NaN. */
typedef struct FvCorrelateResult {
    double srocc, krocc;  /* rank correlations: Spearman's and Kendall's tau-b; [-1, 1] */
    double plcc;          /* linear correlation of predictions and votes; [-1, 1] */
    double plcc_raw;      /* linear correlation of the scores themselves and the votes; [-1, 1] */
    double rmse;          /* root of the mean squared error of the predictions */
    double rmse_p1401;    /* like rmse, but the count is reduced by the number of the curve's parameters, or by 1 with
                             FV_CURVE_NONE */
    double rmse_star;     /* like rmse_p1401, of the parts of the errors outside the votes' intervals only */
    double outlier_ratio; /* [0, 1]: share of predictions outside the votes' intervals */
    FvInterval plcc_fisher;                         /* interval of plcc by Fisher's transform */
    FvInterval srocc_drawn, plcc_drawn, rmse_drawn; /* intervals by the draws; the curve is not fitted again */
    int64_t different, similar;   /* number of pairs of stimuli with different and with similar votes, by their
                                     intervals; 0, 0: the votes have no intervals */
    double auc_different_similar; /* [0, 1]: how well differences of scores tell different from similar pairs */
    double auc_better_worse; /* [0, 1]: how well the sign of the difference of scores predicts the better stimulus */
    double correct;          /* [0, 1]: share of different pairs that the scores put in the right order */
    double threshold_95;     /* 95 % of similar pairs have scores that differ by less */
    int contents;            /* number of contents with 4 stimuli or more whose srocc is defined */
    double srocc_content_mean, srocc_content_least; /* mean and least srocc within the counted contents */
    double parameter[5];                            /* parameters of the curve, in units of scores and votes */
    int parameters;                                 /* number of parameters: 4, 5, 2 (intercept and slope) or 0 */
    bool higher_is_better;                          /* direction of the curve */
    bool from_data; /* the data determined this direction, since FvCorrelateScore.better does not */
    bool step;      /* a warning: the curve is nearly a step */
    bool open;      /* a warning: a level of the curve is far outside the votes and means nothing */
    bool turns;     /* a warning: the curve is not monotonic between the scores */
} FvCorrelateResult;

/* The difference between the agreements of two scores. */
typedef struct FvCorrelateDifference {
    int a, b; /* indices of the scores, a < b */
    double meng_z,
        meng_p;     /* test of plcc by Meng, Rosenthal and Rubin (1992); z above 0: a is better; p is two-sided */
    double p1401_z; /* test of ITU-T P.1401, as if the scores were independent */
    FvInterval srocc, plcc, rmse; /* a minus b over the same draws; srocc negated where lower scores are better */
} FvCorrelateDifference;

typedef struct FvCorrelation FvCorrelation;

/*
 * Compares 1 to 256 scores with the votes. The caller closes *correlation. FV_ERROR_USAGE: a parameter is outside its
 * range. FV_ERROR_INPUT: the votes or the values of a score are all equal, a value is not finite, or a half width is
 * below 0; the message counts from 1. FV_ERROR_MEMORY: memory ran out. *correlation is NULL after an error.
 */
FV_API FvStatus fv_correlate_open(FvCorrelation **correlation, const FvCorrelateVotes *votes,
                                  const FvCorrelateScore *scores, int score_count, const FvCorrelateParams *params,
                                  FvError *error);

FV_API void fv_correlate_close(FvCorrelation **correlation);

/* Returns the result of a score; NULL outside [0, score_count). It belongs to the correlation. */
FV_API const FvCorrelateResult *fv_correlate_result(const FvCorrelation *correlation, int score);

/*
 * Returns the predictions of a score, one for each stimulus; NULL outside [0, score_count). They belong to the
 * correlation.
 */
FV_API const double *fv_correlate_predictions(const FvCorrelation *correlation, int score);

/* Returns the vote that the curve of a score predicts for a value; NaN if `score` is outside [0, score_count). */
FV_API double fv_correlate_curve_at(const FvCorrelation *correlation, int score, double value);

/*
 * Return the number of differences between scores, score_count * (score_count - 1) / 2, and difference i in [0,
 * count), else NULL.
 */
FV_API int fv_correlate_differences(const FvCorrelation *correlation);
FV_API const FvCorrelateDifference *fv_correlate_difference(const FvCorrelation *correlation, int i);

#ifdef __cplusplus
}
#endif

#endif
