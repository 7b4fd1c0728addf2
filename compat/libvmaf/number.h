/* Converts numbers and text, with a decimal point in every locale. */
#pragma once

#include <locale.h>
#include <stdbool.h>

/* Sets the C locale in this thread. Returns the previous locale, for lv_number_end(). */
locale_t lv_number_begin(void);
void lv_number_end(locale_t before);

/* Reads numbers from the beginning of a text, as atof() and atoi() do. */
double lv_number_real(const char *text);
int lv_number_int(const char *text);

/* Returns whether the text is one number and otherwise only blanks; *value: the number as a float. */
bool lv_number_whole(const char *text, float *value);
