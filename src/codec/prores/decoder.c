/* Decodes packets to frames. Each job of the workers is one row of slices. */
#include "codec/prores/prores.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <string.h>

#include "arith/scalar.h"

#include "arith/prores.h"
#include "base/bytes.h"
#include "base/error.h"
#include "codec/prores/slice.h"
#include "cpu/prores.h"
#include "os/memory.h"
#include "os/workers.h"

#define BATCH 2 /* number of slices whose strings are decoded together */

/* The working memory of one worker. */
typedef struct Scratch {
    int16_t coefficients[3 * BATCH][FV_PRORES_STRING_WORDS];
    uint16_t alpha[16 * 128];
} Scratch;

struct FvProresDecoder {
    const FvProresKernels *kernels;
    FvWorkers *workers;
    Scratch *scratch;
    uint32_t *offsets; /* offset of each slice in the packet, then the end of the last */
    size_t offset_room;
};

typedef struct Job {
    FvProresDecoder *decoder;
    const FvProresHeader *header;
    const FvProresPicture *picture;
    const uint8_t *packet, *end;
    FvFrame *frame, *alpha;
    atomic_int damaged;
} Job;

/* The place in a frame of one component of a slice. */
typedef struct Place {
    uint8_t *to;
    ptrdiff_t stride;
    int width, rows;
} Place;

static Place place_of(const Job *job, const FvFrame *frame, int plane, int row, int macroblock, int log2_macroblocks)
{
    int half = plane && frame->format.chroma == FV_CHROMA_422;
    int step = job->header->interlaced ? 2 : 1, first = 16 * row * step + job->picture->field;
    int visible = (frame->format.height - first + step - 1) / step;
    return (Place){
        .to = frame->data[plane] + first * frame->stride[plane] + 2 * ((16 >> half) * macroblock),
        .stride = frame->stride[plane] * step,
        .width = (16 >> half) << log2_macroblocks,
        .rows = visible < 0    ? 0
                : visible < 16 ? visible
                               : 16,
    };
}

static void fill_block(Place place, int sample)
{
    for (int y = 0; y < place.rows; y++)
        for (int x = 0; x < place.width; x++)
            ((uint16_t *)(place.to + y * place.stride))[x] = (uint16_t)sample;
}

static void store_alpha(Place place, const uint16_t *samples)
{
    for (int y = 0; y < place.rows; y++)
        memcpy(place.to + y * place.stride, samples + y * place.width, 2 * (size_t)place.width);
}

/* Returns the scan index of the last coefficient, after which the transform reads none. */
static int last_index(const FvProresString *string)
{
    return string->position >> string->log2_blocks;
}

static void transform(const Job *job, const FvProresSlice *slice, int plane, const FvProresString *string,
                      Place place)
{
    job->decoder->kernels->transform(&(FvProresBlocks){
        .coefficients = string->coefficients,
        .log2_blocks = string->log2_blocks,
        .last = last_index(string),
        .quantiser = job->header->quantiser[plane != 0],
        .scale = slice->scale,
        .scan = fv_prores_scan_index + (job->header->interlaced ? 64 : 0),
        .depth = job->header->format.depth,
        .plane = plane,
        .to = place.to,
        .stride = place.stride,
        .rows = place.rows,
    });
}

static FvProresString string_of(const Job *job, const uint8_t *data, const FvProresSlice *slice, int component)
{
    return (FvProresString){
        .data = data + slice->offset[component], .end = job->end, .bits = 8 * slice->bytes[component]};
}

/* Decodes slices first to first + count - 1 of one row, count at most BATCH; returns the number of damaged ones. */
static int decode_slices(const Job *job, Scratch *scratch, int row, int first, int count)
{
    const FvProresHeader *header = job->header;
    const FvProresPicture *picture = job->picture;
    const uint32_t *offsets = job->decoder->offsets + row * picture->slices_per_row + first;
    FvProresSlice slices[BATCH];
    FvProresString strings[3 * BATCH];
    bool fits[BATCH];
    int used = 0, of[BATCH][3], damaged = 0;
    for (int i = 0; i < count; i++)
        fits[i] = fv_prores_parse_slice(&slices[i], job->packet + offsets[i], offsets[i + 1] - offsets[i]);
    for (int plane = 0; plane < 3; plane++)
        for (int i = 0; i < count; i++) {
            of[i][plane] = -1;
            if (!fits[i] || (plane && slices[i].bytes[1] + slices[i].bytes[2] == 0))
                continue;
            FvProresString *string = &strings[of[i][plane] = used];
            *string = string_of(job, job->packet + offsets[i], &slices[i], plane);
            string->log2_blocks = fv_prores_slice_log2(header->columns, picture->log2_slice, first + i) +
                                  (plane && header->format.chroma == FV_CHROMA_422 ? 1 : 2);
            string->coefficients = scratch->coefficients[used++];
            memset(string->coefficients, 0, (size_t)128 << string->log2_blocks);
        }
    job->decoder->kernels->entropy(strings, used);
    for (int i = 0; i < count; i++) {
        int macroblock = fv_prores_slice_first(header->columns, picture->log2_slice, first + i);
        int log2 = fv_prores_slice_log2(header->columns, picture->log2_slice, first + i);
        /* false: damage was found; later components of the slice then count as damaged too */
        bool good = fits[i];
        for (int plane = 0; plane < 3; plane++) {
            Place place = place_of(job, job->frame, plane, row, macroblock, log2);
            const FvProresString *string = of[i][plane] < 0 ? NULL : &strings[of[i][plane]];
            good = good && !(string && string->damaged);
            if (good && string)
                transform(job, &slices[i], plane, string, place);
            else
                fill_block(place, good ? fv_prores_grey(header->format.depth) : 0);
        }
        if (job->alpha && header->alpha_bits) {
            Place place = place_of(job, job->alpha, 0, row, macroblock, log2);
            if (good && slices[i].bytes[3]) {
                FvProresString string = string_of(job, job->packet + offsets[i], &slices[i], 3);
                fv_prores_read_alpha(&string, log2, header->alpha_bits, header->format.depth, scratch->alpha);
                store_alpha(place, scratch->alpha);
            } else
                fill_block(place, 0);
        }
        damaged += !good;
    }
    return damaged;
}

