/* The C locale only. */
#pragma once

#include_next <locale.h>

typedef struct WindowsLocale *locale_t;

#define LC_ALL_MASK 1

locale_t newlocale(int mask, const char *name, locale_t base);
locale_t uselocale(locale_t locale);
double strtod_l(const char *text, char **end, locale_t locale);

static inline void freelocale(locale_t locale)
{
    (void)locale;
}
