/* The program `fovea`: finds the command that the first argument names, and passes it the others. */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/process.h"
#include "fovea/fovea.h"

const Command *const commands[] = {
    &command_score, &command_check,  &command_view,     &command_map,     &command_plan,    &command_run,
    &command_merge, &command_report, &command_decode,   &command_metrics, &command_devices, &command_bench,
    &command_demo,  &command_vmaf,   &command_generate, &command_bd,      &command_diff,    &command_correlate,
};
const int command_count = sizeof commands / sizeof *commands;

/* Finds a command by its name; NULL: there is none. */
static const Command *find_command(const char *name)
{
    for (int i = 0; i < command_count; i++)
        if (!strcmp(commands[i]->name, name) || (commands[i]->alias && !strcmp(commands[i]->alias, name)))
            return commands[i];
    return NULL;
}

static int unknown_command(const char *name)
{
    const char *names[sizeof commands / sizeof *commands];
    int count = 0;
    char hint[128];
    if (!strcmp(name, "version"))
        return report_error(FV_FAIL_COMMAND, "unknown command 'version'; 'fovea --version' prints it");
    for (int i = 0; i < command_count; i++)
        if (!commands[i]->hidden)
            names[count++] = commands[i]->name;
    return report_error(FV_FAIL_COMMAND, "unknown command '%s'%s 'fovea --help' lists all", name,
                        *arg_suggest(hint, sizeof hint, name, names, count) ? hint : ";");
}

static int run_help(int argc, char **argv)
{
    if (!argc) {
        help_overview(stdout);
        return process_end(EXIT_OK);
    }
    const Command *command = find_command(argv[0]);
    if (!command)
        return unknown_command(argv[0]);
    if (argc > 1 && !help_topic(stdout, command, argv[1])) {
        report_error(FV_ERROR_USAGE, "'fovea %s' has no help topic '%s'; 'fovea %s --help' names the topics", argv[0],
                     argv[1], argv[0]);
        return FV_ERROR_USAGE;
    }
    if (argc < 2)
        help_command(stdout, command);
    return process_end(EXIT_OK);
}

static void print_version(void)
{
    char libav[128];
    FvError error = {0};
    printf("fovea %s (numerics %d)\n", fv_version(), fv_numerics_version());
    if (fv_libav_version(libav, sizeof libav, &error))
        printf("reads Y4M, raw video and ProRes without a container: %s\n", error.message);
    else
        printf("reads files through %s\n", libav);
}

static int run_command(int argc, char **argv)
{
    options_fill();
    if (argc < 2) {
        help_overview(stderr);
        return FV_ERROR_USAGE;
    }
    const char *name = argv[1];
    if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help"))
        return run_help(argc - 2, argv + 2);
    if (!strcmp(name, "--version") || !strcmp(name, "-v")) {
        print_version();
        return process_end(EXIT_OK);
    }
    const Command *command = find_command(name);
    if (command)
        return process_run(command, argc - 2, argv + 2);
    if (name[0] == '-')
        return report_error(FV_ERROR_USAGE, "'%s' needs a command before it, as in 'fovea score %s ...'", name, name);
    return unknown_command(name);
}

int main(int argc, char **argv)
{
    return process_start(run_command, argc, argv);
}
