#pragma once

#include_next <dlfcn.h>

/* Also looks in the folders of Homebrew and MacPorts, which the system's loader does not search. */
void *macos_dlopen(const char *file, int flags);
#define dlopen macos_dlopen
