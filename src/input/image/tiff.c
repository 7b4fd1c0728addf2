#include "input/image/tiff.h"

#include <stdbool.h>

#define SHORT 3  /* type of an entry: 16-bit numbers */
#define ENTRY 12 /* bytes of an entry of a directory */

typedef struct Bytes {
    const uint8_t *data;
    size_t size;
    bool big; /* the most significant byte of a number comes first */
} Bytes;

static unsigned half(const Bytes *b, size_t at)
{
    return b->big ? (unsigned)b->data[at] << 8 | b->data[at + 1] : (unsigned)b->data[at + 1] << 8 | b->data[at];
}

static size_t word(const Bytes *b, size_t at)
{
    return b->big ? (size_t)half(b, at) << 16 | half(b, at + 2) : (size_t)half(b, at + 2) << 16 | half(b, at);
}

#define NEW_SUBFILE_TYPE 254
#define REDUCED_OR_MASK 5 /* bits of NEW_SUBFILE_TYPE: a reduced picture, or a mask */
#define LONG 4            /* type of an entry: 32-bit numbers */
#define MOST_PAGES 4096   /* limit, because a damaged chain of directories may be circular */

/*
 * Returns the first value of an entry; 0: it is not a short. If there are more than two, the values are elsewhere in
 * the file.
 */
static unsigned first_value(const Bytes *b, size_t entry)
{
    const size_t at = word(b, entry + 4) > 2 ? word(b, entry + 8) : entry + 8;
    return half(b, entry + 2) == SHORT && at <= b->size - 2 ? half(b, at) : 0;
}

unsigned fv_tiff_short(const uint8_t *bytes, size_t size, unsigned tag)
{
    const Bytes b = {bytes, size, size > 0 && bytes[0] == 'M'};
    if (size < 8)
        return 0;
    const size_t directory = word(&b, 4);
    if (directory > size - 2)
        return 0;
    const size_t fit = (size - directory - 2) / ENTRY, stated = half(&b, directory),
                 count = stated < fit ? stated : fit;
    for (size_t i = 0; i < count; i++)
        if (half(&b, directory + 2 + ENTRY * i) == tag)
            return first_value(&b, directory + 2 + ENTRY * i);
    return 0;
}

int fv_tiff_pages(const uint8_t *bytes, size_t size)
{
    const Bytes b = {bytes, size, size > 0 && bytes[0] == 'M'};
    int pages = 0;
    size_t directory = size < 8 ? 0 : word(&b, 4);
    for (int i = 0; i < MOST_PAGES && directory && directory <= size - 2; i++) {
        const size_t count = half(&b, directory), end = directory + 2 + ENTRY * count;
        bool counts = true;
        if (end > size - 4)
            break;
        for (size_t entry = directory + 2; entry < end; entry += ENTRY)
            if (half(&b, entry) == NEW_SUBFILE_TYPE && half(&b, entry + 2) == LONG)
                counts = !(word(&b, entry + 8) & REDUCED_OR_MASK);
        pages += counts;
        directory = word(&b, end);
    }
    return pages > 1 ? pages : 1;
}
