#include "os/library.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "float_mode.h"

#define LACKS 3
static const int reasons[LACKS] = {ENOMEM, EMFILE, ENFILE};
static _Thread_local int failed; /* errno of the last open, because dlerror() may not name it; 0: it succeeded */

static bool is_lack(int reason)
{
    bool lack = false;
    for (int i = 0; i < LACKS; i++)
        lack |= reason == reasons[i];
    return lack;
}

void *fv_library_open(const char *file)
{
    FV_FLOAT_MODE; /* libraries that are compiled with fast math set flush-to-zero when they are loaded */
    errno = 0;
    void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
    failed = library ? 0 : errno;
    return library;
}

void *fv_library_find(void *library, const char *function)
{
    return dlsym(library, function);
}

const char *fv_library_error(void)
{
    return dlerror();
}

bool fv_library_lacks(const char *why)
{
    /* For this failure the loader does not report the system's reason, so it is taken for a lack of memory. */
    bool lacks = is_lack(failed) || (why && strstr(why, "failed to map segment"));
    for (int i = 0; i < LACKS && why; i++)
        lacks |= strstr(why, strerror(reasons[i])) != NULL;
    return lacks;
}
