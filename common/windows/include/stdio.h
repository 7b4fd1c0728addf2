#pragma once

#include_next <stdio.h>
#include <stddef.h>
#include <sys/types.h>

FILE *open_memstream(char **text, size_t *size);
int windows_fclose(FILE *file); /* also completes the text of a file from open_memstream() */
#define fclose(file) windows_fclose(file)

/* Windows cannot make a stream from functions: fopencookie() always returns NULL. */
typedef struct cookie_io_functions_t {
    ssize_t (*write)(void *cookie, const char *bytes, size_t size);
} cookie_io_functions_t;

static inline FILE *fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions)
{
    return (void)cookie, (void)mode, (void)functions.write, NULL;
}
