/* ICC profiles that mean what code points of ITU-T H.273 mean. docs/colour.md */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct FvIcc {
    int primaries, transfer; /* code points; 0: none of those that fovea knows */
    char name[64];           /* the profile's, in printable ASCII; may be empty */
} FvIcc;

/* Reads a profile of any content. False: it is damaged, or neither of RGB nor of gray. */
bool fv_icc_read(FvIcc *icc, const uint8_t *bytes, size_t size);
