/* Plans one failure: the n-th of the calls that can fail, and its effect on the device. */
#pragma once

#include <stdbool.h>

typedef enum Fault {
    FAULT_MEMORY, /* the call fails for lack of memory, the next one works again */
    FAULT_LOST,   /* the device is lost: the call fails, and every later one that needs the device */
    FAULT_SILENT, /* the device stops answering: only calls that wait count */
    FAULTS
} Fault;

const char *fault_name(Fault fault);

/* n: 1 is the next call; 0: none fails, calls are only counted. */
void fault_arm(Fault fault, long n);

/* Counts a call. Whether it fails. */
bool fault_strikes(const char *call, bool waits);

/* Calls that count since then. */
long fault_calls(void);

/* The call that failed, or NULL while none has. */
const char *fault_struck(void);

/* The kind of the fault that struck. Call it only if fault_struck() is not NULL. */
Fault fault_kind(void);

/* Whether the device has stopped answering. */
bool fault_silenced(void);

/* Called when the fault strikes. */
extern void (*fault_hook)(void);
