#include "input/image/orientation.h"

#include <string.h>

#include "base/bytes.h"
#include "input/image/tiff.h"

#define ORIENTATION 274 /* number of the tag in TIFF 6.0 */

/* The orientations that the tag's values 1 to 8 mean: a rotation, then a mirror. */
static const FvOrientation meaning[] = {{0, false}, {0, true},   {180, false}, {180, true},
                                        {90, true}, {90, false}, {270, true},  {270, false}};

FvOrientation fv_orientation_of_tiff(const uint8_t *bytes, size_t size)
{
    const unsigned value = fv_tiff_short(bytes, size, ORIENTATION);
    return meaning[value >= 1 && value <= 8 ? value - 1 : 0];
}

/* Reads the chunks of a PNG file. A chunk is its length, its name, its data, and a checksum. */
FvOrientation fv_orientation_of_png(const uint8_t *bytes, size_t size)
{
    for (size_t at = 8; size >= 20 && at <= size - 12;) {
        const size_t length = fv_be32(bytes + at);
        if (length > size - at - 12)
            break;
        if (!memcmp(bytes + at + 4, "eXIf", 4))
            return fv_orientation_of_tiff(bytes + at + 8, length);
        at += 12 + length;
    }
    return meaning[0];
}

/*
 * Reads the chunks of a RIFF file. A chunk is its name, its length, its data, and a padding byte if the length is
 * odd. In some files the Exif data begin with the six bytes "Exif", as in JPEG.
 */
FvOrientation fv_orientation_of_webp(const uint8_t *bytes, size_t size)
{
    static const uint8_t mark[6] = "Exif";
    for (size_t at = 12; size >= 20 && at <= size - 8;) {
        const size_t length = fv_le32(bytes + at + 4);
        const uint8_t *content = bytes + at + 8;
        if (length > size - at - 8)
            break;
        if (!memcmp(bytes + at, "EXIF", 4)) {
            const size_t skip = length >= sizeof mark && !memcmp(content, mark, sizeof mark) ? sizeof mark : 0;
            return fv_orientation_of_tiff(content + skip, length - skip);
        }
        at += 8 + length + length % 2;
    }
    return meaning[0];
}
