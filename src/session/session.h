/* The interface of a session for scoring, shards and reports: its metrics, its scores, and facts for reports. */
#pragma once

#include "fovea/verdict.h"

#include "align/align.h"
#include "check/check.h"
#include "device/device.h"
#include "device/instances.h"
#include "input/index.h"
#include "json.h"
#include "json_read.h"
#include "metric/metric.h"
#include "metric/rows.h"
#include "os/guard.h"
#include "picture/scenes.h"

/* The pairing of frames, for the report. */
typedef struct FvPairing {
    FvAlignment found; /* for pairs by content, the alignment without its pairs and with a copy of its events; else
                          all zero */
    int64_t first[2],
        last[2]; /* for pairs by content: reference frame and distorted frame of the first and of the last pair */
    int64_t pairs, unpaired, repeats,
        drops; /* for pairs by time: number of pairs; numbers of frames without a pair, repeated, and dropped */
} FvPairing;

/* One column of the scores. */
typedef struct FvColumn {
    int metric;        /* index of the column's metric */
    int output;        /* index of the output in its metric instance */
    FvOutputInfo info; /* name: the session's copy, with a suffix if the metric was added more than once */
    int field; /* 1: top fields, 2: bottom fields, whose mean is 1 or 2 columns before; 0: frames, or that mean */
    const FvMeaning *meaning;
    double sequence; /* value of a sequence output */
} FvColumn;

/* A copy of a source's description. */
typedef struct FvInput {
    bool present;
    char *path, *reader, *container, *codec, *mastering;
    FvSourceInfo info; /* the description; its strings are NULL, because the members above have them */
    double bit_rate;   /* bits per second of the packets of the scored frames; NaN: unknown */
} FvInput;

typedef struct FvEvents {
    FvEvent *event; /* the events, which own their strings */
    int count;
} FvEvents;

/*
 * The record of how the rows were computed: devices and decisions. Reports state it, and no score depends on it. It
 * owns its strings.
 */
typedef struct FvRecord {
    char *requested, *kind, *title, *isa; /* requested device; kind, title and instruction set of the device used */
    char *devices[FV_MAX_METRICS];        /* the devices of each metric: "cpu", "cuda", or both */
    int device_count;
    char **decisions;
    int decision_count;
    FvEvents events;
    /* (`compared`) samples were compared; (`differs`) they differ, or could not be compared */
    bool compared, differs;
} FvRecord;

typedef enum FvSessionState {
    FV_SESSION_OPEN,
    FV_SESSION_STARTED,
    FV_SESSION_FINISHED,
    FV_SESSION_FAILED
} FvSessionState;

/* The workload: facts, known before the start, about the pairs that will be pushed. */
typedef struct FvWorkload {
    FvArrival arrival;
    int64_t pairs;     /* number of pairs to score; negative: unknown */
    int decoded;       /* number of videos that must be decoded */
    int hwdec;         /* how many of those videos a hardware decoder may decode */
    bool has_variants; /* frames have a Y'CbCr variant (fv_frame_ycbcr()) for metrics that do not accept RGB */
    FvFormat ycbcr_variant[2]; /* formats of the Y'CbCr variants: reference, distorted */
    FvWaitObserver observer;   /* receives what the start of the session waits for */
    bool part;                 /* the rows are those of a shard; the merge pools the rows of all shards */
} FvWorkload;

typedef struct FvSessionDevices {
    char name[32]; /* name of the device, as the caller wrote it */
    FvIsa isa;
    int threads;
    FvDevice *opened[2]; /* the chosen device, and the CPU for feature instances that it cannot compute, or NULL */
    int others;          /* number of other sessions that score at the same time, probably on the same device */
    bool auto_pending;   /* "auto" has not chosen yet; opened[0] is the CPU until then */
    FvPlacement placement[2][FV_MAX_INSTANCES];
    bool every[2]; /* each device computes a feature instance that needs every frame, also skipped frames */
    bool first;    /* the GPU is the first that this process opened */
    double opening, opened_at; /* seconds that opening took, and the clock when it ended */
} FvSessionDevices;

