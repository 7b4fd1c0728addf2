#include "number.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

locale_t lv_number_begin(void)
{
    static _Atomic(locale_t) shared;
    locale_t locale = atomic_load(&shared), none = NULL;
    if (!locale) {
        locale = newlocale(LC_ALL_MASK, "C", NULL);
        if (locale && !atomic_compare_exchange_strong(&shared, &none, locale)) {
            freelocale(locale); /* another thread has set `shared` in the meantime */
            locale = none;
        }
    }
    return uselocale(locale); /* 0: memory ran out, so the caller's locale stays set */
}

void lv_number_end(locale_t before)
{
    uselocale(before);
}

double lv_number_real(const char *text)
{
    locale_t before = lv_number_begin();
    double value = strtod(text, NULL);
    lv_number_end(before);
    return value;
}

int lv_number_int(const char *text)
{
    long value = strtol(text, NULL, 10);
    return value < -2147483647 ? -2147483647 : value > 2147483647 ? 2147483647 : (int)value;
}

bool lv_number_whole(const char *text, float *value)
{
    char *end;
    locale_t before = lv_number_begin();
    *value = strtof(text, &end);
    lv_number_end(before);
    return end != text && !end[strspn(end, " \t\n\v\f\r")];
}
