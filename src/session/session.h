/* A session as scoring, shards and reports see it: what it runs, the scores, and the facts for reports. */
#pragma once

#include "fovea/verdict.h"

#include "align/align.h"
#include "device/device.h"
#include "device/runs.h"
#include "input/index.h"
#include "json.h"
#include "json_read.h"
#include "metric/metric.h"
#include "metric/rows.h"
#include "os/guard.h"
#include "picture/scenes.h"

/* How frames were paired, for the report. */
typedef struct FvPairing {
    FvAlignment found;         /* by content: without its pairs; the events are a copy. Else all zero */
    int64_t first[2], last[2]; /* by content: reference and distorted frame of the first and last pair */
    int64_t pairs, unpaired, repeats, drops; /* by time */
} FvPairing;

/* One column of the scores. */
typedef struct FvColumn {
    int metric;        /* which metric of the session */
    int output;        /* which output of its run */
    FvOutputInfo info; /* name: the session's own copy, with a suffix when the metric was added more than once */
    int field;         /* 1, 2: of the top, of the bottom fields; the column of both is 1 or 2 before it */
    const FvMeaning *meaning;
    double sequence; /* value of a sequence output */
} FvColumn;

/* A copy of what a source said of itself. */
typedef struct FvInput {
    bool present;
    char *path, *reader, *container, *codec, *mastering;
    FvSourceInfo info; /* without its strings */
    double bit_rate;   /* bits a second of the packets of the frames that were scored; NaN: not known */
} FvInput;

typedef struct FvEvents {
    FvEvent *event; /* whose strings are owned */
    int count;
} FvEvents;

/* Who computed the rows: reports say it, and no score depends on it. Strings are owned. */
typedef struct FvRecord {
    char *requested, *kind, *title, *isa; /* the device as the caller wrote it, and what it is */
    char *carriers[FV_MAX_METRICS];       /* of each metric: "cpu", "cuda", or both */
    int carrier_count;
    char **decisions;
    int decision_count;
    FvEvents events;
} FvRecord;

typedef enum FvSessionState {
    FV_SESSION_OPEN,
    FV_SESSION_STARTED,
    FV_SESSION_FINISHED,
    FV_SESSION_FAILED
} FvSessionState;

/* What is known of the frames before the start. */
typedef struct FvExpected {
    FvArrival arrival;
    int64_t pairs;       /* that are to be scored; below 0: unknown */
    int decoded;         /* videos that are decoded, */
    int hwdec;           /* and by hardware decoders where they exist */
    bool twins;          /* frames come with Y'CbCr (fv_frame_ycbcr) for the metrics that take no RGB, */
    FvFormat twin[2];    /* of these formats: reference, distorted */
    FvListener listener; /* to what the start of the session waits for */
    bool part;           /* its rows go to a merge, which draws the conclusions from all */
} FvExpected;

typedef struct FvSessionDevices {
    char name[32]; /* as the caller wrote it */
    FvIsa isa;
    int threads;
    FvDevice *opened[2]; /* the chosen one; the CPU for runs that it does not carry, or NULL */
    int others;          /* sessions that score at the same time, probably on the same device */
    bool undecided;      /* "auto" has not chosen, and opened[0] is the CPU until it does */
    FvCarry carries[2][FV_MAX_RUNS];
    bool every[2];             /* carries a run of every frame, skipped ones included */
    bool first;                /* the GPU is the first one that this process opened, */
    double opening, opened_at; /* which took so many seconds until then */
} FvSessionDevices;

typedef struct FvScores {
    FvRowTable rows;
    int64_t scored; /* rows that scores were computed of, skipped ones included */
    int ahead;      /* rows that must follow one before it can be scored */
    FvColumn *columns;
    int column_count;
    double *outputs; /* of the row being scored, metric after metric */
    int first_output[FV_MAX_METRICS];
    double *values;  /* frame after frame, a value for every column (unused for sequence columns) */
    int64_t *number; /* caller's number of each frame */
    int64_t frames, capacity;
} FvScores;

/* What reports tell besides the scores. */
typedef struct FvFacts {
    char version[32]; /* of the fovea that computed scores which were restored; else "" */
    int numerics;     /* its numerics version */
    char **decisions;
    int decision_count;
    FvEvents events;
    FvRecord *imported; /* who computed rows that come from elsewhere; else NULL */
    FvInput reference, distorted;
    FvGuard read; /* files that decide the scores: no output replaces one */
    FvGate *gates;
    int gate_count;
    FvReportPicture *pictures; /* with copies of what they point to */
    int picture_count;
    FvScoreParams score; /* of fv_score; zeroed when frames were pushed */
    FvPace pace;         /* limited_by is NULL when it was not measured */
    char limited_by[128];
    FvPairing pairing;
    FvScenes scenes;
    int64_t *packets;       /* of each scored frame of the distorted video, as FvIndex.packets; NULL: not known */
    double *times;          /* of each scored frame, in seconds; NULL: by the frame rate */
    bool compared, differs; /* the samples of the videos */
    bool partial;
    FvError failure; /* why the session failed or is partial */
} FvFacts;

