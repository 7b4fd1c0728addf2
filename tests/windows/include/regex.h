/* Imitates regcomp() and regexec() for patterns without special characters, which match anywhere in a text. */
#pragma once

#include <stdlib.h>
#include <string.h>

#define REG_EXTENDED 1
#define REG_NOSUB 2

typedef struct regex_t {
    char *pattern;
} regex_t;

static inline int regcomp(regex_t *regex, const char *pattern, int flags)
{
    return (void)flags, !(regex->pattern = strdup(pattern));
}

static inline int regexec(const regex_t *regex, const char *text, size_t parts, void *part, int flags)
{
    return (void)parts, (void)part, (void)flags, !strstr(text, regex->pattern);
}

static inline void regfree(regex_t *regex)
{
    free(regex->pattern);
}
