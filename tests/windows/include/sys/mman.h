/* Imitates mmap() for memory without a file. */
#pragma once

#include <stddef.h>

#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define MAP_PRIVATE 1
#define MAP_ANONYMOUS 2
#define MAP_FAILED ((void *)-1)

void *mmap(void *address, size_t bytes, int protection, int flags, int fd, long offset);
int mprotect(void *address, size_t bytes, int protection);
int munmap(void *address, size_t bytes);
