/*
 * The parameters of a run, as a table and by name: what can be said about two videos and how they are scored.
 * Programs that take parameters from people or files need it.
 */
#ifndef FOVEA_PARAM_H
#define FOVEA_PARAM_H

#include <fovea/score.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bits: the tasks that take a parameter. The command has one command for each, and Python a call for most. */
typedef enum FvParamTask {
    FV_TASK_SCORE = 1 << 0,
    FV_TASK_VIEW = 1 << 1,
    FV_TASK_PLAN = 1 << 2,
    FV_TASK_MAP = 1 << 3, /* pairs of frames that are compared as fv_score() compares them: maps, FvPairs */
    FV_TASK_RUN = 1 << 4, /* shards of a plan */
    FV_TASK_MERGE = 1 << 5,
    FV_TASK_DECODE = 1 << 6, /* one video by itself */
    FV_TASK_DEMO = 1 << 7,
    FV_TASK_PUSH = 1 << 8, /* a session whose frames a program pushes */
} FvParamTask;

/* Whether a parameter is about a run or about its videos. */
typedef enum FvParamSides {
    FV_OF_RUN,  /* about the run: "align" */
    FV_OF_EACH, /* about one video: "reference.range", "distorted.range" */
    FV_OF_BOTH, /* about one video, or with its bare name about both: "rotate", "reference.rotate" */
    FV_OF_ALL,  /* the same, but usually said about both: "width" */
} FvParamSides;

typedef struct FvParamInfo {
    FvOptionInfo option; /* `name` as in messages; TEXT without `choices` is written as `form` says. Bounds of INT and
                            REAL are included */
    const char *form;    /* stands for the value in help, such as "W:H:X:Y|auto"; NULL: BOOL, which needs none */
    const char *const *examples; /* TEXT without choices: values that are right, NULL-terminated; else NULL */
    FvParamSides sides;
    unsigned tasks;      /* bits of FvParamTask */
    const char *section; /* the topic of help */
    bool first;          /* help shows it at first */
    bool repeats;        /* each use adds a value */
} FvParamInfo;

/* Parameter i in [0, count), or NULL. The order is fixed, and parameters of a section follow each other. Thread-safe.
 */
FV_API int fv_param_count(void);
FV_API const FvParamInfo *fv_param_info(int i);

#define FV_MAX_MODELS 32

/* Two videos and how they are scored. A zeroed struct has the defaults. */
typedef struct FvRunParams {
    FvSourceParams source[2]; /* the reference, the distorted video */
    FvScoreParams score;
    FvSessionParams session;
    const char *models[FV_MAX_MODELS]; /* models of VMAF in libvmaf's words: "version=vmaf_v0.6.1:name=v1" */
    int model_count;
    const char *roi;    /* the region that counts, W:H:X:Y or the path of a mask; NULL: everything */
    bool allow_hdr;     /* VMAF scores PQ and HLG */
    bool resume;        /* finished parts are kept until the report is written */
    bool bars[2];       /* `crop` is what fv_find_bars() finds */
    bool convert_rgb;   /* RGB becomes Y'CbCr */
    int named_depth[2]; /* the depth in the name of a pixel format; 0: the name has none */
    uint64_t given[3];  /* bit i: parameter i was set for the reference, for the distorted video, for the run */
} FvRunParams;

/*
 * Sets a parameter from text, as the command reads it: ("align", "time"), ("reference.crop", "640:480:0:0"). The
 * name of one video's parameter with the bare name sets both, except where one was set before by its own name.
 * BOOL: "true" and "false". `value` must outlive `run` where the struct keeps a pointer. FV_ERROR_USAGE: there is no
 * such parameter, or its value is wrong; the message names the parameter and what it takes.
 */
FV_API FvStatus fv_run_set(FvRunParams *run, const char *name, const char *value, FvError *error);

/* The number of a parameter by the name that fv_run_set() takes; -1: there is none. */
FV_API int fv_param_number(const char *name);

/* Whether the parameter was set, for any video. */
FV_API bool fv_run_given(const FvRunParams *run, const char *name);

/*
 * Writes the value of a parameter as text that fv_run_set() reads: of the run, or with a name such as
 * "distorted.range" of a video. "": the default, or no such parameter. Returns `text`.
 */
FV_API char *fv_run_text(const FvRunParams *run, const char *name, char *text, size_t size);

/*
 * Once everything is set, paths included: checks what fits together, and settles what follows from several
 * parameters: the geometry of raw video, the threads of the sources, and what becomes of RGB (fv_rgb_for), where
 * `taking` of the `metrics` metrics take RGB. `pictures`: both sides are pictures, which make all conversions that
 * they need unless `convert` was set. FV_ERROR_USAGE: two parameters contradict each other, or one lacks another.
 */
FV_API FvStatus fv_run_settle(FvRunParams *run, int metrics, int taking, bool pictures, FvError *error);

/*
 * Adds a metric as fv_session_add() does, with the region of `roi` and with `allow_hdr` where it is VMAF. NULL: the
 * models of VMAF that were set. FV_ERROR_USAGE, too: the metric has no score of a region.
 */
FV_API FvStatus fv_run_add(FvSession *session, const FvRunParams *run, const char *metric, FvError *error);

/*
 * Reads the files to their ends, before they are opened, where a parameter needs it: `crop=auto` for the bars, pairs
 * by content for the alignment, which run->score then names and the caller closes. Blocks.
 */
FV_API FvStatus fv_run_look(FvRunParams *run, FvAlignment **alignment, FvError *error);

#ifdef __cplusplus
}
#endif

#endif
