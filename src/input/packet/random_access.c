#include "input/packet/random_access.h"

#include "base/bytes.h"
#include "input/packet/vp9_frame.h"

/* A packet as units of H.264 or HEVC, each after its length or after a start code. */
typedef struct Units {
    const uint8_t *at, *end;
    int length_bytes;    /* bytes of the length before each unit; 0: units have start codes */
    const uint8_t *unit; /* the unit that next_unit() found; it ends where the next unit begins */
} Units;

/* Returns the byte after the next start code; `end` if there is none. */
static const uint8_t *find_start(const uint8_t *at, const uint8_t *end)
{
    for (; end - at > 3; at++)
        if (!at[0] && !at[1] && at[2] == 1)
            return at + 3;
    return end;
}

/* Returns the first byte of the next unit; -1: there is none, or the packet is damaged. */
static int next_unit(Units *units)
{
    if (!units->length_bytes) {
        units->at = find_start(units->at, units->end);
        units->unit = units->at;
        return units->at < units->end ? *units->at : -1;
    }
    if (units->end - units->at <= units->length_bytes)
        return -1;
    int64_t length = 0;
    for (int i = 0; i < units->length_bytes; i++)
        length = length << 8 | *units->at++;
    if (length < 1 || length > units->end - units->at)
        return -1;
    units->unit = units->at;
    units->at += length;
    return *units->unit;
}

/*
 * Returns the number of bytes of the length before a unit; 0: units have start codes. A codec description that does
 * not begin with a start code states the number (ISO/IEC 14496-15).
 */
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
    Units units = {packet->data, packet->data + packet->size, length_bytes(codec), NULL};
    for (int first; (first = next_unit(&units)) >= 0;) {
        const int type = hevc ? first >> 1 & 63 : first & 31;
        if (hevc ? type < 32 : type >= 1 && type <= 5) /* the first slice of a picture is representative */
            return hevc ? type >= 16 && type <= 21 : type == 5;
    }
    return false;
}

static uint64_t hash(uint64_t hash, const uint8_t *bytes, const uint8_t *end)
{
    for (; bytes < end; bytes++)
        hash = (hash ^ *bytes) * 0x100000001b3u;
    return hash;
}

/* Returns the end of the unit that next_unit() found. */
static const uint8_t *end_of(const Units *units)
{
    return units->length_bytes ? units->at : find_start(units->unit, units->end);
}

/* Returns whether the first frame of a VP9 packet is a key frame that is shown (VP9, 6.2). */
static bool begins_vp9(const AVPacket *packet)
{
    return packet->size > 0 && packet->data[0] >> 6 == 2 && (packet->data[0] >> 4 & 3) != 3 &&
           (packet->data[0] & 0xe) == 2;
}

/* Fills the sizes of the frames in a VP9 packet and returns their number; 0: it is damaged (VP9, annex B). */
static int split_vp9(const AVPacket *packet, size_t size[8])
{
    const size_t bytes = packet->size > 0 ? (size_t)packet->size : 0;
    const int mark = bytes ? packet->data[bytes - 1] : 0;
    const int count = (mark & 7) + 1, wide = (mark >> 3 & 3) + 1;
    const size_t index = 2 + (size_t)(count * wide);
    size[0] = bytes;
    if (mark >> 5 != 6 || index > bytes || packet->data[bytes - index] != mark)
        return bytes > 0;
    const uint8_t *at = packet->data + bytes - index + 1;
    size_t left = bytes - index;
    for (int i = 0; i < count; i++) {
        size[i] = 0;
        for (int k = 0; k < wide; k++)
            size[i] |= (size_t)*at++ << 8 * k;
        if (!size[i] || size[i] > left)
            return 0;
        left -= size[i];
    }
    return count;
}

int fv_packet_shows_vp9(const AVPacket *packet, int width)
{
    size_t size[8];
    const uint8_t *frame = packet->data;
    int shown = 0;
    const int count = split_vp9(packet, size);
    for (int i = 0; i < count; frame += size[i++]) {
        if (!fv_vp9_frame_whole(frame, size[i], width))
            return -1;
        shown += (*frame & 0xa) != 0; /* the frame itself is shown, or a picture that was decoded earlier */
    }
    return count ? shown : -1;
}

bool fv_packet_has_new_sets(const AVPacket *packet)
{
    for (int i = 0; i < packet->side_data_elems; i++)
        if (packet->side_data[i].type == AV_PKT_DATA_NEW_EXTRADATA)
            return true;
    return false;
}

FvPacketPart fv_packet_part(const AVPacket *packet, const AVCodecParameters *codec)
{
    const bool hevc = codec->codec_id == AV_CODEC_ID_HEVC;
    FvPacketPart part = {.begins = false};
    if (codec->codec_id == AV_CODEC_ID_VP9)
        part.begins = begins_vp9(packet);
    if (!hevc && codec->codec_id != AV_CODEC_ID_H264)
        return part;
    Units units = {packet->data, packet->data + packet->size, length_bytes(codec), NULL};
    for (int first; (first = next_unit(&units)) >= 0;) {
        const int type = hevc ? first >> 1 & 63 : first & 31;
        if (hevc ? type >= 32 && type <= 34 : type == 7 || type == 8 || type == 13 || type == 15)
            part.sets = hash(part.sets ? part.sets : 0xcbf29ce484222325u, units.unit, end_of(&units));
        if (hevc ? type >= 32 : type < 1 || type > 5)
            continue;
        /* The second bit (no_output_of_prior_pics_flag) states that earlier pictures not shown yet are dropped. */
        part.begins =
            hevc ? (type == 19 || type == 20) && units.end - units.unit > 2 && !(units.unit[2] & 0x40) : type == 5;
        break;
    }
    return part;
}

