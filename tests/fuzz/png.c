/*
 * Reads any bytes as chunks of a PNG file. The result must be the same with and without the file's signature, and
 * within the ranges of FvPng. Then searches the bytes for inks, as JPEG and as TIFF.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "input/image/png.h"
#include "input/image/unsupported_samples.h"

#define SIGNATURE 8

static bool same(const FvPng *a, const FvPng *b)
{
    const FvPngMastering *x = &a->mastering, *y = &b->mastering;
    return a->primaries == b->primaries && a->transfer == b->transfer && a->coded == b->coded &&
           a->limited == b->limited && a->unknown == b->unknown && x->display == y->display && x->light == y->light &&
           !memcmp(x->place, y->place, sizeof x->place) && x->most == y->most && x->least == y->least &&
           x->peak == y->peak && x->average == y->average;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    uint8_t *own =
        malloc(size ? size : 1); /* exactly the input's size, so that sanitizers see reads beyond its end */
    if (!own)
        abort();
    memcpy(own, bytes, size);
    const FvPng png = fv_png_read(own, size);
    if (png.primaries < 0 || png.primaries > 255 || png.transfer < 0 || png.transfer > 255 ||
        (png.limited && !png.coded) || (png.unknown && png.coded))
        abort();
    if (size > SIGNATURE && !memcmp(own + 1, "PNG", 3)) {
        const FvPng chunks = fv_png_read(own + SIGNATURE, size - SIGNATURE);
        if (!same(&png, &chunks) && (size - SIGNATURE <= SIGNATURE || memcmp(own + SIGNATURE + 1, "PNG", 3)))
            abort();
    }
    fv_inks_of_jpeg(own, size);
    fv_inks_of_tiff(own, size);
    free(own);
    return 0;
}
