/* Packets of VP9, and whether they show a frame. */
#include "hwdec.h"

#include "input/packet/random_access.h"

typedef struct Bytes {
    uint8_t data[256];
    int bits;
} Bytes;

static void put(Bytes *to, unsigned value, int bits)
{
    for (int i = bits - 1; i >= 0; i--, to->bits++)
        to->data[to->bits / 8] |= (uint8_t)((value >> i & 1) << (7 - to->bits % 8));
}

/* Appends a VP9 frame and returns its size in bytes. It is a key frame of 64x64 samples ('s': shown, 'h': hidden),
 * with a compressed header of two bytes and a tile of three, or a frame that shows slot 4 again ('e'). */
static int put_frame(Bytes *to, char kind)
{
    const int before = to->bits;
    put(to, kind == 'e' ? 0x8c : kind == 's' ? 0x83 : 0x81, 8);
    if (kind != 'e') {
        put(to, 0x498342, 24);
        put(to, 2, 4);
        put(to, 63, 16);
        put(to, 63, 16);
        put(to, 0, 1 + 2 + 9 + 1);
        put(to, 50, 8);
        put(to, 0, 3 + 1 + 1);
        put(to, 2, 16);
        to->bits = (to->bits + 7) / 8 * 8;
        put(to, 0x7f1234, 24);
        put(to, 0x0102, 16);
    }
    return (to->bits - before) / 8;
}

/* Makes a packet of the frames that the letters of put_frame() name. Several frames get an index of their sizes, each
 * of `wide` bytes. */
static Bytes make_packet(const char *kinds, int wide)
{
    Bytes packet = {.bits = 0};
    int size[8], count = 0;
    for (; kinds[count]; count++)
        size[count] = put_frame(&packet, kinds[count]);
    const unsigned mark = 0xc0u | (unsigned)(wide - 1) << 3 | (unsigned)(count - 1);
    if (count > 1)
        put(&packet, mark, 8);
    for (int i = 0; i < count && count > 1; i++)
        for (int k = 0; k < wide; k++)
            put(&packet, (unsigned)size[i] >> 8 * k & 0xff, 8);
    if (count > 1)
        put(&packet, mark, 8);
    return packet;
}

static int shown(const Bytes *bytes, int size)
{
    /* The memory has the exact size, so that sanitizers notice reads beyond it. */
    uint8_t *data = malloc(size ? (size_t)size : 1);
    memcpy(data, bytes->data, (size_t)size);
    const int shows = fv_packet_shows_vp9(&(AVPacket){.data = data, .size = size}, 64);
    free(data);
    return shows;
}

/* Checks the number of shown pictures for frames that are hidden, shown, or shown again, alone and together in a
 * packet. */
void shown_of_vp9(void **state)
{
    static const struct {
        const char *kinds;
        int wide, shows;
    } cases[] = {{"s", 1, 1}, {"h", 1, 0}, {"e", 1, 1}, {"hs", 1, 1}, {"he", 2, 1}, {"ss", 4, 2}, {"hhhs", 3, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Bytes packet = make_packet(cases[i].kinds, cases[i].wide);
        assert_int_equal(shown(&packet, packet.bits / 8), cases[i].shows);
    }
    assert_int_equal(shown(&(Bytes){.bits = 0}, 0), -1);
    const Bytes whole = make_packet("s", 1);
    const int size = whole.bits / 8, header = size - 5;
    for (int cut = 0; cut < header + 3; cut++) /* the tile, unlike the header, may be cut */
        assert_int_equal(shown(&whole, cut), -1);
    static const struct {
        int byte;
        uint8_t flip;
    } wrong[] = {{0, 0x40}, {0, 0x20}, {1, 1}, {4, 0xc0}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Bytes packet = whole;
        packet.data[wrong[i].byte] ^= wrong[i].flip;
        assert_int_equal(shown(&packet, size), -1);
    }
    Bytes packet = whole;
    packet.data[header] |= 0x80; /* a wrong first bit of the compressed header */
    assert_int_equal(shown(&packet, size), -1);
    packet = whole;
    packet.data[header + 2] |= 0x80; /* a wrong first bit of the tile */
    assert_int_equal(shown(&packet, size), -1);
    packet = make_packet("hs", 1);
    packet.data[packet.bits / 8 - 2] ^= 0x20; /* the index states a frame longer than the packet */
    assert_int_equal(shown(&packet, packet.bits / 8), -1);
    packet.data[packet.bits / 8 - 2] = 0; /* the index states an empty frame */
    assert_int_equal(shown(&packet, packet.bits / 8), -1);
}
