#include "os/locale.h"

#include <locale.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Returns the C locale, which all threads share and nobody frees. NULL: out of memory. */
static locale_t c_locale(void)
{
    static _Atomic(locale_t) shared;
    locale_t locale = atomic_load(&shared), none = NULL;
    if (locale)
        return locale;
    locale = newlocale(LC_ALL_MASK, "C", NULL);
    if (locale && !atomic_compare_exchange_strong(&shared, &none, locale)) {
        freelocale(locale); /* another thread has set `shared` in the meantime */
        locale = none;
    }
    return locale;
}

bool fv_locale_enter(FvLocale *before)
{
    const locale_t locale = c_locale();
    before->system = uselocale(locale); /* uselocale(NULL) changes nothing and returns the current locale */
    return locale != NULL;
}

void fv_locale_leave(FvLocale before)
{
    uselocale(before.system);
}

double fv_locale_number(const char *text, char **end)
{
    const locale_t locale = c_locale();
    const char *digits = text + (*text == '+' || *text == '-');
    const bool decimal = strspn(digits, "0123456789.") && !(*digits == '0' && (digits[1] | 32) == 'x');
    *end = (char *)text;
    return locale && decimal ? strtod_l(text, end, locale) : 0;
}
