/* Finds the events of one video of a session from its rows of terms. docs/check.md */
#pragma once

#include "fovea/check.h"

#include "metric/check.h"

/* Metrics from whose terms events are found. */
typedef enum FvCheckEventMetric {
    FV_OF_BLACK,
    FV_OF_FREEZE,
    FV_OF_LEVELS,
    FV_OF_LIGHT,
    FV_OF_FLASH,
    FV_OF_SCAN,
    FV_EVENT_METRICS
} FvCheckEventMetric;

/* Indices of checks for fv_check_info(). */
typedef enum FvCheckKind {
    FV_CHECK_BLACK,
    FV_CHECK_FLAT,
    FV_CHECK_FREEZE,
    FV_CHECK_CADENCE,
    FV_CHECK_REPEAT,
    FV_CHECK_BARS,
    FV_CHECK_ILLEGAL,
    FV_CHECK_LIGHT,
    FV_CHECK_GAMUT,
    FV_CHECK_FLASH,
    FV_CHECK_FLASH_EXTENDED,
    FV_CHECK_FIELDS,
    FV_CHECK_TELECINE,
    FV_CHECK_COMB,
    FV_CHECK_KINDS
} FvCheckKind;

/* Returns the metric that a check needs. */
FvCheckEventMetric fv_check_metric(FvCheckKind kind);
const char *fv_check_event_metric_name(FvCheckEventMetric metric);

/* Statements of a container about a video; 0: the container states nothing. */
typedef struct FvCheckEventFacts {
    int fields; /* stated field order, FvFieldOrder */
    int max_cll, max_fall, peak;
    int primaries; /* primaries of the mastering display: FV_H273_BT709, FV_H273_DISPLAY_P3; 0: others */
} FvCheckEventFacts;

/* Parses `mastering`, the text by which readers describe the mastering display; NULL: none. */
FvCheckEventFacts fv_check_event_facts(const char *mastering, int fields, int peak);

typedef struct FvCheckEventInput {
    FvSide side;
    const FvFormat *format;
    FvCheckEventFacts facts;
    int64_t frames;
    const double
        *times; /* times of frames and of the end of the last one, in seconds; NULL: derived from the frame rate */
    struct {
        const void *rule; /* the metric's options */
        FvRows rows;
        int want;   /* index of the feature among the metric's wants; negative: the session lacks the metric */
        bool asked; /* the metric's own events are wanted; false: only other checks need its terms */
    } metric[FV_EVENT_METRICS];
} FvCheckEventInput;

typedef struct FvCheckEventList {
    FvCheckEvent *event;
    int count, capacity;
    bool failed; /* memory ran out, so events are missing */
} FvCheckEventList;

/* Appends the events of a video in their order. `first` and `last` of an event are indices of frames. */
void fv_check_events_make(FvCheckEventList *list, const FvCheckEventInput *input);
