/* Implements the POSIX functions that only tests use. */
#include <dirent.h>
#include <io.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <windows.h>

long sysconf(int name)
{
    SYSTEM_INFO system;
    GetSystemInfo(&system);
    return (long)system.dwPageSize;
}

char *mkdtemp(char *path)
{
    return _mktemp(path) && !mkdir(path, 0700) ? path : NULL;
}

int alphasort(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

ssize_t getline(char **line, size_t *size, FILE *file)
{
    size_t length = 0;
    for (int c = 0; c != '\n' && (c = getc(file)) != EOF;) {
        if (length + 2 > *size) {
            char *grown = realloc(*line, *size = 2 * *size + 256);
            if (!grown)
                return -1;
            *line = grown;
        }
        (*line)[length++] = (char)c;
        (*line)[length] = '\0';
    }
    return length ? (ssize_t)length : -1;
}

static DWORD protection_of(int flags)
{
    return flags & PROT_WRITE ? PAGE_READWRITE : flags & PROT_READ ? PAGE_READONLY : PAGE_NOACCESS;
}

void *mmap(void *address, size_t bytes, int protection, int flags, int fd, long offset)
{
    void *block = VirtualAlloc(NULL, bytes, MEM_RESERVE | MEM_COMMIT, protection_of(protection));
    return block ? block : MAP_FAILED;
}

int mprotect(void *address, size_t bytes, int protection)
{
    DWORD before;
    return VirtualProtect(address, bytes, protection_of(protection), &before) ? 0 : -1;
}

int munmap(void *address, size_t bytes)
{
    return VirtualFree(address, 0, MEM_RELEASE) ? 0 : -1;
}

static void (*handlers[NSIG])(int signal, siginfo_t *info, void *context);

static LONG CALLBACK on_exception(EXCEPTION_POINTERS *exception)
{
    const EXCEPTION_RECORD *record = exception->ExceptionRecord;
    siginfo_t info = {record->ExceptionAddress};
    int signal = 0;
    switch (record->ExceptionCode) {
    case EXCEPTION_ACCESS_VIOLATION:
        signal = SIGSEGV;
        info.si_addr = (void *)record->ExceptionInformation[1];
        break;
    case EXCEPTION_ILLEGAL_INSTRUCTION:
        signal = SIGILL;
        break;
    case EXCEPTION_INT_DIVIDE_BY_ZERO:
        signal = SIGFPE;
        break;
    }
    if (handlers[signal])
        handlers[signal](signal, &info, exception->ContextRecord);
    return EXCEPTION_CONTINUE_SEARCH;
}

int fault_action(int signal, const struct fault_action *action, struct fault_action *before)
{
    static void *added;
    if (!added)
        added = AddVectoredExceptionHandler(1, on_exception);
    handlers[signal] = action->sa_sigaction;
    return added ? 0 : -1;
}

const char *strsignal(int signal)
{
    return signal == SIGSEGV ? "Segmentation fault" : signal == SIGILL ? "Illegal instruction" : "Arithmetic fault";
}
