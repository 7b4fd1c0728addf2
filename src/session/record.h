/* Who computed the rows of a session, or of a shard: reports say it, and no score depends on it. */
#ifndef FV_SESSION_RECORD_H
#define FV_SESSION_RECORD_H

#include "metric/metric.h"

/* Strings are owned. */
typedef struct FvRecord {
    char *requested, *kind, *title, *isa; /* the device as the caller wrote it, and what it is */
    char *carriers[FV_MAX_METRICS];       /* of each metric: "cpu", "cuda", or both */
    int carrier_count;
    char **decisions;
    int decision_count;
    char *last; /* a decision that follows those of all shards; or NULL */
} FvRecord;

FvStatus fv_record_make(FvRecord *record, const FvSession *session, FvError *error);

void fv_record_free(FvRecord *record);

#endif
