/* ITU-T T.81, B.2.2: the frame header of JPEG. TIFF 6.0: PhotometricInterpretation and SampleFormat. */
#include "input/image/unsupported_samples.h"

#include <stdbool.h>

#include "input/image/tiff.h"

#define INKS 5 /* PhotometricInterpretation: separated */
#define PHOTOMETRIC 262
#define SAMPLE_FORMAT 339
#define UNSIGNED 1

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

const char *fv_inks_of_tiff(const uint8_t *bytes, size_t size)
{
    if (fv_tiff_short(bytes, size, PHOTOMETRIC) == INKS)
        return cmyk;
    return fv_tiff_short(bytes, size, SAMPLE_FORMAT) > UNSIGNED ? "holds samples other than unsigned integers" : NULL;
}
