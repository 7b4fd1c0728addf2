#pragma once

#include_next <signal.h>

/* Nothing raises these here. */
#define SIGHUP 1
#define SIGTRAP 5
#define SIGPIPE 13
#define SIGXFSZ 25

#define SA_RESTART 1

struct sigaction {
    void (*sa_handler)(int signal);
    int sa_flags;
};

/* Takes SIGINT (Ctrl-C) and SIGTERM (Ctrl-Break, the window closes, the user logs off): the handler runs in a thread
 * of its own. */
int sigaction(int signal, const struct sigaction *action, struct sigaction *before);
