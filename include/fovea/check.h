/*
 * Checks: they find faults of a single video, such as frozen or black parts, from the terms of its metrics.
 * docs/check.md has the rules. A program that lists the events of a session that has finished:
 *
 *     #include <fovea/fovea.h>
 *
 *     void print_events(FvSession *session);
 *
 *     void print_events(FvSession *session)
 *     {
 *         for (int i = 0; i < fv_session_check_events(session); i++) {
 *             const FvCheckEvent *event = fv_session_check_event(session, i);
 *             printf("%s at %g s\n", fv_check_info(event->check)->title, event->time);
 *         }
 *     }
 */
#ifndef FOVEA_CHECK_H
#define FOVEA_CHECK_H

#include <fovea/session.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The severity of an event, in ascending order. */
typedef enum FvSeverity { FV_SEVERITY_INFO, FV_SEVERITY_WARN, FV_SEVERITY_FAIL } FvSeverity;

/* Returns "info", "warn" or "fail"; NULL for any other value. Thread-safe. */
FV_API const char *fv_severity_name(FvSeverity severity);

/* A check, which finds one kind of event. Texts are English. */
typedef struct FvCheckInfo {
    const char *name;   /* name for programs: "freeze" */
    const char *title;  /* title for people: "Freeze" */
    const char *many;   /* plural in sentences: "frozen parts" */
    const char *metric; /* name of the metric whose terms decide */
    FvSeverity severity;
    const char *rule;    /* condition of an event, with the default limits */
    const char *options; /* comma-separated names of the metric's options that decide; "": none */
    const char *source;  /* who states the limits */
} FvCheckInfo;

/* Return the number of checks, and check i in [0, count), else NULL, in the order of reports. Thread-safe. */
FV_API int fv_check_count(void);
FV_API const FvCheckInfo *fv_check_info(int i);

/* Returns the index of a check by its name; -1: there is none. Thread-safe. */
FV_API int fv_check_find(const char *name);

typedef enum FvCheckDetailType {
    FV_CHECK_DETAIL_INTEGERS,
    FV_CHECK_DETAIL_BOOL,
    FV_CHECK_DETAIL_TEXT
} FvCheckDetailType;

/* A detail of an event: "period" 5, "exact" true, "bars" with four numbers of rows and columns, "measured" "top". */
typedef struct FvCheckDetail {
    const char *name;
    FvCheckDetailType type;
    int count; /* number of integers; 1: a number, more: a list */
    int64_t integer[4];
    const char *text;
} FvCheckDetail;

typedef struct FvCheckEvent {
    int check; /* index for fv_check_info() */
    FvSide side;
    FvSeverity severity; /* severity of its check; FV_SEVERITY_INFO after fv_session_intend() */
    bool added;          /* the distorted video has it and the reference does not; false without a reference */
    int64_t first, last; /* numbers of its first and last frame */
    int64_t frames;      /* number of its frames, which excludes short gaps between first and last */
    double time;         /* time of the first frame in seconds, as fv_session_time() returns it */
    double duration;     /* seconds from `time` to the end of the last frame */
    FvCheckDetail detail[3];
    int details;
} FvCheckEvent;

/*
 * Return the number of events of a session that has finished or ended early, and event i in [0, count), else NULL:
 * first those of the distorted video, then those of the reference, each in the order of their first frames. Events
 * are computed from the terms of all frames, so threads, devices and shards make no difference. If frames were left
 * out, if no frame was scored, if fields were scored, or if memory ran out, there are no events, and
 * fv_session_check() gives the reason.
 */
FV_API int fv_session_check_events(FvSession *session);
FV_API const FvCheckEvent *fv_session_check_event(FvSession *session, int i);

/*
 * Declares the events of some checks, given as names with commas between them, as intended: their severity becomes
 * FV_SEVERITY_INFO. Later calls add checks. Call it before the first report or verdict, and before the first call of
 * any function that returns events or results. FV_ERROR_USAGE: a name is unknown.
 */
FV_API FvStatus fv_session_intend(FvSession *session, const char *checks, FvError *error);

/*
 * Chooses the checks to make, given as names with commas between them; the other checks are skipped and have no
 * events. "": all checks. A later call replaces the choice. Call it before the first report or verdict, and before
 * the first call of any function that returns events or results. FV_ERROR_USAGE: a name is unknown.
 */
FV_API FvStatus fv_session_choose_checks(FvSession *session, const char *checks, FvError *error);

/* The result of a check, which counts events of the distorted video. */
typedef struct FvCheckResult {
    const char *verdict; /* "pass", "info", "warn", "fail" or "skipped" */
    const char *reason;  /* why it was skipped, in a clause; else NULL */
    int events;
    int64_t frames; /* number of frames in the counted events */
} FvCheckResult;

/*
 * Writes the result of a check. Returns false if the check or the session does not exist, or the session has not been
 * started.
 */
FV_API bool fv_session_check(FvSession *session, int check, FvCheckResult *result);

/*
 * Returns the worst result of all checks: "pass", "info", "warn" or "fail"; "partial" if fv_session_partial() gives a
 * reason and no check failed. NULL: no check was made.
 */
FV_API const char *fv_session_check_verdict(FvSession *session);

#ifdef __cplusplus
}
#endif

#endif
