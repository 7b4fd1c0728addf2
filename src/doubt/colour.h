/*
 * A catalogue of named mistakes in colour, and the choice of the one that explains how two videos differ.
 * docs/doubt.md
 */
#pragma once

#include "doubt/look.h"

typedef enum FvFreedom {
    FV_FREEDOM_FIXED,  /* a known matrix or range, exchanged planes, or a negative */
    FV_FREEDOM_TWICE,  /* the range is converted twice */
    FV_FREEDOM_BOTH,   /* matrix and range are wrong */
    FV_FREEDOM_CHROMA, /* a factor of hue or of saturation */
    FV_FREEDOM_LEVEL,  /* gain and offset of luma */
    FV_FREEDOM_LEVELS, /* gain and offset of luma, and saturation */
    FV_FREEDOM_TONE,   /* a curve of luma */
    FV_FREEDOM_AFFINE, /* all twelve coefficients of a colour map */
} FvFreedom;

typedef enum FvMistake {
    FV_MISTAKE_NONE,
    FV_MISTAKE_COLOURS,  /* another matrix (`from`, `to`), another range (`range`), or both */
    FV_MISTAKE_PLANES,   /* Cb and Cr are exchanged */
    FV_MISTAKE_RGB,      /* R, G and B are exchanged (`order`) */
    FV_MISTAKE_NEGATIVE, /* planes are negative (`planes`) */
    FV_MISTAKE_HUE,
    FV_MISTAKE_SATURATION,
    FV_MISTAKE_LEVEL,
    FV_MISTAKE_LEVELS,
    FV_MISTAKE_AFFINE,
    FV_MISTAKE_TONE,
} FvMistake;

typedef enum FvDoubtMatrix { FV_DOUBT_BT601, FV_DOUBT_BT709, FV_DOUBT_BT2020, FV_DOUBT_MATRICES } FvDoubtMatrix;

/*
 * A needless conversion of the range: limited-range samples were squeezed as if they were full-range, or stretched to
 * it.
 */
typedef enum FvDoubtRange {
    FV_DOUBT_SAME,
    FV_DOUBT_SQUEEZED,
    FV_DOUBT_STRETCHED,
    FV_DOUBT_SQUEEZED_TWICE,
    FV_DOUBT_STRETCHED_TWICE,
} FvDoubtRange;

/*
 * Rows: Y, Cb and Cr of the distorted video; columns: factors of 1 and of Y, Cb and Cr of the reference. Samples have
 * 16 bits; Y is relative to black, 4096; Cb and Cr to gray.
 */
typedef double FvColourMap[3][4];

typedef struct FvHypothesis {
    FvMistake mistake;
    FvFreedom kind;
    FvDoubtMatrix from, to; /* equal: the matrix is right */
    FvDoubtRange range;
    const char *order; /* for RGB: the components found in place of R, G and B, such as "BGR" */
    unsigned planes;   /* for NEGATIVE: bit i: plane i is negative */
    FvColourMap map;   /* not used for FV_MISTAKE_TONE */
    double value[3];   /* HUE: x and y; SATURATION: factor; LEVEL: offset and gain; LEVELS: offset, gain and factor */
    double ratio;      /* squared error without the map, divided by the error with it */
} FvHypothesis;

#define FV_HYPOTHESES 38

/* The hypothesis that explains all pairs together. */
typedef struct FvColourFit {
    FvHypothesis found; /* its mistake is FV_MISTAKE_NONE if no hypothesis explains the pairs */
    double rms;         /* root mean squared difference without the map, in 8-bit codes */
    int votes, seen;    /* number of pairs that the hypothesis explains, of `seen` pairs that differ */
    double curve[3][2]; /* TONE: 8-bit codes of reference and distorted video, in the first, middle and last bin */
} FvColourFit;

typedef struct FvMoments {
    double of[FV_LOOK_VECTOR][FV_LOOK_VECTOR];
    double bins[FV_LOOK_BINS][FV_BIN_SUMS];
} FvMoments;

/* Adds up the sums of all looks that have chroma. false: none has. */
bool fv_moments_add_up(FvMoments *m, const FvLook *looks, int count);
double fv_moments_variance(const FvMoments *m, int i);
double fv_moments_covariance(const FvMoments *m, int i, int j);
/* Returns the sum of squared errors with a map. */
double fv_moments_error(const FvMoments *m, const FvColourMap map);
/* Returns the sum of squared errors without a map, over the planes i whose bit i is set. */
double fv_moments_identity(const FvMoments *m, unsigned planes);
/* Returns the sum of squared errors of luma with one line per bin. */
double fv_moments_tone(const FvMoments *m);

/* Lists all hypotheses that apply, with their ratios. Returns their number. */
int fv_colour_hypotheses(FvHypothesis found[FV_HYPOTHESES], const FvMoments *m);

/* Writes the name of a hypothesis, such as "matrix bt709 bt601, range squeezed", to `text`, and returns `text`. */
char *fv_hypothesis_name(const FvHypothesis *hypothesis, char *text, size_t size);

/* Lists the maps without free parameters. Returns their number. */
int fv_colour_catalogue(FvHypothesis found[FV_HYPOTHESES]);

#define FV_LOST_LEAST (2.25 * 256.0 * 256.0) /* minimum variance of a plane that can lose its colour */

void fv_colour_explain(FvColourFit *fit, const FvLook *looks, int count);

/* The answer of one look to the question whether the pair has a mistake. */
typedef enum FvVote { FV_VOTE_NONE, FV_VOTE_AGAINST, FV_VOTE_FOR } FvVote;

/*
 * Returns whether the moments of one look are explained by a hypothesis as well as those of all pairs together must
 * be, or are explained better without it. A look without chroma has no vote.
 */
FvVote fv_colour_vote(const FvHypothesis *hypothesis, const FvMoments *look);

/*
 * Returns which planes lost their colour: bit 1, Cb, or bit 2, Cr, is constant in the distorted video wherever the
 * reference has colour, which is a variance of `variance` or more.
 */
unsigned fv_colour_lost(const FvLook *looks, int count, double variance);
