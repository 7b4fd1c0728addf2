/* Runs many jobs in one process: fovea score --batch. */
#pragma once

#include "cli/args.h"
#include "fovea/error.h"
#include "json.h"

/*
 * Scores one job with these values, and writes members of the object that answers it. Returns the exit code. Sets
 * *output to FV_ERROR_USAGE if standard output is a file that the job reads, in which case no answer is written, and
 * to FV_ERROR_MEMORY if memory did not suffice to check that.
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
 * are added to the values of the command. A line on standard output answers each job before the next is read. A job
 * that reads the file of standard output ends the batch. If the jobs come from a regular file, a job that would
 * overwrite an input of another job is refused. Returns EXIT_OK if all jobs succeeded, EXIT_GATE if some failed only
 * their gates, and FV_ERROR_PARTIAL if some failed otherwise.
 */
int batch_run(const Command *command, const void *values, const char *path, const BatchJobs *jobs);
