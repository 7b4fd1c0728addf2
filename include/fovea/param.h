/*
 * The parameters of a run, as a table and by name. Programs that read parameters from people or from files use it:
 * fv_run_set() for each parameter, fv_run_settle(), fv_run_look(), and then the members of FvRunParams for opening
 * and scoring.
 *
 * A program that sets two parameters, and what follows from them for one metric:
 *
 *     FvRunParams run = {.source = {{.path = "reference.mov"}, {.path = "distorted.mp4"}}};
 *     FvError error = {0};
 *     FvStatus status = fv_run_set(&run, "align", "time", &error);
 *     if (!status)
 *         status = fv_run_set(&run, "distorted.range", "full", &error);
 *     if (!status)
 *         status = fv_run_settle(&run, 1, 0, false, &error);
 *
 * docs/parameters.md lists all parameters.
 */
#ifndef FOVEA_PARAM_H
#define FOVEA_PARAM_H

#include <fovea/score.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The tasks that accept a parameter, as bits. The command line has one command for each, and Python a call for most.
 */
typedef enum FvParamTask {
    FV_TASK_SCORE = 1 << 0,
    FV_TASK_VIEW = 1 << 1,
    FV_TASK_PLAN = 1 << 2,
    FV_TASK_MAP = 1 << 3, /* maps and FvPairs, which prepare pairs of frames as fv_score() does */
    FV_TASK_RUN = 1 << 4, /* computing shards of a plan */
    FV_TASK_MERGE = 1 << 5,
    FV_TASK_DECODE = 1 << 6, /* decoding one video by itself */
    FV_TASK_DEMO = 1 << 7,
    FV_TASK_PUSH = 1 << 8, /* a session whose frames a program pushes */
} FvParamTask;

/* Says whether a parameter is about a run or about its videos. */
typedef enum FvParamSides {
    FV_OF_RUN,  /* about the run: "align" */
    FV_OF_EACH, /* about one video: "reference.range", "distorted.range" */
    FV_OF_BOTH, /* about one video, or with its bare name about both: "rotate", "reference.rotate" */
    FV_OF_ALL,  /* like FV_OF_BOTH, but usually set for both videos: "width" */
} FvParamSides;

typedef struct FvParamInfo {
    FvOptionInfo option; /* messages use its name. `form` describes a TEXT without `choices` */
    const char *form;    /* placeholder for the value in help: "W:H:X:Y|auto"; NULL for BOOL, which needs none */
    const char *const *examples; /* valid values of a TEXT without choices, NULL-terminated; else NULL */
    FvParamSides sides;
    unsigned tasks;      /* bits of FvParamTask: the tasks that accept it */
    const char *section; /* help topic that shows it */
    bool first;          /* the short help shows it */
    bool repeats;        /* may be set several times; each use adds a value */
    bool former_alias;   /* option.alias is a former name, which help leaves out */
} FvParamInfo;

/*
 * Return the number of parameters, and parameter i in [0, count), else NULL. The order is fixed, and the parameters
 * of a section are consecutive. Thread-safe.
 */
FV_API int fv_param_count(void);
FV_API const FvParamInfo *fv_param_info(int i);

#define FV_MAX_MODELS 32

/* Two videos and how to score them. A zeroed struct has the defaults. */
typedef struct FvRunParams {
    FvSourceParams source[2]; /* the reference, the distorted video */
    FvScoreParams score;
    FvSessionParams session;
    const char *models[FV_MAX_MODELS]; /* models of VMAF in libvmaf's words: "version=vmaf_v0.6.1:name=v1" */
    int model_count;
    const char *roi;    /* region that is scored, W:H:X:Y or the path of a mask; NULL: everything */
    bool allow_hdr;     /* let VMAF score PQ and HLG */
    bool resume;        /* keep finished parts until the report is written, so that a later run can continue */
    bool bars[2];       /* set `crop` to what fv_find_bars() finds */
    bool convert_rgb;   /* convert RGB to Y'CbCr */
    int named_depth[2]; /* bit depth that the name of a pixel format contains; 0: none */
    uint64_t given[3];  /* bit i: parameter i was set for the reference, for the distorted video, for the run */
} FvRunParams;

/*
 * Sets a parameter from text, as the command reads it: ("align", "time"), ("reference.crop", "640:480:0:0"). The bare
 * name of a parameter of one video sets it for both videos, except for a video whose parameter was set by its full
 * name before. The values of a BOOL are "true" and "false". `value` must outlive `run` if the struct keeps a pointer.
 * FV_ERROR_USAGE: there is no such parameter, or its value is wrong; the message names the parameter and the values
 * that are valid.
 */
FV_API FvStatus fv_run_set(FvRunParams *run, const char *name, const char *value, FvError *error);

/* Returns the number of a parameter by its name for fv_run_set(); -1: there is none. */
FV_API int fv_param_number(const char *name);

/* Returns whether the parameter was set, for the run or for either video. */
FV_API bool fv_run_given(const FvRunParams *run, const char *name);

/*
 * Writes the value of a parameter as text that fv_run_set() reads. A name such as "distorted.range" selects a video.
 * For `model` it writes the first value that was set. Writes "" for a default and for an unknown parameter. Returns
 * `text`.
 */
FV_API char *fv_run_text(const FvRunParams *run, const char *name, char *text, size_t size);

/*
 * Checks all parameters together and fills in what follows from several of them: the geometry of raw video, the
 * threads of the sources, and the handling of RGB. Unless `convert` was set, fv_rgb_mode() chooses the handling for
 * `metrics` metrics, of which `taking` accept RGB. If `convert` was set, RGB is converted if its value names RGB,
 * else refused. Call it after everything is set, paths included. `pictures`: both inputs are pictures, which get all
 * the conversions that they need unless `convert` was set. FV_ERROR_USAGE: two parameters contradict each other, or
 * one requires another.
 */
FV_API FvStatus fv_run_settle(FvRunParams *run, int metrics, int taking, bool pictures, FvError *error);

/*
 * Adds a metric, with the region of `roi`, and with `allow_hdr` if it is VMAF. NULL adds the models of VMAF that were
 * set. Fails as fv_session_add() does, and with FV_ERROR_USAGE if the metric cannot score a region.
 */
FV_API FvStatus fv_run_add(FvSession *session, const FvRunParams *run, const char *metric, FvError *error);

/*
 * Reads the files to their ends if a parameter requires it: `crop=auto` to find black bars, pairing by content to
 * find the alignment. run->score then refers to *alignment, which the caller closes. *alignment is set for pairing by
 * content only; make it NULL before. Call it before the files are opened. Blocks.
 */
FV_API FvStatus fv_run_look(FvRunParams *run, FvAlignment **alignment, FvError *error);

#ifdef __cplusplus
}
#endif

#endif
