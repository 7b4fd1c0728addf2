/*
 * Meanings: the title of each score, what it measures, and words for its values, with their source. A program that
 * prints the words of VMAF:
 *
 *     const FvMeaning *meaning = fv_meaning("vmaf");
 *     for (int i = 0; meaning && i < meaning->grade_count; i++)
 *         printf("from %g: %s\n", meaning->grades[i].from, meaning->grades[i].word);
 *
 * Grades are in the order of ascending values.
 */
#ifndef FOVEA_MEANING_H
#define FOVEA_MEANING_H

#include <fovea/session.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A word for the values from `from` on, up to the next grade's `from`. */
typedef struct FvGrade {
    double from; /* in the unit of the score; -INFINITY for the first grade */
    int level;   /* [1, 5]; 5 is the best */
    const char *word;
} FvGrade;

typedef enum FvDisplay {
    FV_DISPLAY_FIRST = 0, /* the main score of each metric: in every table */
    FV_DISPLAY_ASKED,     /* in complete tables only */
    FV_DISPLAY_PART,      /* a part of a metric, which judges nothing by itself: last, in complete tables only */
} FvDisplay;

/* The meaning of a score. Texts are English. */
typedef struct FvMeaning {
    const char *score;     /* name in FvMetricInfo.outputs: "psnr_y" */
    const char *title;     /* title for people: "PSNR, luma" */
    const char *brief;     /* title of at most 16 characters, for tables */
    const char *text;      /* what it means, in a clause */
    const char *unit;      /* unit that follows a number: "dB", "JND", "%"; NULL: none */
    const char *scale;     /* how to read a number without a unit: "of 100", "0 to 24", "1: equal"; or NULL */
    bool share;            /* it is a share of 1, shown in percent */
    bool fine;             /* values differ little: four decimals are shown instead of two */
    FvDisplay display;     /* where this score is shown in general; fv_session_display() decides for a session */
    const FvGrade *grades; /* grades in the order of ascending values; NULL: no convention is published */
    int grade_count;
    const char *by;         /* who states the grades, in a word or two; NULL without grades */
    const char *source;     /* who states the grades and where; NULL without grades */
    bool rule_of_thumb;     /* sources disagree about the grades */
    bool sdr_only;          /* the grades are based on SDR; videos in PQ and HLG get no word */
    const char *artefact;   /* the only artefact that the grades rate: "banding"; NULL: they rate quality */
    const char *conditions; /* a sentence on the viewing conditions of the votes that the grades are based on, if it
                               explains why a score disagrees with others; NULL: none */
} FvMeaning;

/*
 * Returns the meaning of a score by its name in FvMetricInfo.outputs, which has no suffixes of options; NULL: there
 * is none. Thread-safe.
 */
FV_API const FvMeaning *fv_meaning(const char *score);

/*
 * Return the number of meanings, and meaning i in [0, count), else NULL, in the order in which tables show scores,
 * the most important first. Thread-safe.
 */
FV_API int fv_meaning_count(void);
FV_API const FvMeaning *fv_meaning_at(int i);

/*
 * Returns the meaning of an output of a started session, whatever suffix its name has; NULL: the output does not
 * exist.
 */
FV_API const FvMeaning *fv_session_meaning(const FvSession *session, int output);

/*
 * Returns where an output is shown: FV_DISPLAY_FIRST for one output or more of each added metric. FV_DISPLAY_PART if
 * the output does not exist.
 */
FV_API FvDisplay fv_session_display(const FvSession *session, int output);

/* Says whether a grade is only a bound, because the metric was not made for such videos. */
typedef enum FvGradeBound { FV_GRADE_BOUND_NONE = 0, FV_GRADE_BOUND_AT_MOST, FV_GRADE_BOUND_AT_LEAST } FvGradeBound;

/* Returns the bound that applies to all verdicts on an output of a started session. */
FV_API FvGradeBound fv_session_grade_bound(const FvSession *session, int output);

typedef struct FvVerdict {
    int level;     /* [1, 5]; 0: no verdict */
    char word[48]; /* "fair", "at most fair"; "" without a verdict */
} FvVerdict;

/*
 * Writes the verdict on a value of an output, which may be pooled. Returns false, with level 0 in *verdict, if no
 * convention is published, if its grades are for SDR only and the videos are PQ or HLG, or if the value is NaN. Also
 * returns false, with the grade in *verdict, if the grade is a bound that says nothing, such as "at most excellent".
 */
FV_API bool fv_session_verdict(const FvSession *session, int output, double value, FvVerdict *verdict);

/*
 * Returns the output that represents the clip: VMAF, else SSIMULACRA 2, PSNR of luma, VDM or Butteraugli; CAMBI for a
 * single video; -1: none of them has words for these videos.
 */
FV_API int fv_session_headline(const FvSession *session);

#ifdef __cplusplus
}
#endif

#endif
