/* Runs one job of `fovea score`: opens and checks its videos, scores them, and writes its reports. */
#pragma once

#include "cli/options.h"
#include "fovea/fovea.h"
#include "scoring/early_devices.h"
#include "scoring/resume.h"
#include "scoring/scoring.h"
#include "table/gate.h"

/* The state of one job. The caller sets options, log and show; the rest begins zeroed. */
typedef struct Job {
    const Options *options;
    void (*log)(void *opaque, FvLogLevel level, const char *message); /* log of the session; NULL: none */
    void (*show)(void *opaque, struct Job *job, const FvProgress *progress);
    void *opaque; /* argument of `show` */
    Opened opened;
    FvSession *merged; /* session merged from shards; NULL: the opened session has the scores */
    Shards shards;
    EarlyDevices early;
    char several[512]; /* GPUs that share the frames because "auto" found that this pays off; "": none */
    Gates gates;
    bool gates_checked;
    FvStatus gate_status;
} Job;

/* Shows the progress of a job; `style` is a ProgressStyle. */
void job_show(void *style, Job *job, const FvProgress *progress);

/* Returns whether the frames are scored in shards: with --resume, or on several devices. */
bool job_in_shards(const Options *options);

/* Checks the options before anything is opened. On failure, prints a message and returns FV_ERROR_USAGE. */
FvStatus job_check(const Options *options);

/*
 * Opens the videos and the session, and checks that no output is an input. On failure, prints a message and returns
 * its status. Call job_close in any case.
 */
FvStatus job_open(Job *job);

/*
 * Scores an opened job: in shards with --resume or several devices. Prints no message for *error. job->gate_status is
 * the error of a gate or a --print that names no score.
 */
FvStatus job_score(Job *job, FvError *error);

/* Returns the session that has the scores. */
FvSession *job_scored(const Job *job);

/* Checks that the session has the scores that gates and --print name. */
FvStatus job_check_scores(const Job *job, FvSession *session);

/*
 * Writes the reports, if frames were scored. `whole`: nothing has failed so far. *shown: the status of the page's
 * pictures; FV_ERROR_PARTIAL after a stop request. On failure, prints a message and returns its status.
 */
FvStatus job_report(const Job *job, bool whole, FvStatus *shown);

/*
 * Checks, after failures too, that standard output does not overwrite an input. FV_ERROR_USAGE: standard output is
 * one of the job's files. FV_ERROR_MEMORY: standard output is a regular file, and memory does not suffice to compare
 * it.
 */
FvStatus job_check_output(const Job *job);

void job_close(Job *job);
