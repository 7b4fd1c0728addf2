/* Events: what a check of one video finds, from the scores of its metrics. docs/check.md */
#ifndef FOVEA_CHECK_H
#define FOVEA_CHECK_H

#include <fovea/session.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In the order of their weight. */
typedef enum FvSeverity { FV_SEVERITY_INFO, FV_SEVERITY_WARN, FV_SEVERITY_FAIL } FvSeverity;

/* "info", "warn" or "fail"; NULL for any other value. */
FV_API const char *fv_severity_name(FvSeverity severity);

/* A kind of event. Texts are English. */
typedef struct FvCheckInfo {
    const char *name;   /* "freeze" */
    const char *title;  /* for people: "Freeze" */
    const char *many;   /* in a list of what was not found: "frozen parts" */
    const char *metric; /* name of the metric whose terms decide */
    FvSeverity severity;
    const char *rule;    /* what makes an event, with the default limits */
    const char *options; /* comma-separated names of the metric's options that decide; "": none */
    const char *source;  /* who states the limits */
} FvCheckInfo;

/* Check i in [0, count), or NULL, in the order of reports. Thread-safe. */
FV_API int fv_check_count(void);
FV_API const FvCheckInfo *fv_check_info(int i);

/* By name; -1: there is none. */
FV_API int fv_check_find(const char *name);

typedef enum FvCheckDetailType {
    FV_CHECK_DETAIL_INTEGERS,
    FV_CHECK_DETAIL_BOOL,
    FV_CHECK_DETAIL_TEXT
} FvCheckDetailType;

/* What else is known of an event: "period" 5, "exact" true, "bars" of four rows and columns, "measured" "top". */
typedef struct FvCheckDetail {
    const char *name;
    FvCheckDetailType type;
    int count; /* of the integers; 1: a number, more: a list */
    int64_t integer[4];
    const char *text;
} FvCheckDetail;

typedef struct FvCheckEvent {
    int check; /* fv_check_info() */
    FvSide side;
    FvSeverity severity; /* FV_SEVERITY_INFO of a check that was expected */
    bool added;          /* with a reference: the distorted video's, which the reference does not have */
    int64_t first, last; /* numbers of frames, both included */
    int64_t frames;      /* that count: an event with short gaps has fewer than from first to last */
    double time;         /* of the first frame in seconds, as fv_session_time() */
    double duration;     /* in seconds, to the end of the last frame */
    FvCheckDetail detail[3];
    int details;
} FvCheckEvent;

/*
 * The events of a session that has finished, in the order of their first frames. They come from the terms of all
 * frames, so that threads, devices and shards make no difference. None where frames were left out. Memory that runs
 * out leaves out all events, and fv_session_check() says so.
 */
FV_API int fv_session_check_events(FvSession *session);
FV_API const FvCheckEvent *fv_session_check_event(FvSession *session, int i);

/*
 * Names, with commas between them, of checks whose events are intended: they become information. FV_ERROR_USAGE: a
 * name is unknown. Before the first call of fv_session_check_events().
 */
FV_API FvStatus fv_session_intend(FvSession *session, const char *checks, FvError *error);

/* Leaves out all checks but these, named as above: they are skipped, and have no events. "": all. */
FV_API FvStatus fv_session_choose_checks(FvSession *session, const char *checks, FvError *error);

/* What came of a check: events of the distorted video count. */
typedef struct FvCheckResult {
    const char *verdict; /* "pass", "info", "warn", "fail" or "skipped" */
    const char *reason;  /* why it was skipped, in a clause; else NULL */
    int events;
    int64_t frames; /* in them */
} FvCheckResult;

/* False: the check or the session does not exist. */
FV_API bool fv_session_check(FvSession *session, int check, FvCheckResult *result);

/*
 * Of the clip: the worst of its checks: "pass", "info", "warn" or "fail"; "partial" where it would be less than a
 * failure and frames are missing. NULL: no check was made.
 */
FV_API const char *fv_session_check_verdict(FvSession *session);

#ifdef __cplusplus
}
#endif

#endif
