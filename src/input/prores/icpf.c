/* Reads consecutive ProRes frames without a container: each begins with its size and "icpf". docs/decoders.md */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "input/prores/prores.h"
#include "os/memory.h"

#define SIGNATURE 8     /* bytes before a frame: its size and "icpf" */
#define CHUNK (1 << 20) /* maximum number of bytes that are allocated before they have been read */

typedef struct Icpf {
    FvProresInput *prores;
    uint8_t *packet;
    size_t size, room;
    bool waiting; /* `packet` is the first one: it was read to learn the format, and not delivered yet */
} Icpf;

static bool probe(const FvSource *source)
{
    return source->stream.filled >= SIGNATURE && !memcmp(source->stream.buffer + 4, "icpf", 4);
}

static bool grow_buffer(Icpf *icpf, size_t room)
{
    if (room <= icpf->room)
        return true;
    uint8_t *packet = realloc(icpf->packet, room);
    if (!packet)
        return false;
    icpf->packet = packet;
    icpf->room = room;
    return true;
}

/* Appends `bytes` bytes to the packet, fewer when the stream ends. */
static FvStatus append(FvSource *source, size_t bytes, FvError *error)
{
    Icpf *icpf = source->state;
    for (size_t got = 1; bytes && got; bytes -= got) {
        size_t step = bytes < CHUNK ? bytes : CHUNK;
        if (!grow_buffer(icpf, icpf->size + step))
            return fv_fail_memory(error, icpf->size + step);
        FvStatus status = fv_stream_read(&source->stream, icpf->packet + icpf->size, step, &got, error);
        if (status)
            return status;
        icpf->size += got;
    }
    return FV_OK;
}

static FvStatus read_packet(FvSource *source, FvError *error)
{
    Icpf *icpf = source->state;
    icpf->size = 0;
    FvStatus status = append(source, SIGNATURE, error);
    if (status || !icpf->size)
        return status ? status : FV_END;
    size_t size = icpf->size == SIGNATURE ? fv_be32(icpf->packet) : 0;
    if (size < SIGNATURE || memcmp(icpf->packet + 4, "icpf", 4))
        return fv_fail(error, FV_FAIL_DAMAGED,
                       "%s: frame %" PRId64
                       " is not a ProRes frame, so the file is damaged from there on; score the frames before it",
                       source->info.path, source->next);
    status = append(source, size - SIGNATURE, error);
    if (!status && icpf->size < size)
        status = fv_fail(error, FV_FAIL_CUT_SHORT,
                         "%s: frame %" PRId64 " should have %zu bytes, but the file ends after %zu",
                         source->info.path, source->next, size, icpf->size);
    return status;
}

/* Opens a file. The file does not state its depth, which is 10 bits unless the caller gives another. */
static FvStatus open_reader(FvSource *source, const FvSourceParams *params, FvError *error)
{
    int depth = params->raw.depth ? params->raw.depth : 10;
    if (depth != 10 && depth != 12)
        return fv_fail(error, FV_ERROR_USAGE, "%s: ProRes has 10 or 12 bits, not %d", source->info.path, depth);
    Icpf *icpf = source->state = fv_alloc_zero(sizeof *icpf);
    if (!icpf)
        return fv_fail_memory(error, sizeof *icpf);
    FvStatus status = fv_prores_input_open(&icpf->prores, params, depth, error);
    if (!status)
        status = read_packet(source, error);
    if (!status)
        status = fv_prores_input_describe(icpf->prores, source, icpf->packet, icpf->size, error);
    icpf->waiting = true;
    source->info.container = "icpf";
    source->info.frames = -1;
    return status;
}

/* Returns the bytes of the next packet if a regular file has all of it; else 0. */
static size_t size_ahead(const FvSource *source)
{
    const FvStream *stream = &source->stream;
    const int64_t at = fv_stream_position(stream);
    uint8_t head[SIGNATURE];
    if (stream->waits || !fv_stream_get(stream, at, head, sizeof head) || memcmp(head + 4, "icpf", 4))
        return 0;
    const size_t size = fv_be32(head);
    return size >= SIGNATURE && (int64_t)size <= stream->size - at ? size : 0;
}