static void decode_row(void *opaque, int row, int worker)
{
    Job *job = opaque;
    int damaged = 0, slices = job->picture->slices_per_row;
    for (int k = 0; k < slices; k += BATCH)
        damaged +=
            decode_slices(job, &job->decoder->scratch[worker], row, k, slices - k < BATCH ? slices - k : BATCH);
    atomic_fetch_add_explicit(&job->damaged, damaged, memory_order_relaxed);
}

static FvStatus find_slices(FvProresDecoder *decoder, const FvProresPicture *picture, const uint8_t *packet,
                            FvError *error)
{
    size_t needed = (size_t)picture->slices + 1;
    if (needed > decoder->offset_room) {
        fv_free(decoder->offsets);
        decoder->offset_room = 0;
        decoder->offsets = fv_alloc(needed * sizeof *decoder->offsets);
        if (!decoder->offsets)
            return fv_fail_memory(error, needed * sizeof *decoder->offsets);
        decoder->offset_room = needed;
    }
    uint32_t offset = decoder->offsets[0] = picture->data;
    for (int i = 0; i < picture->slices; i++)
        decoder->offsets[i + 1] = offset += (uint32_t)fv_be16(packet + picture->table + 2 * (size_t)i);
    return FV_OK;
}

static void clear_field(FvFrame *frame, int field)
{
    for (int plane = 0; plane < fv_format_planes(&frame->format); plane++) {
        int width, height;
        fv_format_plane_size(&frame->format, plane, &width, &height);
        for (int y = field; y < height; y += 2)
            memset(frame->data[plane] + y * frame->stride[plane], 0, 2 * (size_t)width);
    }
}

FvStatus fv_prores_decode(FvProresDecoder *decoder, const FvProresHeader *header, const uint8_t *packet, size_t size,
                          FvFrame *frame, FvFrame *alpha, FvProresDamage *damage, FvError *error)
{
    *damage = (FvProresDamage){.field_missing = header->interlaced && header->pictures == 1};
    for (int i = 0; i < header->pictures; i++) {
        const FvProresPicture *picture = &header->picture[i];
        FvStatus status = find_slices(decoder, picture, packet, error);
        if (status)
            return status;
        Job job = {decoder, header, picture, packet, packet + size, frame, alpha, 0};
        fv_workers_run(decoder->workers, picture->rows, decode_row, &job);
        damage->slices += picture->slices;
        damage->damaged += job.damaged;
        if (job.damaged == picture->slices)
            return fv_prores_fail_picture(picture->slices, error);
    }
    if (damage->field_missing) {
        clear_field(frame, !header->picture[0].field);
        if (alpha && header->alpha_bits)
            clear_field(alpha, !header->picture[0].field);
    }
    return FV_OK;
}

FvStatus fv_prores_open(FvProresDecoder **decoder, FvIsa isa, int threads, FvError *error)
{
    FvProresDecoder *d = *decoder = fv_alloc_zero(sizeof *d);
    if (!d)
        return fv_fail_memory(error, sizeof *d);
    d->kernels = fv_prores_kernels(isa);
    FvStatus status = fv_workers_open(&d->workers, threads, error);
    d->scratch = status ? NULL : fv_alloc_zero((size_t)threads * sizeof *d->scratch);
    if (!status && !d->scratch)
        status = fv_fail_memory(error, (size_t)threads * sizeof *d->scratch);
    if (status)
        fv_prores_close(decoder);
    return status;
}

void fv_prores_close(FvProresDecoder **decoder)
{
    FvProresDecoder *d = *decoder;
    *decoder = NULL;
    if (!d)
        return;
    fv_workers_close(&d->workers);
    fv_free(d->scratch);
    fv_free(d->offsets);
    fv_free(d);
}

FvStatus fv_prores_fail_damaged(const char *path, int64_t number, int damaged, int slices, FvError *error)
{
    return fv_fail(error, FV_FAIL_DAMAGED,
                   "%s: frame %" PRId64 ": %d of %d slices are damaged; 'fovea decode' shows the others", path,
                   number, damaged, slices);
}

FvStatus fv_prores_fail_picture(int slices, FvError *error)
{
    return fv_fail(error, FV_FAIL_DAMAGED, "ProRes: all %d slices of a picture are damaged", slices);
}

void fv_prores_let_go(FvProresPacket *packet)
{
    if (packet->memory.release)
        packet->memory.release(packet->memory.opaque);
    packet->memory = (FvPacketMemory){0};
}

FvStatus fv_prores_check_packet(const FvProresPacket *packet, FvError *error)
{
    int slices = 0, damaged = 0;
    for (int i = 0; i < packet->header.pictures; i++) {
        const int all = packet->header.picture[i].slices;
        FvError detail;
        if (packet->damaged[i] == all && fv_prores_fail_picture(all, &detail))
            return fv_fail(error, fv_failure_of(&detail), "%s: frame %" PRId64 ": %s", packet->path, packet->number,
                           detail.message);
        slices += all;
        damaged += packet->damaged[i];
    }
    return damaged ? fv_prores_fail_damaged(packet->path, packet->number, damaged, slices, error) : FV_OK;
}
