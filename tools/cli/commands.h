/* The commands of a program. Each is a table in command/NAME.c. */
#pragma once

#include "cli/args.h"

/* Exit codes; every other exit code is an FvStatus. */
enum { EXIT_OK = 0, EXIT_GATE = 1 };

extern const Command command_bd, command_bench, command_check, command_correlate, command_decode, command_demo,
    command_devices, command_diff, command_generate, command_map, command_merge, command_metrics, command_plan,
    command_report, command_run, command_score, command_view, command_vmaf;

/* All commands of the program; defined by the file that contains main(). */
extern const Command *const commands[];
extern const int command_count;
