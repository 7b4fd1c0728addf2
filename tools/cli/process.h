/* The process of a command, from its standard streams to its exit. */
#pragma once

#include "cli/args.h"

/* A program: prepares signals and standard streams, and gives what `run` returns as the exit code. */
int process_start(int (*run)(int argc, char **argv), int argc, char **argv);

/* Runs a command with the words after its name. Returns the exit code. */
int process_run(const Command *command, int argc, char **argv);

/* The arguments of the running command, its name first, NULL last. */
char **process_arguments(void);

/* Flushes standard output. `status`, or FV_ERROR_OUTPUT after a message when something could not be written. */
int process_end(int status);

/* Exits at once, without the clean-up of libraries. */
_Noreturn void process_leave(int status);
