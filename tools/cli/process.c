#include "cli/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/help.h"
#include "cli/message.h"
#include "fovea/fovea.h"

static char **arguments;
static bool ending; /* the program's own code has given its exit code */

int process_end(int status)
{
    errno = 0;
    if (fflush(stdout) || ferror(stdout))
        return complain(FV_ERROR_OUTPUT, "standard output could not be written: %s",
                        errno ? strerror(errno) : "an earlier write failed");
    return status;
}

void process_leave(int status)
{
    status = process_end(status);
    message_flush();
    _exit(status);
}

/* Fills closed standard streams, so that no file opened later takes their place and is printed into. */
static void occupy_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            _exit(FV_ERROR_OUTPUT);
}

/* Libraries that are loaded or started later end the process with 1 when they lack memory, as if a gate had failed.
 */
static void leave(void)
{
    if (!ending)
        _exit(FV_ERROR_MEMORY);
}

/*
 * GLib, the C++ library and others abort when an allocation fails. A batch or a farm that sees a signal takes it for
 * a crash of this program, so it gets an exit code and a sentence. Only functions that are safe in handlers.
 */
static void leave_aborted(int number)
{
    static const char words[] = "fovea: a library ended the process, as some do when memory runs out\n";
    (void)!write(STDERR_FILENO, words, sizeof words - 1);
    _exit(FV_ERROR_MEMORY);
}

int process_start(int (*run)(int argc, char **argv), int argc, char **argv)
{
    /* GnuTLS, which libav brings along and nothing here uses, ends the process past atexit(). */
    if (setenv("GNUTLS_NO_IMPLICIT_INIT", "1", 0) || atexit(leave))
        _exit(complain(FV_ERROR_MEMORY, "out of memory at the start"));
    /* A closed pipe is a write error with a message, not a silent death. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* the same for a file that grows beyond the limit (ulimit -f) */
    signal(SIGABRT, leave_aborted);
    signal(SIGTRAP, leave_aborted); /* by which GLib ends the process */
    occupy_standard_streams();
    const int status = run(argc, argv);
    ending = true;
    return status;
}

int process_run(const Command *command, int argc, char **argv)
{
    arguments = argv - 1;
    void *values = calloc(1, command->values_size + 1);
    ArgList words = {0};
    if (!values)
        return complain(FV_ERROR_MEMORY, "out of memory while reading the options");
    int status = command->wrong ? command->wrong : FV_ERROR_USAGE;
    for (int i = 0; i < argc && command->except; i++)
        if (!strncmp(argv[i], command->except, strlen(command->except)))
            status = FV_ERROR_USAGE;
    switch (args_parse(command, argc, argv, values, &words)) {
    case ARGS_OK:
        status = command->run(values, &words);
        break;
    case ARGS_HELP:
        help_command(stdout, command);
        status = FV_OK;
        break;
    case ARGS_MEMORY:
        status = FV_ERROR_MEMORY;
        break;
    case ARGS_WRONG:
        break;
    }
    args_free(command, values, &words);
    free(values);
    return process_end(status);
}

char **process_arguments(void)
{
    return arguments;
}