/* Reads the next packet into memory of the device. After a failure read_packet() finds what is wrong with it. */
static bool load_packet(FvSource *source, FvPacketMemory *memory, size_t *size)
{
    Icpf *icpf = source->state;
    const int64_t at = fv_stream_position(&source->stream);
    size_t got = 0;
    FvError ignored;
    *size = size_ahead(source);
    if (!*size || fv_prores_input_load(icpf->prores, source, at, *size, memory, &got, &ignored) || got < *size)
        return false;
    fv_stream_seek(&source->stream, at + (int64_t)*size);
    return true;
}

static FvStatus read_frame(FvSource *source, FvFrame **frame, FvError *error)
{
    Icpf *icpf = source->state;
    FvPacketMemory memory;
    size_t size;
    const bool hands = fv_source_hands_packet(source);
    if (hands && !icpf->waiting && load_packet(source, &memory, &size))
        return fv_prores_input_hand(icpf->prores, source, &memory, size, frame, error);
    FvStatus status = icpf->waiting ? FV_OK : read_packet(source, error);
    icpf->waiting = false;
    if (status || !hands)
        return status ? status : fv_prores_input_read(icpf->prores, source, icpf->packet, icpf->size, frame, error);
    uint8_t *packet = icpf->packet;
    icpf->packet = NULL;
    icpf->room = 0;
    return fv_prores_input_hand(icpf->prores, source,
                                &(FvPacketMemory){.bytes = packet, .release = free, .opaque = packet}, icpf->size,
                                frame, error);
}

static FvStatus pass_frame(FvSource *source, FvFrame **frame, FvError *error)
{
    Icpf *icpf = source->state;
    const size_t size = icpf->waiting ? 0 : size_ahead(source);
    if (size)
        fv_stream_seek(&source->stream, fv_stream_position(&source->stream) + (int64_t)size);
    FvStatus status = size || icpf->waiting ? FV_OK : read_packet(source, error);
    icpf->waiting = false;
    source->undecoded += !status;
    return status ? status : fv_frame_skip_decoding(frame, &source->info.format, error);
}

static void close_reader(FvSource *source)
{
    Icpf *icpf = source->state;
    if (!icpf)
        return;
    fv_prores_input_close(&icpf->prores);
    free(icpf->packet);
    fv_free(icpf);
}

/* Makes the index by following the sizes that precede the frames. */
static FvStatus make_index(FvSource *source, FvError *error)
{
    FvNumbers places = {.count = 0};
    FvStatus status = FV_OK;
    for (int64_t at = 0; at < source->stream.size && !status;) {
        uint8_t head[SIGNATURE];
        size_t got = 0;
        status = fv_stream_read_at(&source->stream, at, head, sizeof head, sizeof head, 1, &got, error);
        const int64_t size = got == sizeof head ? (int64_t)fv_be32(head) : 0;
        if (!status && (size < SIGNATURE || memcmp(head + 4, "icpf", 4) || size > source->stream.size - at))
            status = fv_fail(error, FV_FAIL_CUT_SHORT,
                             "%s: frame %" PRId64
                             " is not a ProRes frame, or the file ends within it; score the frames before it",
                             source->info.path, places.count);
        if (!status && !fv_numbers_add(&places, at))
            status = fv_fail_memory(error, (size_t)places.room * sizeof at);
        at += size;
    }
    source->index.place = places.item;
    source->index.shown.frames = places.count;
    return status;
}

static FvStatus seek(FvSource *source, int64_t frame, FvError *error)
{
    ((Icpf *)source->state)->waiting = false;
    fv_stream_seek(&source->stream, source->index.place[frame]);
    source->next = frame;
    return FV_OK;
}

const FvSourceOps fv_source_icpf = {"icpf", probe, open_reader, read_frame, close_reader, make_index,
                                    seek,   NULL,  NULL,        NULL,       pass_frame,   NULL};
