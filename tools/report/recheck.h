/* Compares the numbers of a stored report with those of today, and prints what differs. docs/recheck.md */
#pragma once

#include "report/stored.h"

/* The result of the comparison for one score. */
typedef struct RecheckScore {
    const char *name;
    /* counts of numbers; last_digit: those that differ by one unit of the last printed digit */
    int64_t equal, last_digit, differ;
    StoredNumber worst; /* the stored number that differs most; `now` is its value of today */
    double now, gap;
} RecheckScore;

/* The numbers of one score that were not compared. */
typedef struct RecheckAbsent {
    const char *name;
    char reason[256];
    int64_t count;
} RecheckAbsent;

typedef struct Recheck {
    const Stored *old;
    int64_t tolerance; /* accepted difference, in units of the last printed digit */
    RecheckScore *score;
    RecheckAbsent *absent;
    int scores, absents;
    int64_t equal, last_digit, differ;
    bool failed; /* memory was exhausted, and a message was printed */
} Recheck;

/* Begins a comparison. Call recheck_close in any case. */
Recheck recheck_open(const Stored *old, int64_t tolerance);

/*
 * Returns the difference between a stored number and a value of today, in units of the last printed digit; 0: equal;
 * INFINITY: not expressible in units. fovea prints all digits, so any difference from its numbers is INFINITY.
 */
double recheck_units(const Stored *old, const char *text, double now);

/* Compares a number with its value of today. */
void recheck_take(Recheck *recheck, const StoredNumber *number, double now);

/* Count a number, or many, that cannot be compared, with the reason. */
void recheck_leave(Recheck *recheck, const char *name, const char *reason);
void recheck_leave_many(Recheck *recheck, const char *name, const char *reason, int64_t count);

/* Prints the result. Returns EXIT_OK, EXIT_GATE if numbers differ, or FV_ERROR_USAGE if none was compared. */
int recheck_print(const Recheck *recheck, const char *how);

/* Prints a count with commas, "12,345", into `text`, and returns `text`. */
char *recheck_count(char text[32], int64_t count);

void recheck_close(Recheck *recheck);
