/*
 * VMAF's models, which compute one score from several features. A model is built in or read from a file in libvmaf's
 * format. It is a support vector regression with a radial kernel, in binary64. Every operation is rounded once, in
 * the order of docs/metrics/vmaf.md. A model is constant once created, so any number of threads may use it.
 */
#pragma once

#include "fovea/fovea.h"

#define FV_MODEL_FEATURES 64
#define FV_MODEL_MEMBERS 1000 /* maximum number of members of a collection */
#define FV_MODEL_KNOTS 10

typedef struct FvModelTransform {
    bool present, enabled;
    bool has[3];
    double p[3]; /* coefficients of s^0, s^1, s^2 */
    int knot_count;
    double knot[FV_MODEL_KNOTS][2];
    bool at_most_input, at_least_input;
} FvModelTransform;

/* One regression. */
typedef struct FvModelMember {
    bool rescale;
    const double *slope, *intercept; /* [0]: of the score, [i + 1]: of feature i; NULL if `rescale` is false */
    double gamma, rho;
    int count;                 /* number of support vectors */
    const uint32_t *which;     /* index of each support vector in FvModel.vector; NULL: 0, 1, 2, ... */
    const double *coefficient; /* coefficient of each support vector */
    FvModelTransform transform;
    bool clip;
    double minimum, maximum;
    double chroma; /* parameter of the chroma correction; 0: none */
} FvModelMember;

/* A plain model has one member. A collection has more, and the first is the main one. */
struct FvModel {
    const char *name;
    const char *sha256;  /* hash of the file, in hexadecimal digits */
    int height;          /* height of the frames for which it was trained; 0: not stated */
    double distance;     /* viewing distance in frame heights; 0: not stated */
    double lowest_rate;  /* lowest frame rate of the videos for which it was trained; 0: not stated */
    double highest_rate; /* highest frame rate; 0: not stated */
    const char *purpose; /* purpose in words, or NULL */
    int native_depth;    /* bits per sample at which videos of fewer bits are scored; 0: at their own */
    int feature_count;
    const FvModelFeature *feature;
    int vector_count;
    const double *vector; /* feature_count numbers per vector */
    int member_count;
    const FvModelMember *member;
    bool alike;                   /* all members have the same kernel: gamma, slopes, intercepts and chroma */
    struct FvModelMemory *memory; /* memory of a model from a file; NULL: built in */
};

/*
 * fv_model_find() returns the built-in model with this name, fv_model_at() the i-th one in alphabetical order; NULL
 * if there is none.
 */
const FvModel *fv_model_find(const char *name);
const FvModel *fv_model_at(int i);

/* The statistics of a collection: values computed from the scores of its members. */
typedef enum FvModelSpread {
    FV_MODEL_BAGGING,
    FV_MODEL_STDDEV,
    FV_MODEL_LOW,
    FV_MODEL_HIGH,
    FV_MODEL_SPREADS
} FvModelSpread;

/*
 * fv_model_predict() computes a score from one value per feature. `scratch` has room for fv_model_scratch(model)
 * numbers.
 */
size_t fv_model_scratch(const FvModel *model);
void fv_model_predict(const FvModel *model, FvModelFlags flags, const double *features, double *scratch,
                      double *values);

/* Returns the range of the main score; infinite if the score is not clipped. */
void fv_model_range(const FvModel *model, FvModelFlags flags, double *minimum, double *maximum);

/*
 * Reads a model from the text of a file; messages name the file by `path`. FV_ERROR_INPUT if a key has a wrong value,
 * which the message names, or if this build cannot read models. `sha256` is copied.
 */
FvStatus fv_model_read(FvModel **model, const char *path, const char *text, size_t size, const char *sha256,
                       FvError *error);
void fv_model_free(FvModel **model);
