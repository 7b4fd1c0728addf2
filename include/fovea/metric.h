/* Metrics: their options, scores and maps. */
#ifndef FOVEA_METRIC_H
#define FOVEA_METRIC_H

#include <fovea/frame.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum FvOptionType {
    FV_OPTION_BOOL,
    FV_OPTION_INT,
    FV_OPTION_REAL,
    FV_OPTION_TEXT,
    FV_OPTION_PATH, /* of a file that affects scores: read when the metric is added; reports name its hash */
} FvOptionType;

typedef struct FvOptionInfo {
    const char *name;
    const char *alias; /* short name in suffixes of output names; NULL: the name itself; "": left out of them */
    FvOptionType type;
    double minimum, maximum;    /* bounds of INT and REAL, both included */
    double value;               /* default of BOOL (0 or 1), INT and REAL */
    const char *text;           /* default of TEXT, or NULL for unset; PATH is unset at first */
    const char *const *choices; /* TEXT: NULL-terminated list of the only values, or NULL for any */
    const char *unit;           /* "dB", "px", ..., or NULL */
    const char *help;
} FvOptionInfo;

/* FV_NEITHER_IS_BETTER: the value describes the video without judging it, such as the amount of motion. */
typedef enum FvBetter { FV_HIGHER_IS_BETTER, FV_LOWER_IS_BETTER, FV_NEITHER_IS_BETTER } FvBetter;

/* "higher", "lower" or "neither"; NULL for any other value. */
FV_API const char *fv_better_name(FvBetter better);

typedef struct FvOutputInfo {
    const char *name;
    const char *unit;        /* "dB", "score", ...; NULL or "": it has none */
    double minimum, maximum; /* bounds of the values; may be infinite */
    FvBetter better;
    bool sequence; /* one value for the whole clip instead of one per frame */
    const char *help;
} FvOutputInfo;

/* A picture of numbers that a metric makes from a frame. */
typedef struct FvMapInfo {
    const char *name;
    const char *unit;        /* "JND", "c-value", ...; NULL or "": it has none */
    double minimum, maximum; /* bounds of the values; may be infinite */
    const char *help;
    double
        shown; /* where the maximum is infinite, the value up to which pictures usually show it; 0: none is usual */
    bool on_request; /* for research: made only when it is asked for by name */
} FvMapInfo;

typedef struct FvMetricInfo {
    const char *name, *title;
    const char *citation; /* the paper or standard that defines it */
    bool needs_reference; /* false: scores the distorted video alone unless an option asks for the reference */
    bool takes_rgb;       /* also takes frames of FV_CHROMA_RGB */
    const FvOptionInfo *options;
    int option_count;
    const FvOutputInfo *outputs; /* every possible one; options and format decide which of them a run has */
    int output_count;
    const FvMapInfo *maps;
    int map_count;
} FvMetricInfo;

/* A map of one frame, for FvMapRequest.take. Everything in it is valid during that call only. */
typedef struct FvMap {
    int metric, map; /* in the order of fv_session_add; in FvMetricInfo.maps */
    const FvMapInfo *info;
    double minimum, maximum;              /* bounds of the values with this session's options */
    int64_t number;                       /* the number with which the frame was pushed */
    const FvFrame *reference, *distorted; /* the frames that were pushed */
    int width, height;
    const float *data;
    ptrdiff_t stride; /* from one row to the next, in floats */
} FvMap;

/* Metric i in [0, count), or NULL. The order is fixed and alphabetical. Thread-safe. */
FV_API int fv_metric_count(void);
FV_API const FvMetricInfo *fv_metric_info(int i);

#ifdef __cplusplus
}
#endif

#endif
