/* Computes how many bytes a truncated file lacks, by the lengths that it states. */
#include "input/packet/truncation.h"

#include <string.h>

#include "base/bytes.h"

/* Reads an element's length in 1 to 8 bytes and advances *at; -1: unknown. */
static int64_t take_length(const uint8_t *bytes, int *at)
{
    int more = 0;
    while (more < 8 && !(bytes[*at] << more & 0x80))
        more++;
    if (more == 8)
        return -1;
    int64_t length = bytes[*at] & 0x7f >> more;
    bool unknown = length == 0x7f >> more;
    for (int i = 1; i <= more; i++) {
        length = length << 8 | bytes[*at + i];
        unknown &= bytes[*at + i] == 0xff;
    }
    *at += more + 1;
    return unknown ? -1 : length;
}

/* Reads `count` bytes at `at` and returns how many of them the file has; the others are 0. */
static size_t peek_some(const FvStream *stream, int64_t at, uint8_t *bytes, size_t count)
{
    const int64_t left = at < stream->size ? stream->size - at : 0;
    const size_t there = left < (int64_t)count ? (size_t)left : count;
    size_t got = 0;
    memset(bytes, 0, count);
    return there && !fv_stream_read_at(stream, at, bytes, there, there, 1, &got, NULL) ? got : 0;
}

/* Reads `count` bytes of the file at `at`. False: the file has fewer. */
static bool peek(const FvStream *stream, int64_t at, uint8_t *bytes, size_t count)
{
    return peek_some(stream, at, bytes, count) == count;
}

/*
 * Returns how many bytes the last packet of MPEG-TS lacks (ISO/IEC 13818-1, 2.4.3.2). Packets have 188 bytes that
 * begin with 0x47; variants have 192 bytes, with a time before it, or 204, with parity after it.
 */
static int64_t transport_lacks(const FvStream *stream)
{
    static const struct {
        int bytes, sync;
    } kinds[] = {{188, 0}, {192, 4}, {204, 0}};
    for (int i = 0; i < 3; i++) {
        uint8_t sync[4] = {0};
        const int bytes = kinds[i].bytes;
        const int64_t rest = stream->size % bytes;
        bool fits = true;
        for (int k = 0; k < 4 && fits; k++)
            fits = peek(stream, (int64_t)k * bytes + kinds[i].sync, &sync[k], 1) && sync[k] == 0x47;
        if (fits)
            return rest > kinds[i].sync && peek(stream, stream->size - rest + kinds[i].sync, sync, 1) &&
                           sync[0] == 0x47
                       ? bytes - rest
                       : 0;
    }
    return 0;
}

/* Returns the length of a unit, of which `head` has the first bytes; 0: it is no unit. */
typedef int64_t UnitLength(const uint8_t *head);

static int64_t ivf_unit(const uint8_t *head)
{
    return 12 + (int64_t)fv_le32(head);
}

/*
 * Returns the length of an FLV tag (Adobe Flash Video File Format, E.4.1): audio, video or data, then the length once
 * more.
 */
static int64_t flv_unit(const uint8_t *head)
{
    const int type = head[0] & 0x1f;
    return type != 8 && type != 9 && type != 18 ? 0 : 15 + (head[1] << 16 | head[2] << 8 | head[3]);
}

/*
 * Returns the length of an MXF unit (SMPTE ST 336): a key of 16 bytes, then a length in one byte or in the number of
 * bytes that the first byte states.
 */
static int64_t mxf_unit(const uint8_t *head)
{
    static const uint8_t label[] = {0x06, 0x0e, 0x2b, 0x34};
    const int more = head[16] & 0x80 ? head[16] & 0x7f : 0;
    if (memcmp(head, label, sizeof label) || more > 7 || head[16] == 0x80)
        return 0;
    int64_t length = more ? 0 : head[16];
    for (int i = 1; i <= more; i++)
        length = length << 8 | head[16 + i];
    return 17 + more + length;
}

