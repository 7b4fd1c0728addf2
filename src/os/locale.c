#include "os/locale.h"

#include <stdatomic.h>
#include <stddef.h>

locale_t fv_c_locale(void)
{
    static _Atomic(locale_t) shared;
    locale_t locale = atomic_load(&shared), none = NULL;
    if (locale)
        return locale;
    locale = newlocale(LC_ALL_MASK, "C", NULL);
    if (locale && !atomic_compare_exchange_strong(&shared, &none, locale)) {
        freelocale(locale); /* another thread was faster */
        locale = none;
    }
    return locale;
}
