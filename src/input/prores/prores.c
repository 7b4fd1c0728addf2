#include "input/prores/prores.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "input/prores/pieces.h"
#include "os/memory.h"
#include "os/processors.h"

/* maximum number of threads; more do not pay off, because they divide the rows of one frame */
#define MOST_THREADS 16

struct FvProresInput {
    FvProresDecoder *decoder;
    int depth;
    bool conceal, wants_alpha;
    FvFormat format;
    int alpha_bits;
    FvFramePool *alpha_pool;
    int asked;        /* number of threads, as the caller requested; 0: no request */
    FvPieces *pieces; /* reads packets; NULL before the first one */
};

static int choose_threads(int asked)
{
    const int processors = fv_processors();
    return asked ? asked : processors < MOST_THREADS ? processors : MOST_THREADS;
}

FvStatus fv_prores_input_open(FvProresInput **input, const FvSourceParams *params, int depth, FvError *error)
{
    FvProresInput *opening = *input = fv_alloc_zero(sizeof *opening);
    if (!opening)
        return fv_fail_memory(error, sizeof *opening);
    opening->depth = depth;
    opening->conceal = params->conceal;
    opening->wants_alpha = params->alpha;
    opening->asked = params->threads;
    FvStatus status = fv_prores_open(&opening->decoder, fv_isa_best(), choose_threads(params->threads), error);
    if (status)
        fv_prores_input_close(input);
    return status;
}

static FvStatus fail_frame(const FvSource *source, const FvError *detail, FvError *error)
{
    return fv_fail(error, fv_failure_of(detail), "%s: frame %" PRId64 ": %s", source->info.path, source->next,
                   detail->message);
}

FvStatus fv_prores_input_describe(FvProresInput *input, FvSource *source, const uint8_t *packet, size_t size,
                                  FvError *error)
{
    FvProresHeader header;
    FvError detail = {0};
    if (fv_prores_parse(&header, packet, size, input->depth, &detail))
        return fail_frame(source, &detail, error);
    input->format = header.format;
    input->alpha_bits = header.alpha_bits;
    source->prores = input;
    source->conceals = input->conceal;
    source->info.codec = "prores";
    source->info.format = header.format;
    source->info.alpha = header.alpha_bits != 0;
    source->info.fields = !header.interlaced    ? FV_FIELDS_PROGRESSIVE
                          : header.bottom_first ? FV_FIELDS_BOTTOM_FIRST
                                                : FV_FIELDS_TOP_FIRST;
    if (!header.alpha_bits || !input->wants_alpha)
        return FV_OK;
    FvFormat alpha = header.format;
    alpha.chroma = FV_CHROMA_400;
    return fv_frame_pool_open(&input->alpha_pool, &alpha, error);
}

static FvStatus check_same(const FvProresInput *input, const FvSource *source, const FvProresHeader *header,
                           FvError *error)
{
    char now[128], before[128];
    if (!fv_format_same_shape(&header->format, &input->format))
        return fv_fail(error, FV_ERROR_INPUT,
                       "%s: frame %" PRId64 " is %s, but the first frame is %s; split the file there",
                       source->info.path, source->next, fv_format_describe(&header->format, now, sizeof now),
                       fv_format_describe(&input->format, before, sizeof before));
    if (input->alpha_pool && !header->alpha_bits)
        return fv_fail(error, FV_ERROR_INPUT,
                       "%s: frame %" PRId64 " has no alpha, but the first frame has; split the file there",
                       source->info.path, source->next);
    return FV_OK;
}

/*
 * Counts the damaged parts, and refuses a damaged frame unless the caller conceals damage: it must not get a score.
 */
static FvStatus check_damage(const FvProresInput *input, FvSource *source, const FvProresDamage *damage,
                             FvError *error)
{
    source->damaged = damage->damaged + (damage->field_missing ? damage->slices : 0);
    source->parts = damage->slices * (damage->field_missing ? 2 : 1);
    if (!source->damaged || input->conceal)
        return FV_OK;
    if (damage->field_missing)
        return fv_fail(error, FV_ERROR_INPUT,
                       "%s: frame %" PRId64 ": its second field is missing; 'fovea decode' shows "
                       "what is left",
                       source->info.path, source->next);
    return fv_prores_fail_damaged(source->info.path, source->next, damage->damaged, damage->slices, error);
}

/*
 * Makes a frame that replaces a packet which cannot be decoded at all, for the reason `why`: samples of 0, with all
 * parts damaged.
 */
static FvStatus conceal(const FvProresInput *input, FvSource *source, FvFrame **frame, const FvError *why,
                        FvError *error)
{
    FvFrame *made[2] = {NULL, NULL};
    if (!input->conceal || why->status != FV_ERROR_INPUT)
        return fail_frame(source, why, error);
    FvStatus status = fv_frame_pool_get(source->pool, &made[0], error);
    if (!status && input->alpha_pool)
        status = fv_frame_pool_get(input->alpha_pool, &made[1], error);
    for (int i = 0; i < 2 && made[i] && !status; i++)
        for (int plane = 0; plane < fv_format_planes(&made[i]->format); plane++) {
            int width, height;
            fv_format_plane_size(&made[i]->format, plane, &width, &height);
            for (int y = 0; y < height; y++)
                memset(made[i]->data[plane] + y * made[i]->stride[plane], 0,
                       (size_t)width * (size_t)fv_format_sample_bytes(&made[i]->format));
        }
    if (status)
        fv_frame_unref(&made[0]);
    *frame = made[0];
    source->alpha = made[1];
    source->damaged = source->parts = 1;
    return status;
}

