/*
 * ProRes decoder (SMPTE RDD 36), every profile, bit-exact with FFmpeg 5.1. docs/prores.md
 *
 * A packet is one frame. fv_prores_parse() checks every size and offset outside the slices before anything is
 * allocated; fv_prores_decode() then fills frames of the format it found. No byte after the packet is read.
 */
#ifndef FV_CODEC_PRORES_H
#define FV_CODEC_PRORES_H

#include "fovea/fovea.h"
#include "base/isa.h"
#include "picture/packet_memory.h"

#define FV_PRORES_MAX_SIDE 16384

/* One picture of a frame: the frame itself, or one of two fields. */
typedef struct FvProresPicture {
    int field;      /* first row in the frame: 0, or 1 for the bottom field */
    int log2_slice; /* log2 of the macroblocks of a whole slice, 0..3 */
    int slices_per_row, rows, slices;
    uint32_t table; /* offset of the slice table in the packet: a 16-bit size for each slice */
    uint32_t data;  /* offset of the first slice; the others follow without gaps */
} FvProresPicture;

typedef struct FvProresHeader {
    FvFormat format; /* rate as the frame header says, or 0/0 when it says none */
    int alpha_bits;  /* 0: no alpha, 8, 16 */
    bool interlaced, bottom_first;
    int columns;                     /* macroblocks in a row */
    int primaries, transfer, matrix; /* ITU-T H.273 code points */
    uint8_t quantiser[2][64];        /* luma, chroma; raster order */
    int pictures;                    /* 1 or 2; an interlaced frame with 1 lacks its second field */
    FvProresPicture picture[2];
} FvProresHeader;

/* depth: 10, or 12 for the codes ap4h and ap4x, the only thing a frame does not say itself. */
FvStatus fv_prores_parse(FvProresHeader *header, const uint8_t *packet, size_t size, int depth, FvError *error);

/* What had to be concealed: samples of components that could not be decoded are 0. */
typedef struct FvProresDamage {
    int slices, damaged; /* of the whole frame */
    bool field_missing;  /* an interlaced frame ended after its first field; the other one is 0 */
} FvProresDamage;

/* A frame that is still a packet, for devices that decode it in their own memory. */
typedef struct FvProresPacket {
    FvProresHeader header;
    FvPacketMemory memory;
    size_t size;
    int64_t number;   /* of the frame in its source */
    const char *path; /* of the source */
    int damaged[2];   /* slices of each picture, once the device has decoded it */
} FvProresPacket;

/* Gives the bytes back before the rest of the packet: the device has them. */
void fv_prores_let_go(FvProresPacket *packet);

typedef struct FvProresDecoder FvProresDecoder;

/* threads: at least 1, the caller's included. */
FvStatus fv_prores_open(FvProresDecoder **decoder, FvIsa isa, int threads, FvError *error);

/*
 * Fills frame, which has header->format, and alpha, a 4:0:0 frame of the same size and depth, unless NULL. A
 * frame without alpha leaves `alpha` alone. FV_ERROR_INPUT when every slice of a picture is damaged.
 */
FvStatus fv_prores_decode(FvProresDecoder *decoder, const FvProresHeader *header, const uint8_t *packet, size_t size,
                          FvFrame *frame, FvFrame *alpha, FvProresDamage *damage, FvError *error);

void fv_prores_close(FvProresDecoder **decoder);

/* Refuses a frame of which this many slices are damaged. */
FvStatus fv_prores_fail_damaged(const char *path, int64_t number, int damaged, int slices, FvError *error);

/* The same for a frame of which a whole picture is damaged. */
FvStatus fv_prores_fail_picture(int slices, FvError *error);

/* Refuses a packet that a device has decoded, with the same words, when anything of it is damaged. */
FvStatus fv_prores_check_packet(const FvProresPacket *packet, FvError *error);

#endif
