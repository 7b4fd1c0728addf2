#include "fault.h"

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

bool fault_strikes(const char *call, bool waits)
{
    if (struck)
        return armed == FAULT_LOST;
    if ((armed == FAULT_SILENT && !waits) || ++calls != chosen)
        return false;
    struck = call;
    if (fault_hook)
        fault_hook();
    return true;
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
