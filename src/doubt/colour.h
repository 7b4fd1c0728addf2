/* A catalogue of named mistakes, and the map of colours among them that explains a difference. docs/doubt.md */
#pragma once

#include "doubt/look.h"

typedef enum FvFreedom {
    FV_FREEDOM_FIXED,  /* a known matrix, range, exchange or negative */
    FV_FREEDOM_TWICE,  /* a range converted twice */
    FV_FREEDOM_BOTH,   /* matrix and range */
    FV_FREEDOM_CHROMA, /* hue or saturation */
    FV_FREEDOM_LEVEL,  /* gain and offset of luma */
    FV_FREEDOM_LEVELS, /* and saturation */
    FV_FREEDOM_TONE,   /* a curve of luma */
    FV_FREEDOM_AFFINE, /* all twelve coefficients */
} FvFreedom;

typedef enum FvMistake {
    FV_MISTAKE_NONE,
    FV_MISTAKE_COLOURS,  /* FV_FREEDOM_FIXED, TWICE, BOTH: matrices and a range, below */
    FV_MISTAKE_PLANES,   /* Cb and Cr are exchanged */
    FV_MISTAKE_RGB,      /* `order` */
    FV_MISTAKE_NEGATIVE, /* `planes` */
    FV_MISTAKE_HUE,
    FV_MISTAKE_SATURATION,
    FV_MISTAKE_LEVEL,
    FV_MISTAKE_LEVELS,
    FV_MISTAKE_AFFINE,
    FV_MISTAKE_TONE,
} FvMistake;

typedef enum FvDoubtMatrix { FV_DOUBT_BT601, FV_DOUBT_BT709, FV_DOUBT_BT2020, FV_DOUBT_MATRICES } FvDoubtMatrix;

/* A conversion that samples of limited range went through needlessly. */
typedef enum FvDoubtRange {
    FV_DOUBT_SAME,
    FV_DOUBT_SQUEEZED,
    FV_DOUBT_STRETCHED,
    FV_DOUBT_SQUEEZED_TWICE,
    FV_DOUBT_STRETCHED_TWICE,
} FvDoubtRange;

typedef double FvColourMap[3][4]; /* distorted Y, Cb, Cr of 1 and the reference's, in 16 bits; Y less 4096 */

typedef struct FvHypothesis {
    FvMistake mistake;
    FvFreedom kind;
    FvDoubtMatrix from, to; /* equal: no matrix */
    FvDoubtRange range;
    const char *order; /* RGB: the components in their places, "BGR" */
    unsigned planes;   /* NEGATIVE: bit i: plane i */
    FvColourMap map;   /* unused by TONE */
    double value[3];   /* HUE: x and y; SATURATION: the factor; LEVEL: offset and gain; LEVELS: and the factor */
    double ratio;      /* how many times less error it leaves */
} FvHypothesis;

#define FV_HYPOTHESES 38

/* The map that explains all pairs together. */
typedef struct FvColourFit {
    FvHypothesis found; /* mistake NONE: nothing is said */
    double rms;         /* root of the mean squared difference without the map, in codes of 8 bits */
    int votes, seen;    /* pairs that agree, of those that differ */
    double curve[3][2]; /* TONE: codes of the reference and what they are, for the first, middle and last bin */
} FvColourFit;

typedef struct FvMoments {
    double of[FV_LOOK_VECTOR][FV_LOOK_VECTOR];
    double bins[FV_LOOK_BINS][FV_BIN_SUMS];
} FvMoments;

/* The sums of looks, those without chroma left out. False: there is none. */
bool fv_moments_add_up(FvMoments *m, const FvLook *looks, int count);
double fv_moments_variance(const FvMoments *m, int i);
double fv_moments_covariance(const FvMoments *m, int i, int j);
double fv_moments_error(const FvMoments *m, const FvColourMap map); /* sum of squares that the map leaves */
double fv_moments_identity(const FvMoments *m, unsigned planes);    /* bit i: plane i */
double fv_moments_tone(const FvMoments *m);                         /* luma, a line for each bin */

/* All that are tried, with their ratios; returns their number. */
int fv_colour_hypotheses(FvHypothesis found[FV_HYPOTHESES], const FvMoments *m);

/* "matrix bt709 bt601, range squeezed" */
char *fv_hypothesis_name(const FvHypothesis *hypothesis, char *text, size_t size);

void fv_colour_explain(FvColourFit *fit, const FvLook *looks, int count);

/* Bit 1: Cb, bit 2: Cr is constant in the distorted video where the reference has colour. */
unsigned fv_colour_lost(const FvLook *looks, int count);
