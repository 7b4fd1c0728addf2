/*
 * ProRes decoder (SMPTE RDD 36), every profile, bit-exact with FFmpeg 5.1. docs/decoders.md
 *
 * A packet is one frame. fv_prores_parse() checks every size and offset outside the slices before the caller
 * allocates frames; fv_prores_decode() then fills frames of the format in the header. Neither reads a byte after the
 * packet.
 */
#pragma once

#include "base/isa.h"
#include "fovea/fovea.h"
#include "picture/packet_memory.h"
#include "picture/signature.h"

#define FV_PRORES_MAX_SIDE 16384

/* One picture of a frame: the frame itself, or one of two fields. */
typedef struct FvProresPicture {
    int field;      /* first row in the frame: 0, or 1 for the bottom field */
    int log2_slice; /* log2 of the number of macroblocks of a full slice, 0..3 */
    int slices_per_row, rows, slices;
    uint32_t table; /* offset of the slice table in the packet: a 16-bit size for each slice */
    uint32_t data;  /* offset of the first slice; the others follow without gaps */
} FvProresPicture;

typedef struct FvProresHeader {
    FvFormat format; /* format of the frame; its rate is that of the frame header, 0/0: not stated */
    int alpha_bits;  /* bits of a coded alpha sample: 8 or 16; 0: no alpha */
    bool interlaced, bottom_first;
    int columns;                     /* number of macroblocks in a row */
    int primaries, transfer, matrix; /* ITU-T H.273 code points */
    uint8_t quantiser[2][64];        /* [0] luma, [1] chroma; raster order */
    int pictures;                    /* 1 or 2; an interlaced frame with 1 lacks its second field */
    FvProresPicture picture[2];
} FvProresHeader;

/* Parses the headers of a packet. depth: 12 for the codec tags ap4h and ap4x, else 10; packets do not state it. */
FvStatus fv_prores_parse(FvProresHeader *header, const uint8_t *packet, size_t size, int depth, FvError *error);

/* Damage in a decoded frame. Samples of components that could not be decoded are 0. */
typedef struct FvProresDamage {
    int slices, damaged; /* number of slices of the frame, and of damaged ones */
    bool field_missing;  /* an interlaced frame ended after its first field; the samples of the other field are 0 */
} FvProresDamage;

/* A frame that has not been decoded, for devices that decode in their own memory. */
typedef struct FvProresPacket {
    FvProresHeader header;
    FvPacketMemory memory;
    size_t size;
    int64_t number;     /* number of the frame in its source */
    const char *path;   /* path of the source */
    int damaged[2];     /* damaged slices of each picture, once the device has decoded them */
    bool signs;         /* the device must also compute the sampled signature */
    bool has_signature; /* the device has computed the signature */
    int32_t signature[FV_SIGNATURE];
} FvProresPacket;

/* Releases the packet's bytes, but not the packet, after the device has copied them. */
void fv_prores_let_go(FvProresPacket *packet);

typedef struct FvProresDecoder FvProresDecoder;

/* Opens a decoder. threads: number of threads including the caller's, at least 1. */
FvStatus fv_prores_open(FvProresDecoder **decoder, FvIsa isa, int threads, FvError *error);

/*
 * Decodes a packet to `frame`, which has header->format, and to `alpha`, which is NULL or a 4:0:0 frame of the same
 * size and depth. A packet without alpha leaves `alpha` unchanged. FV_ERROR_INPUT: every slice of a picture is
 * damaged.
 */
FvStatus fv_prores_decode(FvProresDecoder *decoder, const FvProresHeader *header, const uint8_t *packet, size_t size,
                          FvFrame *frame, FvFrame *alpha, FvProresDamage *damage, FvError *error);

void fv_prores_close(FvProresDecoder **decoder);

/* Fails with FV_ERROR_INPUT because a frame has `damaged` damaged slices. */
FvStatus fv_prores_fail_damaged(const char *path, int64_t number, int damaged, int slices, FvError *error);

/* Fails with FV_ERROR_INPUT because all slices of a picture are damaged. */
FvStatus fv_prores_fail_picture(int slices, FvError *error);

/* Fails as fv_prores_fail_picture() or fv_prores_fail_damaged() do if a device found damaged slices in the packet. */
FvStatus fv_prores_check_packet(const FvProresPacket *packet, FvError *error);
