#include "cli/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/help.h"
#include "cli/message.h"
#include "cli/told.h"
#include "fovea/fovea.h"
#include "write_reason.h"

static char **arguments;
static bool foreign; /* the exit codes are those of another program */
/* Nonzero: the program's own code has returned its exit code; an exit before that is a library's. */
static volatile sig_atomic_t ending;
static atomic_flag end_written =
    ATOMIC_FLAG_INIT; /* the last line of --progress json is written, or a thread is writing it */

int process_end(int status)
{
    errno = 0;
    if (!fflush(stdout) && !ferror(stdout))
        return status;
    const int reason = fv_write_reason(STDOUT_FILENO, errno);
    return report_error(fv_failure_of_system(FV_ERROR_OUTPUT, reason), "standard output could not be written: %s",
                        reason ? strerror(reason) : "an earlier write failed");
}

/* Writes the last line, unless a signal handler in this or another thread has written it or is writing it. */
static void tell_end(int status, bool with_foreign_code)
{
    ending = true;
    if (!atomic_flag_test_and_set(&end_written))
        message_end(status, with_foreign_code);
}

void process_leave(int status)
{
    status = process_end(status);
    message_flush();
    tell_end(status, foreign);
    _exit(status);
}

/* Fills closed standard streams, so that no file opened later takes their place and is printed into. */
static void occupy_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            _exit(FV_ERROR_OUTPUT);
}

/* Writes the last line of a process that cannot continue. Calls only functions that are safe in signal handlers. */
static void write_end(const char *object, const char *words)
{
    const char *line = !message_is_json() ? words : atomic_flag_test_and_set(&end_written) ? "" : object;
    (void)!write(STDERR_FILENO, line, strlen(line));
}

#define END_OF(status, code, message)                                                                                \
    "{\"event\": \"end\", \"status\": " #status ", \"code\": \"" code "\", \"file\": null, \"frame\": null, "        \
    "\"message\": \"" message "\", \"remedy\": null}\n"

/*
 * Replaces the exit code 1 with which some libraries end the process when they lack memory, since 1 would mean a
 * failed gate. Runs at exit.
 */
static void leave(void)
{
    if (ending)
        return;
    write_end(END_OF(7, "out-of-memory", "a library ended the process"), "");
    _exit(FV_ERROR_MEMORY);
}

/*
 * GLib, the C++ library and others abort when an allocation fails. A job scheduler would take the signal for a crash
 * of this program, so this handler ends it with an exit code and a message. Calls only functions that are safe in
 * signal handlers.
 */
static void leave_aborted(int number)
{
    write_end(END_OF(7, "out-of-memory", "a library ended the process, as some do when memory runs out"),
              "fovea: a library ended the process, as some do when memory runs out\n");
    _exit(FV_ERROR_MEMORY);
}

/*
 * With --progress json, prints the last line also for a command that has no orderly stop. A process that is already
 * ending continues to its end.
 */
static void leave_stopped(int number)
{
    if (ending)
        return;
    write_end(END_OF(5, "stopped", "stopped on request"), "");
    _exit(FV_ERROR_PARTIAL);
}

/*
 * Returns whether a word is --progress, or an abbreviation, with the value json. It is read before the options are
 * parsed, so that errors in options are also printed as JSON.
 */
static bool asks_for_json(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
        const char *name = argv[i], *equals = strchr(name, '=');
        const size_t length = equals ? (size_t)(equals - name) : strlen(name);
        const char *style = equals ? equals + 1 : i + 1 < argc ? argv[i + 1] : "";
        if (length > strlen("--p") && !strncmp(name, "--progress", length) && !strcmp(style, "json"))
            return true;
    }
    return false;
}

static void begin_json(void)
{
    static const int stops[] = {SIGINT, SIGTERM, SIGHUP};
    message_as_json(true);
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++)
        if (signal(stops[i], leave_stopped) == SIG_IGN)
            signal(stops[i], SIG_IGN);
}

int process_start(int (*run)(int argc, char **argv), int argc, char **argv)
{
    /* GnuTLS, which libav loads and fovea does not use, would end the process without calling atexit() functions. */
    if (setenv("GNUTLS_NO_IMPLICIT_INIT", "1", 0) || atexit(leave))
        _exit(report_error(FV_ERROR_MEMORY, "out of memory at the start"));
    /* A closed pipe is a write error with a message, not a silent death. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* makes a file that exceeds the size limit (ulimit -f) a write error too */
    signal(SIGABRT, leave_aborted);
    signal(SIGTRAP, leave_aborted); /* GLib ends the process with this signal */
    occupy_standard_streams();
    told_words(argv, argc, false);
    if (asks_for_json(argc, argv))
        begin_json();
    const int status = run(argc, argv);
    tell_end(status, foreign && status);
    return status;
}

int process_run(const Command *command, int argc, char **argv)
{
    arguments = argv - 1;
    foreign = command->wrong != 0;
    void *values = calloc(1, command->values_size + 1);
    ArgList words = {0};
    if (!values)
        return report_error(FV_ERROR_MEMORY, "out of memory while reading the options");
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
