#include "fault.h"

#include <pthread.h>
#include <stddef.h>

static Fault armed;
static long chosen, calls;
static const char *struck;

void (*fault_hook)(void);

const char *fault_name(Fault fault)
{
    static const char *const names[] = {"no memory", "lost", "silent"};
    return names[fault];
}

void fault_arm(Fault fault, long n)
{
    armed = fault;
    chosen = n;
    calls = 0;
    struck = NULL;
}

/* Takes a lock, because readers' threads allocate memory, too. */
bool fault_strikes(const char *call, bool waits)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    bool strikes = struck && armed == FAULT_LOST;
    if (!struck && (armed != FAULT_SILENT || waits) && ++calls == chosen) {
        struck = call;
        strikes = true;
        if (fault_hook)
            fault_hook();
    }
    pthread_mutex_unlock(&lock);
    return strikes;
}

long fault_calls(void)
{
    return calls;
}

const char *fault_struck(void)
{
    return struck;
}

Fault fault_kind(void)
{
    return armed;
}

bool fault_silenced(void)
{
    return struck && armed == FAULT_SILENT;
}
