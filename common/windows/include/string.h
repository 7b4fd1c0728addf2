#pragma once

#include_next <string.h>

char *strcasestr(const char *text, const char *part);
char *strndup(const char *text, size_t most);
char *strsep(char **rest, const char *separators);
