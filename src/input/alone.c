#include "input/alone.h"

/* A packet as units of H.264 or HEVC: behind their lengths, or behind start codes. */
typedef struct Units {
    const uint8_t *at, *end;
    int length_bytes; /* 0: start codes */
} Units;

/* Behind the next start code; the end where there is none. */
static const uint8_t *find_start(const uint8_t *at, const uint8_t *end)
{
    for (; end - at > 3; at++)
        if (!at[0] && !at[1] && at[2] == 1)
            return at + 3;
    return end;
}

/* The first byte of the next unit, or -1 behind the last one and where the packet is damaged. */
static int next_unit(Units *units)
{
    if (!units->length_bytes) {
        units->at = find_start(units->at, units->end);
        return units->at < units->end ? *units->at : -1;
    }
    if (units->end - units->at <= units->length_bytes)
        return -1;
    int64_t length = 0;
    for (int i = 0; i < units->length_bytes; i++)
        length = length << 8 | *units->at++;
    if (length < 1 || length > units->end - units->at)
        return -1;
    const int first = *units->at;
    units->at += length;
    return first;
}

/* ISO/IEC 14496-15: a description that does not begin with a start code says how many bytes a length has. */
static int length_bytes(const AVCodecParameters *codec)
{
    const uint8_t *text = codec->extradata;
    const int at = codec->codec_id == AV_CODEC_ID_HEVC ? 21 : 4;
    const bool counts = codec->extradata_size > at && (text[0] || text[1] || text[2] > 1);
    return counts ? (text[at] & 3) + 1 : 0;
}

bool fv_packet_alone(const AVPacket *packet, const AVCodecParameters *codec)
{
    const bool hevc = codec->codec_id == AV_CODEC_ID_HEVC;
    if (codec->codec_id == AV_CODEC_ID_VP8 || codec->codec_id == AV_CODEC_ID_VP9)
        return true;
    if (!hevc && codec->codec_id != AV_CODEC_ID_H264)
        return false;
    Units units = {packet->data, packet->data + packet->size, length_bytes(codec)};
    for (int first; (first = next_unit(&units)) >= 0;) {
        const int type = hevc ? first >> 1 & 63 : first & 31;
        if (hevc ? type < 32 : type >= 1 && type <= 5) /* the first one of a picture tells for all */
            return hevc ? type >= 16 && type <= 21 : type == 5;
    }
    return false;
}