typedef struct FvScores {
    FvRowTable rows;
    int64_t scored; /* number of rows that have been scored, skipped ones included */
    int ahead;      /* number of rows that must follow a row before it can be scored */
    FvColumn *columns;
    int column_count;
    double *outputs; /* outputs of the row being scored, metric after metric */
    int first_output[FV_MAX_METRICS];
    double *values;  /* frame after frame, a value for every column (unused for sequence columns) */
    int64_t *number; /* the caller's number of each frame */
    int64_t frames, capacity;
} FvScores;

/* The facts that reports state besides the scores. */
typedef struct FvFacts {
    char version[32]; /* version of the fovea that computed restored scores; else "" */
    int numerics;     /* numerics version of that fovea */
    char **decisions;
    int decision_count;
    FvEvents events;
    FvRecord *imported; /* the record of imported rows; else NULL */
    FvInput reference, distorted;
    FvGuard read; /* files that affect the scores; no output replaces one of them */
    FvGate *gates;
    int gate_count;
    FvReportPicture *pictures; /* pictures, with copies of what they point to */
    int picture_count;
    void *package; /* copy of the npm package that the page contains; NULL: none */
    size_t package_bytes;
    char *command;       /* the command that makes the report; NULL: unknown */
    FvScoreParams score; /* parameters of fv_score(); zeroed when frames were pushed */
    FvTiming timing;     /* speeds; limited_by is NULL if they were not measured */
    char limited_by[128];
    FvPairing pairing;
    FvScenes scenes;
    int64_t *packets; /* packet of each scored frame of the distorted video, in the form of FvIndex.packets; NULL:
                         unknown */
    double *times;    /* time of each scored frame, in seconds; NULL: it follows from the frame rate */
    /* (`compared`) samples were compared; (`differs`) they differ, or some could not be compared */
    bool compared, differs;
    bool partial;
    FvError failure; /* why the session failed or is partial */
} FvFacts;

FvSessionState fv_session_state(const FvSession *session);
const FvSessionParams *fv_session_params(const FvSession *session);
const FvMetricInstance *fv_session_metric_instance(const FvSession *session, int metric);
const FvFeatureInstances *fv_session_instances(const FvSession *session);
const FvSessionDevices *fv_session_devices(const FvSession *session);
const FvScores *fv_session_scores(const FvSession *session);
const FvFacts *fv_session_facts(const FvSession *session);

/* Returns the verdict of the last fv_session_judge(), for writers of reports, which call that first. */
const FvClipVerdict *fv_session_judged(const FvSession *session);

/* Computes every pool of an output over a part at once, which is faster than one after another. */
void fv_session_pools(const FvSession *session, int output, const FvPart *part, double pools[FV_POOL_COUNT]);

/* Return the versions that made the scores. */
const char *fv_session_version(const FvSession *session);
int fv_session_numerics(const FvSession *session);

/* Record facts that runs, shards and reports find, before or after the start. The parameters are copied. */
void fv_session_note_params(FvSession *session, const FvScoreParams *params);
FvStatus fv_session_note_input(FvSession *session, FvSide side, const FvSourceInfo *info, FvError *error);
void fv_session_note_timing(FvSession *session, const FvTiming *timing);
FvStatus fv_session_note_pairing(FvSession *session, const FvPairing *pairing, FvError *error);

/* Detects whether a scene begins at the frame, whose number is above that of the last call. */
FvStatus fv_session_note_scene(FvSession *session, int64_t number, FvFrame *frame, FvError *error);

/* Records that the samples of a pair were compared. `differ`: they differ, or could not be compared. */
void fv_session_note_samples(FvSession *session, bool differ);