/* The bytes of a unit without emulation prevention bytes, which keep start codes out of it (ITU-T H.264, 7.4.1). */
typedef struct Payload {
    const uint8_t *at, *end;
    int zeros;
} Payload;

static int next_byte(Payload *p)
{
    if (p->zeros >= 2 && p->at < p->end && *p->at == 3) {
        p->at++;
        p->zeros = 0;
    }
    if (p->at == p->end)
        return -1;
    p->zeros = *p->at ? 0 : p->zeros + 1;
    return *p->at++;
}

/* Reads a payload type or size, of which every byte but the last is 255; -1: the unit ends. */
static int next_number(Payload *p)
{
    int sum = 0, byte;
    while ((byte = next_byte(p)) == 255 && sum < 1 << 24)
        sum += 255;
    return byte < 0 ? -1 : sum + byte;
}

enum { FILM_GRAIN = 19 }; /* ITU-T H.274, 8.5: the payload type of film grain characteristics */

bool fv_packet_asks_grain(const AVPacket *packet, const AVCodecParameters *codec)
{
    const bool hevc = codec->codec_id == AV_CODEC_ID_HEVC;
    if (!hevc && codec->codec_id != AV_CODEC_ID_H264)
        return false;
    Units units = {packet->data, packet->data + packet->size, length_bytes(codec), NULL};
    for (int first; (first = next_unit(&units)) >= 0;) {
        const int type = hevc ? first >> 1 & 63 : first & 31;
        if (hevc ? type < 32 : type >= 1 && type <= 5)
            return false;
        if (type != (hevc ? 39 : 6))
            continue;
        Payload payload = {units.unit + (hevc ? 2 : 1), end_of(&units), 0};
        while (payload.end - payload.at > 2) {
            const int message = next_number(&payload);
            int size = next_number(&payload);
            if (message == FILM_GRAIN)
                return true;
            while (size-- > 0 && next_byte(&payload) >= 0)
                ;
        }
    }
    return false;
}

/* Returns whether the stream states that it has one temporal layer (numTemporalLayers, ISO/IEC 14496-15, 8.3.3.1). */
static bool has_one_layer(const AVCodecParameters *codec)
{
    return length_bytes(codec) && (codec->extradata[21] >> 3 & 7) == 1;
}

enum {
    OTHER,
    PICTURE,
    PASSING
}; /* PICTURE: a picture or parameter set to which others may refer; PASSING: a picture to which no other refers */

/* Returns the kind of a unit. Messages, delimiters and filler data belong to a picture and do not affect others. */
static int h264_kind(int first)
{
    const int type = first & 31;
    if (type == 6 || type == 9 || type == 12)
        return OTHER;
    return type == 1 && !(first >> 5 & 3) ? PASSING : PICTURE;
}

static int hevc_kind(int first)
{
    const int type = first >> 1 & 63;
    if (type == 35 || (type >= 38 && type <= 40))
        return OTHER;
    return type <= 8 && !(type & 1) ? PASSING : PICTURE;
}

bool fv_packet_disposable(const AVPacket *packet, const AVCodecParameters *codec)
{
    const bool hevc = codec->codec_id == AV_CODEC_ID_HEVC;
    if (codec->codec_id != AV_CODEC_ID_H264 && !(hevc && has_one_layer(codec)))
        return false;
    Units units = {packet->data, packet->data + packet->size, length_bytes(codec), NULL};
    int passing = 0;
    for (int first; (first = next_unit(&units)) >= 0;) {
        const int kind = hevc ? hevc_kind(first) : h264_kind(first);
        if (kind == PICTURE)
            return false;
        passing += kind == PASSING;
    }
    return passing && units.at == units.end;
}

enum { PICTURE_HASH = 132 }; /* payloadType of the decoded picture hash, ITU-T H.265, D.2.1 */

bool fv_packet_serial_hevc(const AVPacket *packet, const AVCodecParameters *codec)
{
    if (codec->codec_id != AV_CODEC_ID_HEVC)
        return false;
    Units units = {packet->data, packet->data + packet->size, length_bytes(codec), NULL};
    for (int first; (first = next_unit(&units)) >= 0;) {
        const int type = first >> 1 & 63;
        const bool sliced = type < 32, suffix_message = type == 40;
        if (units.end - units.unit > 2 &&
            ((sliced && !(units.unit[2] & 0x80)) || (suffix_message && units.unit[2] == PICTURE_HASH)))
            return true;
    }
    return false;
}

/* Checks the first macroblock of each row, which begins with the 11 bits of its quantizer. */
bool fv_packet_mixes_dnxhd(const AVPacket *packet, const AVCodecParameters *codec)
{
    enum { SIZE = 2, KIND = 0x28, COLOUR = 0x2c, ROWS = 0x16c, PLACES = 0x170 };
    const uint8_t *at = packet->data;
    if (codec->codec_id != AV_CODEC_ID_DNXHD || packet->size < PLACES || !(at[COLOUR] & 7) ||
        (fv_be32(at + KIND) != 1256 && fv_be32(at + KIND) != 1270))
        return false;
    const int64_t first = fv_be16(at + SIZE), rows = fv_be16(at + ROWS);
    for (int64_t row = 0; row < rows && PLACES + 4 * row + 4 <= packet->size; row++) {
        const int64_t place = first + fv_be32(at + PLACES + 4 * row);
        if (place + 1 < packet->size && !(at[place + 1] & 0x10))
            return true;
    }
    return false;
}
