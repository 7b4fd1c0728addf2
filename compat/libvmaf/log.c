#include "log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LEVELS 5

static const char *const words[LEVELS] = {"none", "error", "warning", "info", "debug"};
static atomic_int allowed = VMAF_LOG_LEVEL_INFO;

void lv_log_level(enum VmafLogLevel level)
{
    const char *wanted = getenv("FOVEA_LOG");
    int chosen = (int)level < 0 ? 0 : (int)level >= LEVELS ? LEVELS - 1 : (int)level;
    for (int i = 0; wanted && i < LEVELS; i++)
        if (!strcmp(wanted, words[i]))
            chosen = i;
    atomic_store(&allowed, chosen);
}

void lv_log(enum VmafLogLevel level, const char *format, ...)
{
    static const char *const names[LEVELS] = {"", "ERROR", "WARNING", "INFO", "DEBUG"};
    static const char *const colours[LEVELS] = {"", "\x1b[31m", "\x1b[33m", "\x1b[32m", "\x1b[34m"};
    if ((int)level > atomic_load(&allowed))
        return;
    char text[1200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\x1b[35mlibvmaf\x1b[0m %s%s\x1b[0m %s\n", colours[level], names[level], text);
    else
        fprintf(stderr, "libvmaf %s %s\n", names[level], text);
}