FvStatus fv_prores_input_read(FvProresInput *input, FvSource *source, const uint8_t *packet, size_t size,
                              FvFrame **frame, FvError *error)
{
    FvProresHeader header;
    FvProresDamage damage;
    FvError detail = {0};
    fv_frame_unref(&source->alpha);
    if (fv_prores_parse(&header, packet, size, input->depth, &detail))
        return conceal(input, source, frame, &detail, error);
    FvStatus status = check_same(input, source, &header, error);
    if (!status)
        status = fv_frame_pool_get(source->pool, frame, error);
    if (!status && input->alpha_pool)
        status = fv_frame_pool_get(input->alpha_pool, &source->alpha, error);
    if (!status && fv_prores_decode(input->decoder, &header, packet, size, *frame, source->alpha, &damage, &detail)) {
        fv_frame_unref(frame);
        fv_frame_unref(&source->alpha);
        return conceal(input, source, frame, &detail, error);
    }
    if (!status)
        status = check_damage(input, source, &damage, error);
    if (status)
        fv_frame_unref(frame);
    return status;
}

static void release_packet(void *opaque)
{
    FvProresPacket *packet = opaque;
    fv_prores_let_go(packet);
    free((char *)packet->path);
    fv_free(packet);
}

FvStatus fv_prores_input_load(FvProresInput *input, FvSource *source, int64_t position, size_t size,
                              FvPacketMemory *memory, size_t *got, FvError *error)
{
    FvError ignored;
    FvStatus status = input->pieces ? FV_OK : fv_pieces_open(&input->pieces, input->asked, error);
    if (status)
        return status;
    if (!source->services.packets.alloc ||
        source->services.packets.alloc(source->services.packets.opaque, memory, size, &ignored)) {
        uint8_t *bytes = fv_alloc(size);
        if (!bytes)
            return fv_fail_memory(error, size);
        *memory = (FvPacketMemory){.bytes = bytes, .release = fv_free, .opaque = bytes};
    }
    status = fv_pieces_read(input->pieces, &source->stream, position, memory->bytes, size, got, error);
    if (status || *got < size)
        memory->release(memory->opaque);
    return status;
}

FvStatus fv_prores_input_hand(FvProresInput *input, FvSource *source, const FvPacketMemory *memory, size_t size,
                              FvFrame **frame, FvError *error)
{
    FvProresPacket *packet = fv_alloc_zero(sizeof *packet);
    char *path = strdup(source->info.path);
    if (!packet || !path) {
        fv_free(packet);
        free(path);
        memory->release(memory->opaque);
        return fv_fail_memory(error, sizeof *packet);
    }
    *packet = (FvProresPacket){.memory = *memory, .size = size, .number = source->next, .path = path};
    FvFramePlace place = {.packet = packet, .release = release_packet, .opaque = packet};
    FvError detail = {0};
    FvStatus status = FV_OK;
    ptrdiff_t stride[3];
    if (fv_prores_parse(&packet->header, memory->bytes, size, input->depth, &detail)) {
        release_packet(packet);
        return conceal(input, source, frame, &detail, error);
    }
    if (!status)
        status = check_same(input, source, &packet->header, error);
    FvProresDamage none = {.slices = packet->header.picture[0].slices,
                           .field_missing = packet->header.interlaced && packet->header.pictures == 1};
    if (!status)
        status = check_damage(input, source, &none, error);
    if (status) {
        release_packet(packet);
        return status;
    }
    for (int plane = 0; plane < 3; plane++)
        stride[plane] = fv_format_stride(&source->info.format, plane);
    return fv_frame_wrap(frame, &source->info.format, (uint8_t *[3]){0}, stride, &place, error);
}

/* Decodes alpha on the CPU. This also decodes the colour, which is dropped. */
static FvStatus read_alpha(FvProresInput *input, FvSource *source, const FvProresPacket *packet,
                           FvProresDamage *damage, FvError *error)
{
    FvFrame *colour = NULL;
    FvStatus status = fv_frame_pool_get(source->pool, &colour, error);
    if (!status)
        status = fv_frame_pool_get(input->alpha_pool, &source->alpha, error);
    if (!status)
        status = fv_prores_decode(input->decoder, &packet->header, packet->memory.bytes, packet->size, colour,
                                  source->alpha, damage, error);
    fv_frame_unref(&colour);
    return status;
}

FvStatus fv_prores_input_accept(FvProresInput *input, FvSource *source, const FvProresPacket *packet,
                                const int damaged[2], FvFrame **frame, FvError *error)
{
    const FvProresHeader *header = &packet->header;
    FvProresDamage damage = {.field_missing = header->interlaced && header->pictures == 1};
    FvError detail = {0};
    FvStatus status = FV_OK;
    fv_frame_unref(&source->alpha);
    for (int i = 0; i < header->pictures && !status; i++) {
        damage.slices += header->picture[i].slices;
        damage.damaged += damaged[i];
        if (damaged[i] == header->picture[i].slices)
            status = fv_prores_fail_picture(damaged[i], &detail);
    }
    if (!status && input->alpha_pool)
        status = read_alpha(input, source, packet, &damage, &detail);
    if (status)
        fv_frame_unref(&source->alpha);
    return status ? conceal(input, source, frame, &detail, error) : check_damage(input, source, &damage, error);
}

void fv_prores_input_close(FvProresInput **input)
{
    FvProresInput *closing = *input;
    *input = NULL;
    if (!closing)
        return;
    fv_prores_close(&closing->decoder);
    fv_frame_pool_close(&closing->alpha_pool);
    fv_pieces_close(&closing->pieces);
    fv_free(closing);
}
