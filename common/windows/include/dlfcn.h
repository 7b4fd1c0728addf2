#pragma once

#define RTLD_LAZY 1
#define RTLD_NOW 2
#define RTLD_LOCAL 0

/* Looks in the folder of the program and in the system's, and not in the current one. */
void *dlopen(const char *file, int flags);
void *dlsym(void *library, const char *name);
char *dlerror(void);