FvSessionState fv_session_state(const FvSession *session);
const FvSessionParams *fv_session_params(const FvSession *session);
const FvMetricRun *fv_session_run(const FvSession *session, int metric);
const FvRuns *fv_session_runs(const FvSession *session);
const FvSessionDevices *fv_session_devices(const FvSession *session);
const FvScores *fv_session_scores(const FvSession *session);
const FvFacts *fv_session_facts(const FvSession *session);

/* Finds the events of checks, for writers of reports. FV_ERROR_MEMORY: some could not be kept. */
FvStatus fv_session_make_checks(FvSession *session, FvError *error);

/* The verdict of the last fv_session_judge(), for writers of reports, which call it before. */
const FvClipVerdict *fv_session_judged(const FvSession *session);

/* The versions that made the scores. */
const char *fv_session_version(const FvSession *session);
int fv_session_numerics(const FvSession *session);

/* Facts that scoring, shards and reports find; before or after the start. The parameters are copied. */
void fv_session_note_params(FvSession *session, const FvScoreParams *params);
FvStatus fv_session_note_input(FvSession *session, FvSide side, const FvSourceInfo *info, FvError *error);
void fv_session_note_pace(FvSession *session, const FvPace *pace);
FvStatus fv_session_note_pairing(FvSession *session, const FvPairing *pairing, FvError *error);

/* Looks for a scene that begins at the frame, whose number is above that of the last one. */
FvStatus fv_session_note_scene(FvSession *session, int64_t number, FvFrame *frame, FvError *error);

/* The samples of a pair were compared; `differ`: they differ, or could not be compared. */
void fv_session_note_samples(FvSession *session, bool differ);

/* Takes over the time of each scored frame, in seconds. */
void fv_session_note_times(FvSession *session, double *times);

/* No output may replace these files, which decide the scores. */
void fv_session_protect(FvSession *session, const FvGuard *files);
void fv_session_protect_path(FvSession *session, const char *path);

/* Adds copies of events that were found elsewhere. */
FvStatus fv_session_note_events(FvSession *session, const FvEvents *events, FvError *error);

/* Takes over who computed the rows that come from elsewhere, and drops the session's own decisions. */
void fv_session_import_record(FvSession *session, FvRecord *record);

/* Takes over record, inputs, packets, scenes, parameters and pairing of a report, and drops the own decisions. */
void fv_session_take_facts(FvSession *session, FvFacts *facts);

/* Takes over what the sessions of the top and of the bottom fields found. */
FvStatus fv_session_take_halves(FvSession *session, FvSession *const half[2], FvError *error);

/* Facts that were not taken over. */
void fv_facts_free(FvFacts *facts);

/* Whether a caller has asked for a map. */
bool fv_session_hands_maps(const FvSession *session);

/* Adds each metric that takes RGB and scores frames of these formats: reference, distorted. */
FvStatus fv_session_add_takers(FvSession *session, const FvFormat formats[2], FvError *error);

/* Writes the metrics that take RGB, or those that take none, into text: "psnr, vmaf". */
void fv_session_takers(const FvSession *session, bool takes, char *text, size_t size);

/* Before the start. A session that is not told expects frames that its caller pushes, any number of them. */
void fv_session_expect(FvSession *session, const FvExpected *expected);

/* Before the start: so many other sessions score at the same time, and share the memory of a device with this one. */
void fv_session_expect_others(FvSession *session, int others);

/* Ends the use of a session that has not been started: its inputs and decisions belong to a call that failed. */
void fv_session_abandon(FvSession *session);

/* Appends the terms of a frame that were computed elsewhere; NULL: they are lost. `number` is the caller's. */
FvStatus fv_session_add_row(FvSession *session, int64_t number, const FvTerm *terms, bool skipped, FvError *error);

/* Records one sentence about what was decided, for the report. Repeats are dropped. */
__attribute__((format(printf, 3, 4))) FvStatus fv_session_decide(FvSession *session, FvError *error,
                                                                 const char *format, ...);

