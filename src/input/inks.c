/* ITU-T T.81, B.2.2: the frame header of JPEG. TIFF 6.0: PhotometricInterpretation and SampleFormat. */
#include "input/inks.h"

#include <stdbool.h>

#define INKS 5 /* PhotometricInterpretation: separated */
#define PHOTOMETRIC 262
#define SAMPLE_FORMAT 339
#define UNSIGNED 1
#define SHORT 3
#define ENTRY 12 /* bytes */

static const char cmyk[] = "holds inks (CMYK), whose colours only a profile tells";

const char *fv_inks_of_jpeg(const uint8_t *bytes, size_t size)
{
    for (size_t at = 2; size >= 4 && at <= size - 4 && bytes[at] == 0xff;) {
        const int marker = bytes[at + 1];
        const size_t length = (size_t)bytes[at + 2] << 8 | bytes[at + 3];
        const bool tables = marker == 0xc4 || marker == 0xc8 || marker == 0xcc;
        if (marker == 0xff) {
            at++; /* a byte of fill */
            continue;
        }
        if (marker >= 0xc0 && marker <= 0xcf && !tables)
            return size - at > 9 && bytes[at + 9] == 4 ? cmyk : NULL;
        if (marker == 0xda || length < 2 || length > size - at - 2)
            return NULL;
        at += 2 + length;
    }
    return NULL;
}

typedef struct Bytes {
    const uint8_t *data;
    size_t size;
    bool big; /* the most significant one comes first */
} Bytes;

static unsigned half(const Bytes *b, size_t at)
{
    return b->big ? (unsigned)b->data[at] << 8 | b->data[at + 1] : (unsigned)b->data[at + 1] << 8 | b->data[at];
}

static size_t word(const Bytes *b, size_t at)
{
    return b->big ? (size_t)half(b, at) << 16 | half(b, at + 2) : (size_t)half(b, at + 2) << 16 | half(b, at);
}

/* The first value of an entry of short words, which lies elsewhere when there are more than two; 0: none. */
static unsigned first_value(const Bytes *b, size_t entry)
{
    const size_t at = word(b, entry + 4) > 2 ? word(b, entry + 8) : entry + 8;
    return half(b, entry + 2) == SHORT && at <= b->size - 2 ? half(b, at) : 0;
}

const char *fv_inks_of_tiff(const uint8_t *bytes, size_t size)
{
    const Bytes b = {bytes, size, size > 0 && bytes[0] == 'M'};
    if (size < 8)
        return NULL;
    const size_t directory = word(&b, 4);
    if (directory > size - 2)
        return NULL;
    const size_t fit = (size - directory - 2) / ENTRY, stated = half(&b, directory),
                 count = stated < fit ? stated : fit;
    for (size_t i = 0; i < count; i++) {
        const size_t entry = directory + 2 + ENTRY * i;
        const unsigned tag = half(&b, entry), value = first_value(&b, entry);
        if (tag == PHOTOMETRIC && value == INKS)
            return cmyk;
        if (tag == SAMPLE_FORMAT && value > UNSIGNED)
            return "holds samples other than unsigned integers";
    }
    return NULL;
}
