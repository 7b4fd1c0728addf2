/*
 * Models that make one score of several features: VMAF's. A model is built in or read from a file of the form that
 * libvmaf reads. Support vector regression with a radial kernel, in binary64, every operation rounded once and in the
 * order of docs/metrics/vmaf.md. Everything here is constant once made and may be used by any number of threads.
 */
#ifndef FV_MODEL_MODEL_H
#define FV_MODEL_MODEL_H

#include "fovea/fovea.h"

#define FV_MODEL_FEATURES 64
#define FV_MODEL_MEMBERS 1000 /* of a collection */
#define FV_MODEL_KNOTS 10

typedef struct FvModelTransform {
    bool present, enabled;
    bool has[3];
    double p[3]; /* of s^0, s^1, s^2 */
    int knot_count;
    double knot[FV_MODEL_KNOTS][2];
    bool at_most_input, at_least_input;
} FvModelTransform;

/* One regression. */
typedef struct FvModelMember {
    bool rescale;
    const double *slope, *intercept; /* [0] of the score, [i + 1] of feature i; NULL unless rescale */
    double gamma, rho;
    int count;                 /* of support vectors */
    const uint32_t *which;     /* of FvModel.vector each is; NULL: the first, the second, ... */
    const double *coefficient; /* of each */
    FvModelTransform transform;
    bool clip;
    double minimum, maximum;
    double chroma; /* parameter of the chroma correction; 0: none */
} FvModelMember;

/* A number of members of which the first is the main one; one member is a plain model, more are a collection. */
struct FvModel {
    const char *name;
    const char *sha256;  /* of the file, in hexadecimal digits */
    int height;          /* of the pictures it is meant for; 0: it does not say */
    double distance;     /* of the viewer, in heights of the picture; 0: it does not say */
    double lowest_rate;  /* frames per second, of the videos it is meant for; 0: does not say */
    double highest_rate; /* 0: does not say */
    const char *purpose; /* in words, or NULL */
    int native_depth;    /* bits per sample that shallower videos are scored as; 0: their own */
    int feature_count;
    const FvModelFeature *feature;
    int vector_count;
    const double *vector; /* feature_count numbers each */
    int member_count;
    const FvModelMember *member;
    bool alike;                   /* all members have the same kernel: gamma, slopes, intercepts, chroma */
    struct FvModelMemory *memory; /* what a file's model lies in; NULL: built in */
};

/* By name, or NULL; the i-th of them in alphabetical order, or NULL. */
const FvModel *fv_model_find(const char *name);
const FvModel *fv_model_at(int i);

/* The last values of a collection's score, after the values of its members. */
typedef enum FvModelSpread {
    FV_MODEL_BAGGING,
    FV_MODEL_STDDEV,
    FV_MODEL_LOW,
    FV_MODEL_HIGH,
    FV_MODEL_SPREADS
} FvModelSpread;

/* From a value for each feature. `scratch` has fv_model_scratch(model) numbers. */
size_t fv_model_scratch(const FvModel *model);
void fv_model_predict(const FvModel *model, FvModelFlags flags, const double *features, double *scratch,
                      double *values);

/* What the main score can be; infinite without a clip. */
void fv_model_range(const FvModel *model, FvModelFlags flags, double *minimum, double *maximum);

/*
 * Reads a model from the text of a file, which `path` names in messages. FV_ERROR_INPUT says which key has which
 * wrong value; FV_ERROR_UNAVAILABLE: this build reads no models. `sha256` is copied.
 */
FvStatus fv_model_read(FvModel **model, const char *path, const char *text, size_t size, const char *sha256,
                       FvError *error);
void fv_model_free(FvModel **model);

#endif
