/* Runs many jobs in one process: fovea score --batch. */
#pragma once

#include "cli/args.h"
#include "fovea/error.h"
#include "json.h"

/*
 * Scores one job with these values, and writes members of the object that answers it. Returns the exit code. Sets
 * *output to FV_ERROR_USAGE when the job reads the file that standard output is, which gets no answer, and to
 * FV_ERROR_MEMORY when memory does not suffice to tell.
 */
typedef int BatchJob(const void *values, FvJson *answer, FvStatus *output);

/* Returns the n-th file that a job with these values reads, or writes; NULL after the last one. */
typedef const char *BatchFile(const void *values, int n);

typedef struct BatchJobs {
    BatchJob *score;
    BatchFile *input, *output;
} BatchJobs;

/*
 * Reads jobs from the file, or from standard input ("-"), until it ends: each line is a JSON array of words, which
 * are added to the values of the command. Each is answered by a line on standard output before the next one is read.
 * A job that reads the file of standard output ends them all. Where the jobs are a regular file, no job writes onto a
 * file that another one reads: it is refused. Returns EXIT_OK, EXIT_GATE or FV_ERROR_PARTIAL when all
 * jobs ended, when some failed their gates, and when others failed, too.
 */
int batch_run(const Command *command, const void *values, const char *path, const BatchJobs *jobs);
