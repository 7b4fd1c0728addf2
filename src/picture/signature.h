/* What a frame looks like from afar: means of luma in 32 by 18 blocks, on a scale of 16 bits. docs/alignment.md */
#ifndef FV_PICTURE_SIGNATURE_H
#define FV_PICTURE_SIGNATURE_H

#include "fovea/fovea.h"

#define FV_SIGNATURE_COLUMNS 32
#define FV_SIGNATURE_ROWS 18
#define FV_SIGNATURE (FV_SIGNATURE_COLUMNS * FV_SIGNATURE_ROWS)
#define FV_SIGNATURE_QUIET (FV_SIGNATURE * 16) /* distance of a sixteenth of an 8-bit code in each block */

/* Of a frame of at least 32x18 that the host can read. */
void fv_signature_make(int32_t signature[FV_SIGNATURE], const FvFrame *frame);

/*
 * The same in parts, in any order: adds rows [first, end) of plane 0 of the frame to the sums of the blocks, which
 * are zero at first, and makes the signature of the sums of all rows.
 */
void fv_signature_add(uint64_t sums[FV_SIGNATURE], const FvFrame *frame, int first, int end);
void fv_signature_end(int32_t signature[FV_SIGNATURE], const FvFormat *format, const uint64_t sums[FV_SIGNATURE]);

/* The same of luma that is part of a frame, and whose samples stand for others. */
typedef struct FvLuma {
    const uint8_t *data;
    ptrdiff_t stride; /* bytes */
    int width, height;
    int bytes;             /* of a sample */
    int depth;             /* of what samples stand for: */
    int shift;             /* multiplied by 2^shift, */
    const uint16_t *table; /* or, when not NULL, those of the table */
} FvLuma;
void fv_signature_make_luma(int32_t signature[FV_SIGNATURE], const FvLuma *luma);

/* Sum of absolute differences. */
int32_t fv_signature_distance(const int32_t a[FV_SIGNATURE], const int32_t b[FV_SIGNATURE]);

#endif
