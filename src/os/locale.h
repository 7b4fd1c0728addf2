/* The C locale, in which numbers have a decimal point whatever the locale of the program is. */
#pragma once

#include <stdbool.h>

/* A thread's locale before fv_locale_enter(). */
typedef struct FvLocale {
    void *system;
} FvLocale;

/* The calling thread prints and reads in the C locale until fv_locale_leave(). False: memory ran out, and the thread
 * keeps its locale; leaving is then allowed and changes nothing. */
bool fv_locale_enter(FvLocale *before);

void fv_locale_leave(FvLocale before);

/* strtod() in the C locale; *end is `text` when it is not a number or memory ran out. */
double fv_locale_number(const char *text, char **end);
