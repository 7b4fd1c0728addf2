/*
 * Metrics: their options, outputs and maps. A program that lists them:
 *
 *     for (int i = 0; i < fv_metric_count(); i++)
 *         printf("%s: %s\n", fv_metric_info(i)->name, fv_metric_info(i)->title);
 *
 * docs/metrics describes the metrics.
 */
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
    FV_OPTION_PATH, /* path of a file that affects scores. It is read when the metric is added, and reports state its
                       hash */
} FvOptionType;

typedef struct FvOptionInfo {
    const char *name;
    const char *alias; /* short name for suffixes of output names; NULL: the name; "": no suffix */
    FvOptionType type;
    double minimum, maximum;    /* lowest and highest valid value of INT and REAL */
    double value;               /* default of BOOL (0 or 1), INT and REAL */
    const char *text;           /* default of TEXT; NULL: unset, as PATH always is */
    const char *const *choices; /* NULL-terminated list of a TEXT's only valid values; NULL: any text */
    const char *unit;           /* "dB", "px", ..., or NULL */
    const char *help;
} FvOptionInfo;

/*
 * Which values of a score are better. FV_NEITHER_IS_BETTER: the value describes the video without judging it, such as
 * the amount of motion.
 */
typedef enum FvBetter { FV_HIGHER_IS_BETTER, FV_LOWER_IS_BETTER, FV_NEITHER_IS_BETTER } FvBetter;

/* Returns "higher", "lower" or "neither"; NULL for any other value. Thread-safe. */
FV_API const char *fv_better_name(FvBetter better);

typedef struct FvOutputInfo {
    const char *name;
    const char *unit;        /* "dB", "score", ...; NULL or "": none */
    double minimum, maximum; /* bounds of the values; may be infinite */
    FvBetter better;
    bool sequence; /* it has one value for the whole clip instead of one per frame */
    const char *help;
} FvOutputInfo;

/* A map: numbers that a metric computes for each place of a frame. */
typedef struct FvMapInfo {
    const char *name;
    const char *unit;        /* "JND", "c-value", ...; NULL or "": none */
    double minimum, maximum; /* bounds of the values; may be infinite */
    const char *help;
    double shown;    /* if the maximum is infinite, the usual upper end of a picture's scale; 0: none */
    bool on_request; /* for research: computed only when requested by name */
} FvMapInfo;

typedef struct FvMetricInfo {
    const char *name, *title;
    const char *citation; /* paper or standard that defines it */
    bool needs_reference; /* false: it scores the distorted video alone, unless an option uses the reference */
    bool takes_rgb;       /* it also accepts frames of FV_CHROMA_RGB */
    const FvOptionInfo *options;
    int option_count;
    const FvOutputInfo *outputs; /* all possible outputs; options and format decide which of them a session has */
    int output_count;
    const FvMapInfo *maps;
    int map_count;
} FvMetricInfo;

/* A map of one frame, for FvMapRequest.on_map. It and everything it points to are valid during that call only. */
typedef struct FvMap {
    int metric, map; /* index of the metric, in the order of fv_session_add(), and of the map in FvMetricInfo.maps */
    const FvMapInfo *info;
    double minimum, maximum;              /* bounds of the values with this session's options */
    int64_t number;                       /* number with which the frame was pushed */
    const FvFrame *reference, *distorted; /* the pushed frames */
    int width, height;
    const float *data;
    ptrdiff_t stride; /* distance from one row to the next, in floats */
} FvMap;

/*
 * Return the number of metrics, and metric i in [0, count), else NULL. The order is fixed and alphabetical.
 * Thread-safe.
 */
FV_API int fv_metric_count(void);
FV_API const FvMetricInfo *fv_metric_info(int i);

#ifdef __cplusplus
}
#endif

#endif
