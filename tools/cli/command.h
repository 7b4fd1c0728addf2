/* The commands of `fovea`. Each is a table in the file of its name; main.c lists them, and bench.c its own. */
#ifndef COMMAND_H
#define COMMAND_H

#include "cli/args.h"

/* Apart from these, a command exits with the FvStatus of what failed. */
enum { EXIT_OK = 0, EXIT_GATE = 1 };

extern const Command command_bench, command_decode, command_demo, command_devices, command_generate, command_map,
    command_merge, command_metrics, command_plan, command_run_shards, command_score, command_view, command_vmaf;

extern const Command *const commands[];
extern const int command_count;

/* By name, or NULL. */
const Command *command_find(const char *name);

/* At the start of a program: signals and standard streams. */
void command_prepare(void);

/* Runs a command with the words behind its name. Returns the exit code. */
int command_run(const Command *command, int argc, char **argv);

/* What the command that runs was called with, its name first, NULL last. */
char **command_arguments(void);

/* Flushes standard output. `status`, or FV_ERROR_OUTPUT after a message when something could not be written. */
int command_end(int status);

/* Ends the process with it at once, without what libraries do at the end of one. */
_Noreturn void command_leave(int status);

#endif
