/* Runs the process of a command, from its standard streams to its exit. */
#pragma once

#include "cli/args.h"

/* Runs a program: prepares signals and standard streams, and returns the result of `run`, the exit code. */
int process_start(int (*run)(int argc, char **argv), int argc, char **argv);

/* Runs a command with its arguments, `argv`, which follow its name. Returns the exit code. */
int process_run(const Command *command, int argc, char **argv);

/* Returns the arguments of the running command, its name first, NULL last. */
char **process_arguments(void);

/*
 * Flushes standard output, and returns `status`. If output could not be written, prints a message and returns
 * FV_ERROR_OUTPUT.
 */
int process_end(int status);

/* Exits at once, without the clean-up of libraries. */
_Noreturn void process_leave(int status);