/* The same for a decision that the caller did not ask for and should see at once: it is logged as a warning. */
__attribute__((format(printf, 3, 4))) FvStatus fv_session_warn(FvSession *session, FvError *error, const char *format,
                                                               ...);

/*
 * A warning that the videos may not be what they are taken for, with its event, whose text is the sentence.
 * FvScoreParams.strict makes it FV_ERROR_INPUT.
 */
__attribute__((format(printf, 4, 5))) FvStatus fv_session_doubt(FvSession *session, const FvEvent *event,
                                                                FvError *error, const char *format, ...);

/* Adds copies. Events whose text is there already are dropped. */
FvStatus fv_events_add(FvEvents *events, const FvEvent *event, FvError *error);
FvStatus fv_events_add_all(FvEvents *events, const FvEvents *from, FvError *error);
void fv_events_free(FvEvents *events);

#define FV_EVENT_MOST_GAIN 60 /* dB */

/* An event as an object of a list; with the time of its first frame where there is a session. */
void fv_event_write(FvJson *json, const FvEvent *event, const FvSession *session);

/* Adds what fv_event_write wrote. *good: the node is an event. */
FvStatus fv_event_read(FvEvents *events, const FvNode *node, bool *good, FvError *error);

/* What a scoring that ended well showed of the machine's speeds. */
typedef struct FvTiming {
    int64_t pairs;
    double start, seconds; /* until the first pair came; from then on */
    bool waits;            /* its input took longer than its features */
    bool hardware;         /* decoders of the GPU gave the frames */
} FvTiming;

/* Keeps them for the estimates of later sessions (speeds.c). */
void fv_session_show_speeds(const FvSession *session, const FvTiming *timing);

/* Ends undecided: "auto" takes the best device. */
FvStatus fv_session_settle(FvSession *session, FvError *error);

/* Scores from elsewhere: of each column and frame, and of the whole clip. */
typedef struct FvRestored {
    int64_t frames;
    const int64_t *numbers;
    const double *values, *sequence; /* frame after frame, a value for every column; one for every column */
    const char *version;             /* of the fovea that computed them; NULL: this one */
    int numerics;
} FvRestored;

/* Ends a started session with these scores instead of its own. */
FvStatus fv_session_restore(FvSession *session, const FvRestored *from, FvError *error);

/* Marks the scores as incomplete, with the reason. */
void fv_session_mark_partial(FvSession *session, const FvError *reason);

/*
 * fv_session_push or fv_session_skip, also once a stop was requested. `mask`: the frame of the videos that are masks.
 * Skipped frames that no scored one looks at may be passed (picture/frame.h).
 */
FvStatus fv_session_hand_over(FvSession *session, int64_t number, int64_t mask, FvFrame *reference,
                              FvFrame *distorted, bool skipped, FvError *error);

/* Waits for all pushed frames. */
FvStatus fv_session_drain(FvSession *session, FvError *error);

/* Scores the rows before `end`; skipped rows get no scores. */
FvStatus fv_session_score_rows(FvSession *session, int64_t end, FvError *error);

/*
 * Waits for all frames and computes the values of the sequence. `whole`: the last frame was the end of the videos;
 * otherwise frames whose scores look at later ones are left out.
 */
FvStatus fv_session_end(FvSession *session, bool whole, FvError *error);

/* The devices that compute the features of a metric: "cpu", "cuda", or "cuda+cpu". */
void fv_session_carriers(const FvSession *session, int metric, char *text, size_t size);

FvStatus fv_record_make(FvRecord *record, const FvSession *session, FvError *error);
void fv_record_free(FvRecord *record);

void fv_session_free_pictures(FvSession *session);

/* The packets of a video, of which the first `skip` frames come before frame 0 of the session. */
typedef struct FvPacketList {
    const FvIndex *index;
    int64_t skip;
    int tick_num, tick_den; /* seconds of a tick of its times */
} FvPacketList;

/* Once, of a session that has ended. Does nothing where the list lacks a frame. */
FvStatus fv_session_note_packets(FvSession *session, FvSide side, const FvPacketList *list, FvError *error);

/* Copies what a source says of itself. */
FvStatus fv_session_set_input(FvInput *input, const FvSourceInfo *info, FvError *error);

#define FV_EVERYTHING INT64_MAX /* a lead of all frames before */

/* After start: the number of frames before any frame that its terms depend on. */
int64_t fv_session_lead(const FvSession *session);

/* After start: how many frames before and after a scored one its scores look at. False: they look at all frames. */
bool fv_session_reach(const FvSession *session, int64_t *back, int64_t *ahead);
