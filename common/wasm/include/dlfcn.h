/* Stubs: a WebAssembly module cannot open libraries. */
#pragma once

#include <errno.h>
#include <stddef.h>

#define RTLD_LAZY 1
#define RTLD_NOW 2
#define RTLD_LOCAL 0

#define dlopen(file, flags) ((void)(file), errno = ENOENT, (void *)0)
#define dlsym(library, name) ((void)(library), (void)(name), (void *)0)
#define dlerror() "WebAssembly opens no libraries"