/* Records the time of each scored frame in seconds, and takes over the memory. */
void fv_session_note_times(FvSession *session, double *times);

/* Protects files that affect the scores: no output may replace them. */
void fv_session_protect(FvSession *session, const FvGuard *files);
void fv_session_protect_path(FvSession *session, const char *path);

/* Adds copies of events that another session or a report has. */
FvStatus fv_session_note_events(FvSession *session, const FvEvents *events, FvError *error);

/* Takes over the record of imported rows, and drops the session's own decisions. */
void fv_session_import_record(FvSession *session, FvRecord *record);

/*
 * Takes over record, inputs, packets, scenes, parameters and pairing of a report, and drops the session's own
 * decisions.
 */
void fv_session_take_facts(FvSession *session, FvFacts *facts);

/* Takes over the findings of the sessions of the top and of the bottom fields. */
FvStatus fv_session_take_fields(FvSession *session, FvSession *const field[2], FvError *error);

/* Frees facts that were not taken over. */
void fv_facts_free(FvFacts *facts);

/* Returns whether a caller or, after the start, a metric has requested a map. */
bool fv_session_hands_maps(const FvSession *session);

/* Adds each metric that accepts RGB and can score frames of these formats: reference, distorted. */
FvStatus fv_session_add_rgb_metrics(FvSession *session, const FvFormat formats[2], FvError *error);

/* Writes the metrics that accept RGB, or those that do not, into text: "psnr, vmaf". */
void fv_session_rgb_metrics(const FvSession *session, bool takes_rgb, char *text, size_t size);

/* Sets the workload. Call it before the start. Without it the session expects an unknown number of pushed frames. */
void fv_session_set_workload(FvSession *session, const FvWorkload *workload);

/*
 * Sets the number of other sessions that score at the same time and share the memory of a device with this one. Call
 * before the start.
 */
void fv_session_set_others(FvSession *session, int others);

/* Makes a session that was not started unusable, because its inputs and decisions belong to a call that failed. */
void fv_session_abandon(FvSession *session);

/* Appends the terms of a frame that were computed elsewhere; NULL: they are lost. `number` is the caller's. */
FvStatus fv_session_add_row(FvSession *session, int64_t number, const FvTerm *terms, bool skipped, FvError *error);

/* Records one sentence about what was decided, for the report. Repeats are dropped. */
__attribute__((format(printf, 3, 4))) FvStatus fv_session_decide(FvSession *session, FvError *error,
                                                                 const char *format, ...);

/* Records a decision that the caller did not request and should see at once: it is also logged as a warning. */
__attribute__((format(printf, 3, 4))) FvStatus fv_session_warn(FvSession *session, FvError *error, const char *format,
                                                               ...);

/*
 * Warns that the videos may not be what they seem to be, with an event whose text is the sentence.
 * FvScoreParams.strict makes it FV_ERROR_INPUT.
 */
__attribute__((format(printf, 4, 5))) FvStatus fv_session_warn_mismatch(FvSession *session, const FvEvent *event,
                                                                        FvError *error, const char *format, ...);

/* Adds copies of events. Events with a text that exists already are dropped. */
FvStatus fv_events_add(FvEvents *events, const FvEvent *event, FvError *error);
FvStatus fv_events_add_all(FvEvents *events, const FvEvents *from, FvError *error);
void fv_events_free(FvEvents *events);

#define FV_EVENT_MOST_GAIN 60 /* maximum of FvEvent.gain, in dB */

/* Writes an event as an object of a list, with the time of its first frame if there is a session. */
void fv_event_write(FvJson *json, const FvEvent *event, const FvSession *session);

/* Reads an event that fv_event_write() wrote, and adds it. *good: the node is an event. */
FvStatus fv_event_read(FvEvents *events, const FvNode *node, bool *good, FvError *error);

