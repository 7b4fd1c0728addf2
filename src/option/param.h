/* The table of a run's parameters inside the library, and the remedies of messages, which are made from its rows. */
#pragma once

#include "fovea/fovea.h"
#include "fovea/param.h"

/* How a value is kept, and which words it takes. */
typedef enum FvParamKind {
    FV_VALUE_FLAG,   /* bool */
    FV_VALUE_NUMBER, /* int */
    FV_VALUE_LONG,   /* int64_t */
    FV_VALUE_CHOICE, /* an enum: `base` plus the index of the word */
    FV_VALUE_SWITCH, /* bool: the index of the word */
    FV_VALUE_WORD,   /* const char *, one of the choices */
    FV_VALUE_PATH,   /* const char *, any */
    FV_VALUE_DEVICE,
    FV_VALUE_MODELS,
    FV_VALUE_FIT, /* FvScaleFit: `base` where it is true */
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
    size_t offset, step; /* of the member in FvRunParams, of the reference; from there to the distorted video's; 0: as
                            in `source` */
    int base;
    const char *takes; /* the values in words, where there are no `choices` */
} FvParamRow;

extern const FvParamRow fv_param_rows[FV_PARAM_COUNT];

/* The row of a name such as "align" or "reference.range", and its FvSide; *side is 2 for a bare name. NULL: none. */
const FvParamRow *fv_param_find(const char *name, int *side);

/* A parameter with a value, in backticks; callers in every language spell it as their own. */
typedef struct FvRemedy {
    char text[128];
} FvRemedy;

/* `align=map`: a value is a format; NULL: the name alone. Made from the row, so that there is such a parameter. */
FvRemedy fv_remedy(FvParam param, const char *value, ...) __attribute__((format(printf, 2, 3)));

/* `reference.range=full`, by FvSide. */
FvRemedy fv_remedy_of(int side, FvParam param, const char *value, ...) __attribute__((format(printf, 3, 4)));

/* `reference.range` or `distorted.range`: of a video that does not know which of the two it is. */
FvRemedy fv_remedy_of_either(FvParam param, const char *value, ...) __attribute__((format(printf, 2, 3)));
