/* Recognises ICC profiles whose colour has code points of ITU-T H.273. docs/colour.md */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct FvIcc {
    int primaries, transfer; /* code points; 0: the profile's colour has none that fovea knows */
    char name[64];           /* name of the profile in printable ASCII; may be "" */
} FvIcc;

/* Reads a profile; the bytes may be anything. False: it is damaged, or is for neither RGB nor gray. */
bool fv_icc_read(FvIcc *icc, const uint8_t *bytes, size_t size);
