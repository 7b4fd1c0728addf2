/* Switches to the C locale, in which numbers have a decimal point, whatever the locale of the program is. */
#pragma once

#include <stdbool.h>

/* A thread's locale before fv_locale_enter(). */
typedef struct FvLocale {
    void *system;
} FvLocale;

/*
 * Makes the calling thread print and read in the C locale until fv_locale_leave(). false: out of memory, so the
 * thread keeps its locale; fv_locale_leave() is then allowed and changes nothing.
 */
bool fv_locale_enter(FvLocale *before);

void fv_locale_leave(FvLocale before);

/*
 * Reads a decimal number as strtod() does in the C locale. *end is `text` if there is none, such as before inf, nan,
 * 0x10 and blanks, or if memory is exhausted.
 */
double fv_locale_number(const char *text, char **end);