/* The timing of a successful run, from which the machine's speeds are derived. */
typedef struct FvRunTiming {
    int64_t pairs;
    double start, seconds; /* (`start`) until the first pair was read; (`seconds`) after that */
    bool waits;            /* reading the frames took longer than computing the features */
    bool hardware;         /* decoders of the GPU decoded the frames */
} FvRunTiming;

/* Stores the speeds for the estimates of later sessions (speeds.c). */
void fv_session_show_speeds(const FvSession *session, const FvRunTiming *timing);

/* Makes "auto" choose the best device if it has not chosen yet. */
FvStatus fv_session_choose_auto(FvSession *session, FvError *error);

/* Scores to restore: one value for each column and frame, and one for each column of the clip. */
typedef struct FvRestored {
    int64_t frames;
    const int64_t *numbers;
    const double *values, *sequence; /* (`values`) frame after frame, one value per column; (`sequence`) one value of
                                        the clip per column */
    const char *version;             /* version of the fovea that computed them; NULL: this one */
    int numerics;
} FvRestored;

/* Ends a started session with these scores in place of computed ones. */
FvStatus fv_session_restore(FvSession *session, const FvRestored *from, FvError *error);

/*
 * Sets the events of a restored session. reasons: why each check was not made; NULL: it was made. Copies the events
 * and all texts.
 */
FvStatus fv_session_restore_checks(FvSession *session, const FvCheckEvent *events, int count,
                                   const char *const reasons[FV_CHECK_KINDS], FvError *error);

/* Marks the scores as incomplete, with the reason. */
void fv_session_mark_partial(FvSession *session, const FvError *reason);

/*
 * Pushes or skips a pair, also after a stop was requested. `mask`: number of the frame of mask videos. Skipped frames
 * that no scored frame depends on need not be decoded (picture/frame.h).
 */
FvStatus fv_session_hand_over(FvSession *session, int64_t number, int64_t mask, FvFrame *reference,
                              FvFrame *distorted, bool skipped, FvError *error);

/* Waits for all pushed frames. */
FvStatus fv_session_drain(FvSession *session, FvError *error);

/* Scores the rows before `end`; skipped rows get no scores. */
FvStatus fv_session_score_rows(FvSession *session, int64_t end, FvError *error);

/*
 * Waits for all frames and computes the values of the sequence. `whole`: the last frame was the last of the videos;
 * otherwise frames whose scores depend on later frames are left out.
 */
FvStatus fv_session_end(FvSession *session, bool whole, FvError *error);

/* Writes the devices that compute the features of a metric: "cpu", "cuda", or "cuda+cpu". */
void fv_session_metric_devices(const FvSession *session, int metric, char *text, size_t size);

FvStatus fv_record_make(FvRecord *record, const FvSession *session, FvError *error);
void fv_record_free(FvRecord *record);

void fv_session_free_pictures(FvSession *session);

/* The packets of a video. The first `skip` frames are before frame 0 of the session. */
typedef struct FvPacketList {
    const FvIndex *index;
    int64_t skip;
    int tick_num, tick_den; /* duration of a tick of its times, in seconds */
} FvPacketList;

/*
 * Records the packets of a session that has ended. Call it once for each side. Does nothing if the list lacks a
 * frame.
 */
FvStatus fv_session_note_packets(FvSession *session, FvSide side, const FvPacketList *list, FvError *error);

/* Copies a source's description to *input. */
FvStatus fv_session_set_input(FvInput *input, const FvSourceInfo *info, FvError *error);

#define FV_EVERYTHING INT64_MAX /* a lead of all earlier frames */

/* Returns on how many previous frames the terms of a frame depend. Call it after the start. */
int64_t fv_session_lead(const FvSession *session);

/*
 * Sets *back and *ahead to the number of frames before and after a scored frame on which its scores depend. Returns
 * false if they depend on all frames. Call it after the start.
 */
bool fv_session_reach(const FvSession *session, int64_t *back, int64_t *ahead);
