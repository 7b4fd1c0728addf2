/* The options of all commands, in one table that states which command has which option. */
#pragma once

#include "cli/args.h"
#include "cli/told.h"
#include "fovea/param.h"

/* Bits for the commands in the table: the bits of FvParamTask, and bits of further commands. */
enum {
    FOR_SCORE = FV_TASK_SCORE,
    FOR_VIEW = FV_TASK_VIEW,
    FOR_PLAN = FV_TASK_PLAN,
    FOR_MAP = FV_TASK_MAP,
    FOR_RUN = FV_TASK_RUN,
    FOR_MERGE = FV_TASK_MERGE,
    FOR_DECODE = FV_TASK_DECODE,
    FOR_DEMO = FV_TASK_DEMO,
    FOR_METRICS = 1 << 16,
    FOR_DEVICES = 1 << 17,
    FOR_REPORT = 1 << 18,
    FOR_CHECK = 1 << 24, /* used together with FOR_SCORE */
};

/* The values of the options of all commands. NULL, 0 and false: not given. */
typedef struct Options {
    FvRunParams run; /* the parameters that fovea/param.h lists */
    const char *reference, *distorted;
    bool draws_ycbcr; /* the command also needs Y'CbCr to draw frames that metrics score as RGB */
    ArgList encodes;  /* encodes of score and view, which replace `distorted` */
    ArgList metrics, maps, map_frames;
    const char *maximum;
    int64_t worst, shards, frames_per_shard;
    const char *plan, *shard;
    bool ignore_modified, allow_missing;
    ArgList outputs;   /* paths of reports */
    const char *check; /* a report, or a folder of reports, to score again */
    const char *batch, *output, *format, *progress;
    ArgList fail_below, fail_above, print, groups;
    ArgList only, skip_checks, expect; /* names of checks */
    const char *fail_on, *profile;
    bool events_csv; /* set by fovea check: CSV has a row for each event, and each event is judged by a gate */
    bool list, quiet;
    bool json, md5, details, refuse_damage, verify, speeds, clear_speeds;
    int64_t port;
    const char *listen, *show, *map_device;
    const char *embed;                                /* the npm package, for pages */
    const char *device_report, *credit, *only_device; /* options of `fovea devices` */
    bool brief;
} Options;

/*
 * All options, sorted by section: options of the command itself, and parameters of a run. Empty until options_fill().
 */
extern ArgOption options_table[];

/* Fills options_table. Call once, before a command is parsed or listed. */
void options_fill(void);

/* Initialises the members of a Command that concern options; `command` is FOR_SCORE or another of these bits. */
#define OPTIONS_OF(command) .options = options_table, .taken_by = (command), .values_size = sizeof(Options)

/* The values of --format. */
extern const char *const options_formats[];

/* Rows that every table of options contains. */
#define ROW_PROGRESS(at)                                                                                             \
    TEXT("progress", at, "STYLE"), .choices = told_styles,                                                           \
                                   .help = "what standard error shows: auto, bar, json or none. auto is a bar on a " \
                                           "terminal; json makes every line a JSON object, and the last one tells "  \
                                           "how the command ended"

/* Rows that the tables of bench and vmaf share; the table adds `.help` to a row without help. */
#define ROW_REFERENCE(at) TEXT("reference", at, "FILE"), .letter = 'r', .offer = OFFER_FILES, .positional = true
#define ROW_DISTORTED(at) TEXT("distorted", at, "FILE"), .letter = 'd', .offer = OFFER_FILES, .positional = true
#define ROW_WIDTH(at) NUMBER("width", at, 1, FV_MAX_SIDE), .letter = 'w', .help = "raw video: luma columns"
#define ROW_HEIGHT(at) NUMBER("height", at, 1, FV_MAX_SIDE), .letter = 'h', .help = "raw video: luma rows"
