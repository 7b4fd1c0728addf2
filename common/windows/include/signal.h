#pragma once

#include_next <signal.h>

/* Signals that nothing raises on Windows. */
#define SIGHUP 1
#define SIGTRAP 5
#define SIGPIPE 13
#define SIGXFSZ 25

#define SA_RESTART 1

struct sigaction {
    void (*sa_handler)(int signal);
    int sa_flags;
};

/*
 * Sets the handler of SIGINT (Ctrl-C) or SIGTERM (Ctrl-Break, the window closes, the user logs off). Windows calls it
 * in a separate thread.
 */
int sigaction(int signal, const struct sigaction *action, struct sigaction *before);