/* Returns the length of an ASF object (Advanced Systems Format, 2.1): a GUID, then the length. */
static int64_t asf_unit(const uint8_t *head)
{
    uint64_t length = 0;
    for (int i = 23; i >= 16; i--)
        length = length << 8 | head[i];
    return length >= 24 && length < INT64_MAX ? (int64_t)length : 0;
}

/* Reads a leb128 number (AV1, 4.10.5). Returns its size in bytes; 0: it is not such a number. */
static int take_leb128(const uint8_t *bytes, int64_t *value)
{
    *value = 0;
    for (int i = 0; i < 8; i++) {
        *value |= (int64_t)(bytes[i] & 0x7f) << 7 * i;
        if (!(bytes[i] & 0x80))
            return i + 1;
    }
    return 0;
}

/*
 * Returns the length of an AV1 OBU (5.3), whose header states whether it has an extension and whether a length
 * follows.
 */
static int64_t obu_unit(const uint8_t *head)
{
    const int header = head[0] & 4 ? 2 : 1;
    int64_t length;
    const int bytes = (head[0] & 0x83) == 2 ? take_leb128(head + header, &length) : 0;
    return bytes ? header + bytes + length : 0;
}

/* Returns the length of a temporal unit of AV1's annex B (B.2), which begins with its length. */
static int64_t annexb_unit(const uint8_t *head)
{
    int64_t length;
    const int bytes = take_leb128(head, &length);
    return bytes ? bytes + length : 0;
}

/*
 * Returns the length of a Matroska element; if that is unknown, the length of its head, since the elements inside
 * follow.
 */
static int64_t matroska_unit(const uint8_t *head)
{
    int at = 1;
    while (at <= 4 && !(head[0] << (at - 1) & 0x80))
        at++;
    if (at > 4)
        return 0;
    const int id = at;
    const int64_t length = take_length(head, &at);
    return at == id ? 0 : at + (length < 0 ? 0 : length);
}

/* Returns how many bytes the last unit lacks in a file of consecutive units; 0: none, or a unit is not recognised. */
static int64_t units_lack(const FvStream *stream, int64_t at, size_t head_bytes, UnitLength *length_of)
{
    uint8_t head[24];
    while (at < stream->size) {
        if (peek_some(stream, at, head, sizeof head) < head_bytes)
            return at + (int64_t)head_bytes - stream->size;
        const int64_t length = length_of(head);
        if (!length)
            return 0;
        if (length > stream->size - at)
            return length - (stream->size - at);
        at += length;
    }
    return 0;
}

/*
 * Returns how many bytes a Matroska file lacks (RFC 8794, RFC 9559, 4.2). The segment states its length; if not, its
 * elements do.
 */
static int64_t matroska_lacks(const FvStream *stream)
{
    enum { HEAD = 64, MARK = 4, LENGTH = 8 };
    static const uint8_t marks[2][MARK] = {{0x1a, 0x45, 0xdf, 0xa3}, {0x18, 0x53, 0x80, 0x67}};
    uint8_t head[HEAD + MARK + LENGTH];
    if (!peek(stream, 0, head, sizeof head))
        return 0;
    int at = MARK;
    const int64_t header = memcmp(head, marks[0], MARK) ? -1 : take_length(head, &at);
    if (header < 0 || header > HEAD - at || memcmp(head + at + header, marks[1], MARK))
        return 0;
    at += (int)header + MARK;
    const int64_t segment = take_length(head, &at);
    if (segment < 0)
        return units_lack(stream, at, 2, matroska_unit);
    return segment > stream->size - at ? segment - (stream->size - at) : 0;
}

/*
 * Returns the end of the segments that the segment index at `at` lists (ISO/IEC 14496-12, 8.16.3); the first begins
 * after the index.
 */
