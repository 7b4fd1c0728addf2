#pragma once

#define RTLD_LAZY 1
#define RTLD_NOW 2
#define RTLD_LOCAL 0

/* Searches the folder of the program and the system's folders, but not the current folder. */
void *dlopen(const char *file, int flags);
void *dlsym(void *library, const char *name);
char *dlerror(void);
