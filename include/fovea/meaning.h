/* Scores in words: what each is called, what it means, and how good a value is. docs/verdicts.md has the sources. */
#ifndef FOVEA_MEANING_H
#define FOVEA_MEANING_H

#include <fovea/session.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A word for the values from `from` on, up to the next grade's `from`. */
typedef struct FvGrade {
    double from; /* in the unit of the score; of the first grade -INFINITY */
    int level;   /* [1, 5]; 5 is the best */
    const char *word;
} FvGrade;

typedef enum FvShown {
    FV_SHOWN_FIRST = 0, /* one of each metric: in every table */
    FV_SHOWN_ASKED,     /* in a table of everything */
    FV_SHOWN_PART,      /* a part of a metric, which judges nothing by itself: in a table of everything, last */
} FvShown;

/* What is known of a score by its name. Texts are English. */
typedef struct FvMeaning {
    const char *score;     /* the name in FvMetricInfo.outputs: "psnr_y" */
    const char *title;     /* for people: "PSNR, luma" */
    const char *brief;     /* the same in at most 16 characters, for tables */
    const char *text;      /* what it means, in a clause */
    const char *unit;      /* behind a number: "dB", "JND", "%"; NULL: none */
    const char *scale;     /* how to read a number without a unit: "of 100", "0 to 24", "1: equal"; or NULL */
    bool share;            /* of 1, shown in percent */
    bool fine;             /* values differ little: shown with four decimals, others with two */
    FvShown shown;         /* of this score by itself; fv_session_shown() knows the session's */
    const FvGrade *grades; /* from low values to high ones; NULL: no convention is published */
    int grade_count;
    const char *by;         /* of the grades: who says so, in a word or two; NULL without grades */
    const char *source;     /* of the grades: who says so, with the place; NULL without grades */
    bool rule_of_thumb;     /* sources disagree about the grades */
    bool sdr_only;          /* the votes or rules behind the grades are of SDR; videos in PQ and HLG get no word */
    const char *artefact;   /* of which alone the grades speak: "banding"; NULL: of quality */
    const char *conditions; /* a sentence on how the votes behind the grades were given, where that explains why a
                               score disagrees with others; NULL: none */
} FvMeaning;

/* By a name of FvMetricInfo.outputs, without suffixes of options; NULL: there is none. Thread-safe. */
FV_API const FvMeaning *fv_meaning(const char *score);

/* Meaning i in [0, count), or NULL; in the order in which tables show scores, the most telling first. Thread-safe. */
FV_API int fv_meaning_count(void);
FV_API const FvMeaning *fv_meaning_at(int i);

/* Of an output of a started session, whatever suffix its name has; NULL: the output does not exist. */
FV_API const FvMeaning *fv_session_meaning(const FvSession *session, int output);

/* Where an output is shown: FV_SHOWN_FIRST for one of each metric that was added. */
FV_API FvShown fv_session_shown(const FvSession *session, int output);

/* Whether a grade is a bound, because the videos are not what the metric is made for. */
typedef enum FvBound { FV_BOUND_NONE = 0, FV_BOUND_AT_MOST, FV_BOUND_AT_LEAST } FvBound;

/* Of all verdicts on an output of a started session. */
FV_API FvBound fv_session_bound(const FvSession *session, int output);

typedef struct FvVerdict {
    int level;     /* [1, 5]; 0: no verdict */
    char word[48]; /* "fair", "at most fair"; "" without a verdict */
} FvVerdict;

/*
 * Of a value of an output, which may be pooled. False: no convention is published, or its grades are of SDR only and
 * the videos are PQ or HLG, or the value is not a number: *verdict has level 0. Or the grade is a bound that says
 * nothing, such as "at most excellent": *verdict has it all the same.
 */
FV_API bool fv_session_verdict(const FvSession *session, int output, double value, FvVerdict *verdict);

/*
 * The output that speaks for the clip: VMAF, else SSIMULACRA 2, PSNR of luma, VDM or Butteraugli; for one video
 * CAMBI; -1: none of them has words for these videos.
 */
FV_API int fv_session_headline(const FvSession *session);

#ifdef __cplusplus
}
#endif

#endif
