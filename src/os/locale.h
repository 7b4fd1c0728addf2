/* The C locale, in which numbers have a decimal point whatever the locale of the program is. */
#ifndef FV_OS_LOCALE_H
#define FV_OS_LOCALE_H

#include <locale.h>

/* The same for all threads, never freed. NULL when memory runs out. */
locale_t fv_c_locale(void);

#endif
