/*
 * Finds inks and floats in the frame header of JPEG (ITU-T T.81, B.2.2), and in PhotometricInterpretation and
 * SampleFormat of TIFF 6.0.
 */
#include "input/image/unsupported_samples.h"

#include <string.h>

#include "input/image/tiff.h"

#define INKS 5            /* value of PhotometricInterpretation: separated, which means inks */
#define PHOTOMETRIC 262   /* tag PhotometricInterpretation */
#define SAMPLE_FORMAT 339 /* tag SampleFormat */
#define UNSIGNED 1        /* value of SampleFormat: unsigned integers */

static const char cmyk[] = "holds inks (CMYK), whose colours only a profile tells";

/*
 * Finds the next segment before the samples. Returns its marker, and in *at the place of its length; 0: there is
 * none.
 */
static int next_segment(const uint8_t *bytes, size_t size, size_t *at)
{
    while (size >= 4 && *at <= size - 4 && bytes[*at] == 0xff && bytes[*at + 1] == 0xff)
        ++*at; /* skips a fill byte before a marker */
    if (size < 4 || *at > size - 4 || bytes[*at] != 0xff || bytes[*at + 1] == 0xda)
        return 0;
    const int marker = bytes[*at + 1];
    *at += 2;
    return marker;
}

/* Skips a segment; false: it is damaged. */
static bool pass_segment(const uint8_t *bytes, size_t size, size_t *at)
{
    const size_t length = (size_t)bytes[*at] << 8 | bytes[*at + 1];
    if (length < 2 || length > size - *at)
        return false;
    *at += length;
    return true;
}

const char *fv_inks_of_jpeg(const uint8_t *bytes, size_t size)
{
    size_t at = 2;
    for (int marker; (marker = next_segment(bytes, size, &at));) {
        const bool tables = marker == 0xc4 || marker == 0xc8 || marker == 0xcc;
        if (marker >= 0xc0 && marker <= 0xcf && !tables)
            return size - at > 7 && bytes[at + 7] == 4 ? cmyk : NULL;
        if (!pass_segment(bytes, size, &at))
            break;
    }
    return NULL;
}

bool fv_jpeg_has_others(const uint8_t *bytes, size_t size)
{
    static const char mark[] = "MPF";
    size_t at = 2;
    for (int marker; (marker = next_segment(bytes, size, &at));) {
        if (marker == 0xe2 && size - at > 2 + sizeof mark && !memcmp(bytes + at + 2, mark, sizeof mark))
            return true;
        if (!pass_segment(bytes, size, &at))
            break;
    }
    return false;
}

const char *fv_inks_of_tiff(const uint8_t *bytes, size_t size)
{
    if (fv_tiff_short(bytes, size, PHOTOMETRIC) == INKS)
        return cmyk;
    return fv_tiff_short(bytes, size, SAMPLE_FORMAT) > UNSIGNED ? "holds samples other than unsigned integers" : NULL;
}
