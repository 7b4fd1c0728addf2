#include "input/packet/codec_string.h"

#include <stdint.h>
#include <stdio.h>

enum { VP9_LEVEL = 51, AV1_LEVEL = 13 }; /* level 5.1, if a stream states none: 2160p at 60 frames per second */

/* Returns the three bytes of profile, constraints and level: in the description, or after the head of an SPS. */
static const uint8_t *find_h264(const AVCodecParameters *codec, bool *described)
{
    const uint8_t *at = codec->extradata, *end = at + codec->extradata_size;
    *described = end - at > 6 && at[0] == 1;
    if (*described)
        return at + 1;
    for (; end - at > 6; at++)
        if (!at[0] && !at[1] && at[2] == 1 && (at[3] & 31) == 7)
            return at + 4;
    return NULL;
}

/* Writes the name of ISO/IEC 14496-15, annex E, from an HEVCDecoderConfigurationRecord. */
static bool name_hevc(char *text, size_t size, const AVCodecParameters *codec)
{
    const uint8_t *from = codec->extradata;
    if (codec->extradata_size < 23 || from[0] != 1)
        return false;
    uint32_t compatible = 0; /* in reverse order of bits */
    for (int bit = 0; bit < 32; bit++)
        compatible |= (uint32_t)(from[2 + bit / 8] >> (7 - bit % 8) & 1) << bit;
    const char *const spaces[] = {"", "A", "B", "C"};
    int used = snprintf(text, size, "hvc1.%s%d.%X.%c%d", spaces[from[1] >> 6], from[1] & 31, compatible,
                        from[1] & 32 ? 'H' : 'L', from[12]);
    int last = 11; /* bytes of constraints at the end that are 0 are left out */
    while (last >= 6 && !from[last])
        last--;
    for (int i = 6; i <= last && used > 0 && (size_t)used < size; i++)
        used += snprintf(text + used, size - (size_t)used, ".%X", from[i]);
    return used > 0 && (size_t)used < size;
}

bool fv_codec_string(char *text, size_t size, const AVCodecParameters *codec, bool *described)
{
    const int profile = codec->profile > 0 ? codec->profile : 0;
    *described = false;
    if (codec->codec_id == AV_CODEC_ID_H264) {
        const uint8_t *three = find_h264(codec, described);
        if (three)
            snprintf(text, size, "avc1.%02x%02x%02x", three[0], three[1], three[2]);
        return three;
    }
    if (codec->codec_id == AV_CODEC_ID_HEVC)
        return *described = name_hevc(text, size, codec);
    if (codec->codec_id == AV_CODEC_ID_VP8)
        snprintf(text, size, "vp8");
    else if (codec->codec_id == AV_CODEC_ID_VP9)
        snprintf(text, size, "vp09.%02d.%02d.08", profile, codec->level > 0 ? codec->level : VP9_LEVEL);
    else if (codec->codec_id == AV_CODEC_ID_AV1)
        snprintf(text, size, "av01.%d.%02dM.08", profile, codec->level >= 0 ? codec->level : AV1_LEVEL);
    else
        return false;
    return true;
}
