#include "input/packet/mov_tracks.h"

#include <string.h>

#include "base/bytes.h"

/*
 * maximum number of boxes read at one level; a long recording may have more, but its fragments follow the boxes
 * needed
 */
#define MOST_BOXES 4096

/* Bytes [at, end) of the file, which hold consecutive boxes. */
typedef struct Boxes {
    const FvStream *stream;
    int64_t at, end;
    int looked;
} Boxes;

/* Reads the next box: its type, and its content. False: there is none. */
static bool next_box(Boxes *boxes, char type[5], Boxes *content)
{
    uint8_t head[16];
    if (boxes->end - boxes->at < 8 || boxes->looked++ >= MOST_BOXES ||
        !fv_stream_get(boxes->stream, boxes->at, head, 8))
        return false;
    int64_t size = fv_be32(head), front = 8;
    if (size == 1 && boxes->end - boxes->at >= 16 && fv_stream_get(boxes->stream, boxes->at + 8, head + 8, 8)) {
        size = (int64_t)fv_be(head + 8, 8);
        front = 16;
    }
    if (!size)
        size = boxes->end - boxes->at;
    if (size < front || size > boxes->end - boxes->at)
        return false;
    memcpy(type, head + 4, 4);
    type[4] = '\0';
    *content = (Boxes){boxes->stream, boxes->at + front, boxes->at + size, 0};
    boxes->at += size;
    return true;
}

/* Finds the first box of a type. False: there is none. */
static bool find_box(Boxes inside, const char *wanted, Boxes *content)
{
    char type[5];
    while (next_box(&inside, type, content))
        if (!strcmp(type, wanted))
            return true;
    return false;
}

static bool is_auxiliary(const Boxes *track)
{
    Boxes media, handler, references, found;
    uint8_t type[4];
    if (find_box(*track, "tref", &references) && find_box(references, "auxl", &found))
        return true;
    return find_box(*track, "mdia", &media) && find_box(media, "hdlr", &handler) && handler.end - handler.at >= 12 &&
           fv_stream_get(handler.stream, handler.at + 8, type, 4) && !memcmp(type, "auxv", 4);
}

uint64_t fv_mov_auxiliary_tracks(const FvStream *stream)
{
    Boxes file = {stream, 0, stream->size, 0}, movie, track;
    char type[5];
    uint64_t found = 0;
    if (stream->waits || stream->fd < 0 || !find_box(file, "moov", &movie))
        return 0;
    for (int i = 0; i < 64 && next_box(&movie, type, &track);) {
        if (strcmp(type, "trak") != 0)
            continue;
        if (is_auxiliary(&track))
            found |= (uint64_t)1 << i;
        i++;
    }
    return found;
}
