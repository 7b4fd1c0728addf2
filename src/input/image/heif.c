#include "input/image/heif.h"

#include <string.h>

#include "base/bytes.h"
#include "os/memory.h"

/* Limits of the work that a damaged file can cause. */
/* maximum bytes of the box that describes pictures; hundreds of tiles need less */
#define MOST_META ((uint32_t)1 << 16)
#define MOST_PROPERTIES 255 /* maximum number of properties of a file */
#define MOST_AUXILIARY 16   /* maximum number of auxiliary pictures that are examined */

/* Bytes that are read from the beginning. Reading beyond the end returns 0 and sets `lacks`. */
typedef struct Bytes {
    const uint8_t *at, *end;
    bool lacks;
} Bytes;

static uint32_t number(Bytes *bytes, int size)
{
    uint32_t value = 0;
    if (bytes->end - bytes->at < size) {
        bytes->lacks = true;
        return 0;
    }
    for (int i = 0; i < size; i++)
        value = value << 8 | *bytes->at++;
    return value;
}

/* Reads the next box inside a box: its type, and its content after the head. */
static bool next_box(Bytes *inside, char type[5], Bytes *content)
{
    const uint8_t *first = inside->at;
    const uint32_t size = number(inside, 4);
    if (inside->end - inside->at < 4 || size < 8 || (int64_t)size > inside->end - first)
        return false;
    memcpy(type, inside->at, 4);
    type[4] = '\0';
    *content = (Bytes){inside->at + 4, first + size, false};
    inside->at = first + size;
    return true;
}

/* Finds the first box of a type. False: there is none. */
static bool find_box(Bytes inside, const char *wanted, Bytes *content)
{
    char type[5];
    while (next_box(&inside, type, content))
        if (!strcmp(type, wanted))
            return true;
    return false;
}

/* Finds property number `index`, counted from 1, in the list of properties to which items refer. */
static bool property(const Bytes *properties, uint32_t index, char type[5], Bytes *content)
{
    Bytes inside = *properties;
    for (uint32_t i = 1; i <= MOST_PROPERTIES && next_box(&inside, type, content); i++)
        if (i == index)
            return true;
    return false;
}

static bool is_alpha(const Bytes *content)
{
    static const char *const names[] = {"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", "urn:mpeg:hevc:2015:auxid:1"};
    const size_t left = (size_t)(content->end - content->at);
    for (int i = 0; i < 2; i++) /* the name follows 4 bytes of version and flags */
        if (left >= 4 + strlen(names[i]) && !memcmp(content->at + 4, names[i], strlen(names[i])))
            return true;
    return false;
}

/*
 * Adds a rotation by quarter turns. Players rotate first and then mirror left to right, whereas a file may state both
 * in any order.
 */
static void turn(FvOrientation *orientation, int counterclockwise)
{
    const int quarter = orientation->mirrored ? 90 : 270;
    orientation->rotation = (orientation->rotation + quarter * counterclockwise) % 360;
}

/*
 * Adds a mirror operation. Axis 0 exchanges top and bottom, which equals half a turn and a mirror from left to right.
 */
static void mirror_axis(FvOrientation *orientation, int axis)
{
    orientation->rotation = (orientation->rotation + (axis ? 0 : 180)) % 360;
    orientation->mirrored = !orientation->mirrored;
}

static void take_property(FvHeif *heif, const char *type, Bytes content)
{
    if (!strcmp(type, "irot"))
        turn(&heif->orientation, (int)number(&content, 1) & 3);
    else if (!strcmp(type, "imir"))
        mirror_axis(&heif->orientation, (int)number(&content, 1) & 1);
    else if (!strcmp(type, "clap"))
        heif->cropped = true;
}

/* Records the properties of the primary item. For another item, returns whether it is alpha. */
static bool take_properties(FvHeif *heif, const Bytes *properties, Bytes lists, uint32_t item, bool primary)
{
    const uint32_t head = number(&lists, 4), version = head >> 24, wide = head & 1;
    bool alpha = false;
    for (uint32_t left = number(&lists, 4); left && !lists.lacks; left--) {
        const uint32_t own = number(&lists, version ? 4 : 2);
        for (uint32_t count = number(&lists, 1); count && !lists.lacks; count--) {
            const uint32_t index = number(&lists, wide ? 2 : 1) & (wide ? 0x7fff : 0x7f);
            char type[5];
            Bytes content;
            if (own != item || !property(properties, index, type, &content))
                continue;
            if (primary)
                take_property(heif, type, content);
            else
                alpha = alpha || (!strcmp(type, "auxC") && is_alpha(&content));
        }
    }
    return alpha;
}

/* Returns whether an auxiliary picture of this item is its alpha. */
static bool has_alpha(FvHeif *heif, Bytes references, const Bytes *properties, const Bytes *lists, uint32_t item)
{
    const int size = number(&references, 4) >> 24 ? 4 : 2;
    int auxiliary = 0;
    char type[5];
    Bytes content;
    while (auxiliary < MOST_AUXILIARY && next_box(&references, type, &content)) {
        if (strcmp(type, "auxl") != 0)
            continue;
        const uint32_t from = number(&content, size);
        bool of_item = false;
        for (uint32_t left = number(&content, 2); left && !content.lacks; left--)
            of_item = number(&content, size) == item || of_item;
        if (of_item && take_properties(heif, properties, *lists, from, false))
            return true;
        auxiliary++;
    }
    return false;
}

static bool is_grid(Bytes infos, uint32_t item)
{
    char type[5];
    Bytes content;
    number(&infos, number(&infos, 4) >> 24 ? 4 : 2);
    while (next_box(&infos, type, &content)) {
        const uint32_t version = number(&content, 4) >> 24;
        if (number(&content, version > 2 ? 4 : 2) != item || version < 2)
            continue;
        number(&content, 2);
        return number(&content, 4) == fv_be32((const uint8_t *)"grid");
    }
    return false;
}

static void read_meta(FvHeif *heif, Bytes meta)
{
    Bytes found, properties, lists, infos, references;
    number(&meta, 4);
    if (!find_box(meta, "pitm", &found) || !find_box(meta, "iprp", &properties))
        return;
    const int size = number(&found, 4) >> 24 ? 4 : 2;
    const uint32_t item = number(&found, size);
    const Bytes both = properties;
    if (!find_box(both, "ipco", &properties) || !find_box(both, "ipma", &lists))
        return;
    take_properties(heif, &properties, lists, item, true);
    heif->tiled = find_box(meta, "iinf", &infos) && is_grid(infos, item);
    heif->alpha = find_box(meta, "iref", &references) && has_alpha(heif, references, &properties, &lists, item);
}

void fv_heif_read(FvHeif *heif, const FvStream *stream)
{
    uint8_t head[8];
    *heif = (FvHeif){.alpha = false};
    if (stream->waits || !fv_stream_get(stream, 0, head, sizeof head) || memcmp(head + 4, "ftyp", 4) != 0)
        return;
    const uint32_t front = fv_be32(head);
    if (!fv_stream_get(stream, front, head, sizeof head) || memcmp(head + 4, "meta", 4) != 0)
        return;
    const uint32_t size = fv_be32(head) - (uint32_t)sizeof head;
    uint8_t *bytes = size <= MOST_META ? fv_alloc(size) : NULL;
    if (bytes && fv_stream_get(stream, front + (int64_t)sizeof head, bytes, size))
        read_meta(heif, (Bytes){bytes, bytes + size, false});
    fv_free(bytes);
}
