/*
 * Prints test results in the Test Anything Protocol, which Meson reads: one line per case, and the plan at the
 * end.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct Tap {
    int count, failed, skipped;
} Tap;

/* Prints the result of a case. `why` follows a failure, and may be NULL. */
static inline void tap_case(Tap *tap, bool passed, const char *name, const char *why)
{
    printf("%sok %d - %s\n", passed ? "" : "not ", ++tap->count, name);
    if (!passed) {
        tap->failed++;
        if (why && *why)
            printf("# %s\n", why);
    }
}

static inline void tap_skip(Tap *tap, const char *name, const char *why)
{
    printf("ok %d - %s # SKIP %s\n", ++tap->count, name, why);
    tap->skipped++;
}

/* Prints the plan. Returns the exit status of the program. */
static inline int tap_done(const Tap *tap)
{
    printf("1..%d\n# %d passed, %d failed, %d skipped\n", tap->count, tap->count - tap->failed - tap->skipped,
           tap->failed, tap->skipped);
    return tap->failed || !tap->count;
}
