/* Defines the signals for faults of the program itself. */
#pragma once

#include_next <signal.h>

#define SIGBUS 7

#define SA_SIGINFO 2
#define SA_NODEFER 4

typedef struct siginfo_t {
    void *si_addr;
} siginfo_t;

struct fault_action {
    void (*sa_sigaction)(int signal, siginfo_t *info, void *context);
    int sa_flags;
};

#define sigaction fault_action
int fault_action(int signal, const struct fault_action *action, struct fault_action *before);

const char *strsignal(int signal);
