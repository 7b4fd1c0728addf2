/* The command `fovea`: finds the command named first and hands it its options. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "fovea/fovea.h"
#include "help.h"
#include "message.h"

const Command *const commands[] = {
    &command_score,   &command_map,   &command_decode, &command_metrics,
    &command_devices, &command_bench, &command_demo,   &command_generate,
};
const int command_count = sizeof commands / sizeof *commands;

const Command *command_find(const char *name)
{
    for (int i = 0; i < command_count; i++)
        if (!strcmp(commands[i]->name, name))
            return commands[i];
    return NULL;
}

int command_end(int status)
{
    errno = 0;
    if (fflush(stdout) || ferror(stdout))
        return complain(FV_ERROR_OUTPUT, "standard output could not be written: %s",
                        errno ? strerror(errno) : "an earlier write failed");
    return status;
}

static int unknown_command(const char *name)
{
    const char *names[16];
    int count = 0;
    char hint[128];
    for (int i = 0; i < command_count; i++)
        if (!commands[i]->hidden)
            names[count++] = commands[i]->name;
    return complain(FV_ERROR_USAGE, "unknown command '%s'%s 'fovea --help' lists all", name,
                    *arg_suggest(hint, sizeof hint, name, names, count) ? hint : ";");
}

static int run_command(const Command *command, int argc, char **argv)
{
    void *values = calloc(1, command->values_size + 1);
    ArgList words = {0};
    if (!values)
        return complain(FV_ERROR_MEMORY, "out of memory while reading the options");
    int status = FV_ERROR_USAGE;
    switch (args_parse(command, argc, argv, values, &words)) {
    case ARGS_OK:
        status = command->run(values, &words);
        break;
    case ARGS_HELP:
        help_command(stdout, command);
        status = EXIT_OK;
        break;
    case ARGS_WRONG:
        break;
    }
    args_free(command, values, &words);
    free(values);
    return command_end(status);
}

static int run_help(int argc, char **argv)
{
    if (!argc) {
        help_overview(stdout);
        return command_end(EXIT_OK);
    }
    const Command *command = command_find(argv[0]);
    if (!command)
        return unknown_command(argv[0]);
    help_command(stdout, command);
    return command_end(EXIT_OK);
}

/* Where standard streams are closed, no file that is opened later may take their place and be printed into. */
static void occupy_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            exit(FV_ERROR_OUTPUT);
}

int main(int argc, char **argv)
{
    /* A closed pipe is a write error with a message, not a silent death. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* and so is a file that grows beyond the limit (ulimit -f) */
    occupy_standard_streams();
    if (argc < 2) {
        help_overview(stderr);
        return FV_ERROR_USAGE;
    }
    const char *name = argv[1];
    if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help"))
        return run_help(argc - 2, argv + 2);
    if (!strcmp(name, "--version") || !strcmp(name, "-v")) {
        printf("fovea %s (numerics %d)\n", fv_version(), fv_numerics_version());
        return command_end(EXIT_OK);
    }
    const Command *command = command_find(name);
    if (command)
        return run_command(command, argc - 2, argv + 2);
    if (name[0] == '-')
        return complain(FV_ERROR_USAGE, "'%s' needs a command in front of it, as in 'fovea score %s ...'", name,
                        name);
    return unknown_command(name);
}
