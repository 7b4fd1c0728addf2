// Functions of this machine's glibc that were no symbols of older ones, on those that were: cross/old-glibc.py.
#include <stddef.h>

#define HIDDEN __attribute__((visibility("hidden")))

#ifdef START
// The start files of glibc 2.34 and later leave the constructors of a program to __libc_start_main; older ones expect
// functions that call them.
extern void (*__preinit_array_start[])(int, char **, char **) HIDDEN;
extern void (*__preinit_array_end[])(int, char **, char **) HIDDEN;
extern void (*__init_array_start[])(int, char **, char **) HIDDEN;
extern void (*__init_array_end[])(int, char **, char **) HIDDEN;
extern void (*__fini_array_start[])(void) HIDDEN;
extern void (*__fini_array_end[])(void) HIDDEN;
void _init(void);
void _fini(void);

int older_start(int (*main)(int, char **, char **), int argc, char **argv, void (*begin)(int, char **, char **),
                void (*end)(void), void (*end_of_loader)(void), void *stack_end);
#ifdef __x86_64__
__asm__(".symver older_start, __libc_start_main@GLIBC_2.2.5");
#else
__asm__(".symver older_start, __libc_start_main@GLIBC_2.17");
#endif

static void begin(int argc, char **argv, char **environment)
{
    for (void (**call)(int, char **, char **) = __preinit_array_start; call < __preinit_array_end; call++)
        (*call)(argc, argv, environment);
    _init();
    for (void (**call)(int, char **, char **) = __init_array_start; call < __init_array_end; call++)
        (*call)(argc, argv, environment);
}

static void end(void)
{
    for (void (**call)(void) = __fini_array_end; call > __fini_array_start;)
        (*--call)();
    _fini();
}

HIDDEN int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*none_first)(void),
                             void (*none_last)(void), void (*end_of_loader)(void), void *stack_end)
{
    (void)none_first;
    (void)none_last;
    return older_start(main, argc, argv, begin, end, end_of_loader, stack_end);
}
#endif

#ifdef STAT
// These took the version of struct stat as an argument.
#ifdef __x86_64__
#define VERSION 1
#else
#define VERSION 0
#endif
struct stat64;
int __xstat64(int version, const char *path, struct stat64 *result);
int __fxstat64(int version, int file, struct stat64 *result);
int __lxstat64(int version, const char *path, struct stat64 *result);

HIDDEN int stat64(const char *path, struct stat64 *result)
{
    return __xstat64(VERSION, path, result);
}

HIDDEN int fstat64(int file, struct stat64 *result)
{
    return __fxstat64(VERSION, file, result);
}

HIDDEN int lstat64(const char *path, struct stat64 *result)
{
    return __lxstat64(VERSION, path, result);
}

// On 64-bit machines they are the same.
HIDDEN int stat(const char *path, struct stat64 *result)
{
    return stat64(path, result);
}

HIDDEN int fstat(int file, struct stat64 *result)
{
    return fstat64(file, result);
}
#endif
