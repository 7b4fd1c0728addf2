/* The library's internal table of a run's parameters, and the remedies in messages, which are made from its rows. */
#pragma once

#include "fovea/fovea.h"
#include "fovea/param.h"

/* The type of a value in its struct, and its form as text. */
typedef enum FvParamKind {
    FV_VALUE_FLAG,   /* bool */
    FV_VALUE_NUMBER, /* int */
    FV_VALUE_LONG,   /* int64_t */
    FV_VALUE_CHOICE, /* an enum: `base` plus the index of the word */
    FV_VALUE_SWITCH, /* bool: the index of the word in `choices` */
    FV_VALUE_WORD,   /* const char *, one of the choices */
    FV_VALUE_PATH,   /* const char *, any text */
    FV_VALUE_DEVICE,
    FV_VALUE_MODELS,
    FV_VALUE_FIT, /* FvScaleFit: `base` if true */
    FV_VALUE_PRIMARIES,
    FV_VALUE_TRANSFER,
    FV_VALUE_MATRIX,
    FV_VALUE_TIME, /* int64_t, microseconds */
    FV_VALUE_CROP,
    FV_VALUE_SCALE,
    FV_VALUE_KERNEL,
    FV_VALUE_CONVERT,
    FV_VALUE_BACKGROUND,
    FV_VALUE_PIXELS,
    FV_VALUE_RATE,
} FvParamKind;

#define PARAM(id, ...) FV_PARAM_##id,
typedef enum FvParam {
#include "option/param_rows-inl.h"
    FV_PARAM_COUNT
} FvParam;
#undef PARAM

typedef struct FvParamRow {
    FvParamInfo info;
    FvParamKind kind;
    size_t offset, step; /* offset of the reference's member in FvRunParams, and distance from it to the distorted
                            video's; step 0: the size of an element of `source` */
    int base;
    const char *takes; /* the values in words, if there are no `choices` */
} FvParamRow;

extern const FvParamRow fv_param_rows[FV_PARAM_COUNT];

/*
 * Finds the row for a name such as "align" or "reference.range", and its FvSide; *side is 2 for a bare name. NULL:
 * none.
 */
const FvParamRow *fv_param_find(const char *name, int *side);

/* A parameter with a value, in backticks. Callers in other languages translate it to their own spelling. */
typedef struct FvRemedy {
    char text[128];
} FvRemedy;

/*
 * Makes `align=map`. `value` is a printf format; NULL: the name alone. The name comes from the table, so the
 * parameter exists.
 */
FvRemedy fv_remedy(FvParam param, const char *value, ...) __attribute__((format(printf, 2, 3)));

/* Makes `reference.range=full` for one video; `side` is an FvSide. */
FvRemedy fv_remedy_of(int side, FvParam param, const char *value, ...) __attribute__((format(printf, 3, 4)));

/* Makes `reference.range` or `distorted.range`, for a video that may be either of the two. */
FvRemedy fv_remedy_of_either(FvParam param, const char *value, ...) __attribute__((format(printf, 2, 3)));