static int64_t listed_end(const FvStream *stream, int64_t at, int64_t length)
{
    enum { WIDE = 36, ENTRY = 12 };
    uint8_t head[WIDE + 4], entry[ENTRY];
    if (!peek(stream, at, head, sizeof head))
        return 0;
    const int wide = head[8] ? 8 : 0, first = 32 + wide;
    int64_t end = at + length + (int64_t)(fv_be(head + (wide ? 28 : 24), wide ? 8 : 4) & INT32_MAX);
    for (int64_t i = 0, count = fv_be16(head + first - 2); i < count; i++) {
        if (!peek(stream, at + first + i * ENTRY, entry, sizeof entry))
            return 0;
        end += fv_be32(entry) & INT32_MAX;
    }
    return end;
}

/*
 * Returns how many bytes a fragmented MP4 file lacks, which has no index of all frames (ISO/IEC 14496-12, 4.2 and
 * 8.8).
 */
static int64_t fragments_lack(const FvStream *stream)
{
    static const char known[] = "ftyp moov moof mdat mfra free skip sidx ssix styp emsg prft meta uuid wide";
    bool fragments = false;
    int64_t listed = 0, at = 0, lacks = 0;
    while (at < stream->size) {
        uint8_t head[16];
        const size_t got = peek_some(stream, at, head, sizeof head);
        const uint64_t size = fv_be32(head), length = size == 1 ? fv_be(head + 8, 8) : size;
        const char type[] = {(char)head[4], (char)head[5], (char)head[6], (char)head[7], 0},
                   *name = strstr(known, type);
        if (got < 8)
            lacks = size || got < 4 ? 8 - (int64_t)got : 0;
        else if (length < 8 || length > INT64_MAX / 2 || !name || (name - known) % 5)
            break;
        else if ((int64_t)length > stream->size - at)
            lacks = (int64_t)length - (stream->size - at);
        if (lacks || got < 8)
            break;
        fragments |= !strcmp(type, "moof");
        if (!strcmp(type, "sidx"))
            listed = listed_end(stream, at, (int64_t)length);
        at += (int64_t)length;
    }
    if (!lacks && listed > stream->size)
        lacks = listed - stream->size;
    return fragments ? lacks : 0;
}

/* Returns how many bytes an Ogg file lacks. Its last page is marked as the last (RFC 3533, 6). */
static int64_t ogg_lacks(const FvStream *stream)
{
    enum { HEAD = 27, LAST = 4 };
    uint8_t head[HEAD], sizes[255];
    bool ended = false;
    for (int64_t at = 0; at < stream->size;) {
        const size_t got = peek_some(stream, at, head, sizeof head);
        if (memcmp(head, "OggS", got < 4 ? got : 4))
            return 0;
        if (got < HEAD)
            return HEAD - (int64_t)got;
        int64_t length = HEAD + head[26];
        peek_some(stream, at + HEAD, sizes, head[26]);
        for (int i = 0; i < head[26]; i++)
            length += sizes[i];
        if (length > stream->size - at)
            return length - (stream->size - at);
        ended = head[5] & LAST;
        at += length;
    }
    return !ended * HEAD; /* at least a header is missing */
}

int64_t fv_missing_bytes(const FvStream *stream, const char *name)
{
    if (stream->waits || stream->size < 0)
        return 0;
    if (!strcmp(name, "mpegts"))
        return transport_lacks(stream);
    if (!strcmp(name, "ivf"))
        return units_lack(stream, 32, 12, ivf_unit);
    if (!strcmp(name, "flv"))
        return units_lack(stream, 13, 11, flv_unit);
    if (!strcmp(name, "mxf"))
        return units_lack(stream, 0, 24, mxf_unit);
    if (!strcmp(name, "asf"))
        return units_lack(stream, 0, 24, asf_unit);
    if (!strcmp(name, "obu"))
        return units_lack(stream, 0, 2, obu_unit);
    if (!strcmp(name, "av1"))
        return units_lack(stream, 0, 1, annexb_unit);
    if (!strcmp(name, "ogg"))
        return ogg_lacks(stream);
    if (!strncmp(name, "mov,", 4))
        return fragments_lack(stream);
    return matroska_lacks(stream);
}
