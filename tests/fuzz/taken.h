/* Takes a fuzz target's bytes piece by piece, and checks conditions that must hold. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_TEXT 256

static inline void require(bool good, const char *what)
{
    if (!good) {
        fprintf(stderr, "%s\n", what);
        abort();
    }
}

typedef struct Bytes {
    const uint8_t *at, *end;
} Bytes;

/* Takes the bytes up to the next zero byte, or all that are left, as a string, which the caller frees. */
static inline char *take_text(Bytes *bytes)
{
    size_t length = strnlen((const char *)bytes->at, (size_t)(bytes->end - bytes->at));
    char *text = strndup((const char *)bytes->at, length < MOST_TEXT ? length : MOST_TEXT);
    require(text != NULL, "no memory");
    bytes->at += length;
    bytes->at += bytes->at < bytes->end;
    return text;
}
