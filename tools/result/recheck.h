/* Compares the numbers of a stored report with those of today, and says what differs. docs/recheck.md */
#pragma once

#include "result/stored.h"

/* What became of the numbers of one score. */
typedef struct RecheckScore {
    const char *name;
    int64_t equal, last_digit, differ; /* last_digit: by one unit of the last printed digit */
    StoredNumber worst;                /* of those that differ, and what it is today */
    double now, gap;
} RecheckScore;

/* Numbers that were not compared. */
typedef struct RecheckAbsent {
    const char *name;
    char reason[256];
    int64_t count;
} RecheckAbsent;

typedef struct Recheck {
    const Stored *old;
    int64_t tolerance; /* units of the last printed digit that do not count */
    RecheckScore *score;
    RecheckAbsent *absent;
    int scores, absents;
    int64_t equal, last_digit, differ;
    bool failed; /* memory ended, after a message */
} Recheck;

/* Begins a comparison. recheck_close in any case. */
Recheck recheck_open(const Stored *old, int64_t tolerance);

/* Units of the last printed digit between a stored number and a value of today; 0: equal; INFINITY: no number of
 * units. Numbers of fovea have all digits, so any difference is infinite. */
double recheck_units(const Stored *old, const char *text, double now);

/* Compares a number with its value of today. */
void recheck_take(Recheck *recheck, const StoredNumber *number, double now);

/* Counts a number, or many, that cannot be compared, with the reason. */
void recheck_leave(Recheck *recheck, const char *name, const char *reason);
void recheck_leave_many(Recheck *recheck, const char *name, const char *reason, int64_t count);

/* Prints the answer. Returns EXIT_OK, EXIT_GATE where numbers differ, FV_ERROR_USAGE where none was compared. */
int recheck_print(const Recheck *recheck, const char *how);

/* A count with commas: "12,345". Returns text. */
char *recheck_count(char text[32], int64_t count);

void recheck_close(Recheck *recheck);
