#pragma once

#include_next <unistd.h>

#define _SC_PAGESIZE 1

long sysconf(int name); /* returns the size of a page */
char *mkdtemp(char *path);
