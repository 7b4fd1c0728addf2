/* Runs many jobs in one process: fovea score --batch, fovea check --batch. */
#pragma once

#include "cli/options.h"
#include "fovea/error.h"
#include "json.h"

/*
 * Runs the job of one video, whose path is `distorted`, and writes members of the object that answers it. Returns the
 * exit code. Sets *output to FV_ERROR_USAGE if standard output is a file that the job reads, in which case no answer
 * is written, and to FV_ERROR_MEMORY if memory did not suffice to check that.
 */
typedef int BatchJob(const Options *options, FvJson *answer, FvStatus *output);

/*
 * Reads jobs from the file options->batch, or from standard input ("-"), until it ends: each line is a JSON array of
 * words, which are added to the options of the command. A line on standard output answers each job before the next is
 * read. A job that reads the file of standard output ends the batch. If the jobs come from a regular file, a job that
 * would overwrite an input of another job is refused. Returns EXIT_OK if all jobs succeeded, EXIT_GATE if some failed
 * only their gates, and FV_ERROR_PARTIAL if some failed otherwise.
 */
int batch_run(const Command *command, const Options *options, BatchJob *run);
