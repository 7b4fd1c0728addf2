/* Plans one failure: the n-th of the calls that can fail, and its effect on the device. */
#pragma once

#include <stdbool.h>

typedef enum Fault {
    FAULT_MEMORY, /* the call fails for lack of memory, and the next one works again */
    FAULT_LOST,   /* the device is lost: the call and all later ones that need the device fail */
    FAULT_SILENT, /* the device stops answering; only calls that wait for it are counted */
    FAULTS
} Fault;

const char *fault_name(Fault fault);

/* Makes the n-th call from now on fail, and counts calls. 1: the next call; 0: no call fails. */
void fault_arm(Fault fault, long n);

/* Counts a call and returns whether it must fail. `waits`: the call waits for the device. */
bool fault_strikes(const char *call, bool waits);

/* Returns the number of calls counted since fault_arm(). */
long fault_calls(void);

/* Returns the name of the call that failed. NULL: none so far. */
const char *fault_struck(void);

/* Returns the kind of the fault that struck. Call it only if fault_struck() is not NULL. */
Fault fault_kind(void);

/* Returns whether the device has stopped answering. */
bool fault_silenced(void);

/* Called when the fault strikes; NULL: nothing is called. */
extern void (*fault_hook)(void);
