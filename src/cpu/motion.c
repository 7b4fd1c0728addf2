/*
 * Kernels of VMAF's motion for one instruction set. For samples of up to 14 bits, differences fit 16-bit lanes, and
 * so do most rows after the first blur. A blur is then a few sums of pairs of products. Rows that do not fit, and
 * deeper samples, use lanes of 32 bits.
 */
#include "cpu/motion.h"

#include "cpu/simd.h"
#include "cpu/border.h"

#include "arith/motion.h"

#define STEP (2 * FV_LANES) /* number of 16-bit lanes of a vector */

/* Scratch memory: rows of 16-bit numbers, with room for two mirrored samples before and a vector after them. */
typedef struct Rows {
    int16_t *difference[5]; /* row y is at y % 5 */
    bool zero[5];
    union {
        int16_t *narrow;
        int32_t *wide;
    } column;
} Rows;

static Rows rows_in(void *scratch, int width)
{
    size_t words = (size_t)(width + 127) / 64 * 64;
    int16_t *at = scratch;
    Rows rows = {0};
    for (int i = 0; i < 5; i++)
        rows.difference[i] = at + i * words;
    rows.column.narrow = at + 5 * words + 32;
    return rows;
}

/* ---- Lanes of 16 bits ----------------------------------------------------------------------------------------- */

/* Writes older - newer as 16-bit numbers. Returns false if all are 0. */
FV_FN bool subtract(const FvMotionPlanes *p, int y, int16_t *to, bool words)
{
    const uint8_t *older = p->older + y * p->older_stride, *newer = p->newer + y * p->newer_stride;
    fv_i16 any = {0};
    for (int x = 0; x < p->width; x += STEP) {
        /* Prefetches these columns of the next row: rows are too short for the processor's own prefetching. */
        __builtin_prefetch((const void *)((uintptr_t)older + (uintptr_t)(p->older_stride + (words ? 2 * x : x))));
        __builtin_prefetch((const void *)((uintptr_t)newer + (uintptr_t)(p->newer_stride + (words ? 2 * x : x))));
        fv_i16 d =
            words ? FV_LOAD(fv_i16, older + 2 * x) - FV_LOAD(fv_i16, newer + 2 * x)
                  : fv_i16_from_u8(FV_LOAD(fv_u8_half, older + x)) - fv_i16_from_u8(FV_LOAD(fv_u8_half, newer + x));
        for (int i = p->width - x; i < STEP; i++) /* samples after the end of the row must not count */
            d[i] = 0;
        FV_STORE(to + x, d);
        any |= d;
    }
    return fv_any((fv_mask)any != 0);
}

/* Blurs over columns. Returns false if a result does not fit 16 bits. */
FV_FN bool blur_columns(const int16_t *const row[5], int16_t *to, int width, int depth)
{
    const fv_i16 sides = fv_splat_pair_i16(FV_MOTION_OUTER, FV_MOTION_INNER),
                 centre = fv_splat_pair_i16(FV_MOTION_CENTRE, 1);
    const fv_i16 half = fv_splat_i16(1 << (depth - 1));
    fv_i16 least = {0}, greatest = {0};
    for (int x = 0; x < width; x += STEP) {
        fv_i16 outer = FV_LOAD(fv_i16, row[0] + x) + FV_LOAD(fv_i16, row[4] + x);
        fv_i16 inner = FV_LOAD(fv_i16, row[1] + x) + FV_LOAD(fv_i16, row[3] + x);
        FvTurns both = fv_take_turns(outer, inner), middle = fv_take_turns(FV_LOAD(fv_i16, row[2] + x), half);
        fv_i32 low = fv_madd_add_i16(fv_madd_i16(both.low, sides), middle.low, centre) >> depth;
        fv_i32 high = fv_madd_add_i16(fv_madd_i16(both.high, sides), middle.high, centre) >> depth;
        fv_i16 blurred = fv_join_i16(low, high);
        least = fv_min_i16(least, blurred);
        greatest = fv_max_i16(greatest, blurred);
        FV_STORE(to + x, blurred);
    }
    fv_mask16 out = fv_or(least == fv_splat_i16(INT16_MIN), greatest == fv_splat_i16(INT16_MAX));
    return !fv_any((fv_mask)out != 0);
}

/* Returns a mask of the first `count` lanes. */
FV_FN fv_i32 first_lanes(int count)
{
    return fv_lane_index() < count;
}

FV_FN fv_i32 magnitude(fv_i32 x)
{
#if defined(__AVX2__)
    return (fv_i32)FV_X86(abs_epi32)((fv_x86i)x);
#else
    return fv_motion_magnitude(x);
#endif
}

/* Blurs along a row and returns the sum of the magnitudes. Each is at most 2^15, so a row fits 32-bit lanes. */
FV_FN uint64_t blur_row(int16_t *row, int width)
{
    const fv_i16 even0 = fv_splat_pair_i16(FV_MOTION_OUTER, FV_MOTION_INNER),
                 odd0 = fv_splat_pair_i16(0, FV_MOTION_OUTER);
    const fv_i16 even1 = fv_splat_pair_i16(FV_MOTION_CENTRE, FV_MOTION_INNER);
    const fv_i16 odd1 = fv_splat_pair_i16(FV_MOTION_INNER, FV_MOTION_CENTRE);
    const fv_i16 even2 = fv_splat_pair_i16(FV_MOTION_OUTER, 0),
                 odd2 = fv_splat_pair_i16(FV_MOTION_INNER, FV_MOTION_OUTER);
    const fv_i32 half = fv_splat_i32(32768);
    row[-1] = row[1];
    row[-2] = row[2];
    row[width] = row[width - 2];
    row[width + 1] = row[width - 3];
    fv_u32 sum = {0};
    for (int x = 0; x < width; x += STEP) {
        fv_i16 a = FV_LOAD(fv_i16, row + x - 2), b = FV_LOAD(fv_i16, row + x), c = FV_LOAD(fv_i16, row + x + 2);
        fv_i32 even = fv_madd_add_i16(fv_madd_add_i16(fv_madd_add_i16(half, a, even0), b, even1), c, even2);
        fv_i32 odd = fv_madd_add_i16(fv_madd_add_i16(fv_madd_add_i16(half, a, odd0), b, odd1), c, odd2);
        even = magnitude(even >> 16);
        odd = magnitude(odd >> 16);
        if (width - x < STEP) {
            even &= first_lanes((width - x + 1) / 2);
            odd &= first_lanes((width - x) / 2);
        }
        sum += (fv_u32)even + (fv_u32)odd;
    }
    uint64_t total = 0;
    for (int i = 0; i < FV_LANES; i++)
        total += sum[i];
    return total;
}

/* ---- Lanes of 32 bits ----------------------------------------------------------------------------------------- */

FV_FN fv_i32 difference(const FvMotionPlanes *p, int x, int y)
{
    const uint8_t *older = p->older + y * p->older_stride, *newer = p->newer + y * p->newer_stride;
    return p->depth == 8
               ? fv_i32_from_u8(FV_LOAD(fv_u8_quarter, older + x)) - fv_i32_from_u8(FV_LOAD(fv_u8_quarter, newer + x))
               : fv_i32_from_u16(FV_LOAD(fv_u16_half, older + 2 * x)) -
                     fv_i32_from_u16(FV_LOAD(fv_u16_half, newer + 2 * x));
}

/* Blurs a row of any differences in both directions, and returns the sum of the magnitudes. */
static __attribute__((noinline)) uint64_t wide_row(const FvMotionPlanes *p, int y, int32_t *column)
{
    int row[5], width = p->width;
    for (int k = 0; k < 5; k++)
        row[k] = fv_mirror(y - 2 + k, p->height);
    for (int x = 0; x < width; x += FV_LANES)
        FV_STORE(column + x,
                 fv_motion_blur(difference(p, x, row[0]), difference(p, x, row[1]), difference(p, x, row[2]),
                                difference(p, x, row[3]), difference(p, x, row[4]), p->depth));
    column[-1] = column[1];
    column[-2] = column[2];
    column[width] = column[width - 2];
    column[width + 1] = column[width - 3];
    uint64_t total = 0;
    fv_u32 sum = {0};
    for (int x = 0; x < width; x += FV_LANES) {
        const int32_t *at = column + x;
        fv_i32 blurred =
            fv_motion_magnitude(fv_motion_blur(FV_LOAD(fv_i32, at - 2), FV_LOAD(fv_i32, at - 1), FV_LOAD(fv_i32, at),
                                               FV_LOAD(fv_i32, at + 1), FV_LOAD(fv_i32, at + 2), 16));
        sum += (fv_u32)(width - x < FV_LANES ? blurred & first_lanes(width - x) : blurred);
    }
    for (int i = 0; i < FV_LANES; i++)
        total += sum[i];
    return total;
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

static uint64_t sad(const FvMotionPlanes *p, int first, int rows, void *scratch)
{
    Rows buffer = rows_in(scratch, p->width);
    uint64_t sum = 0;
    if (p->depth > 14) {
        for (int y = first; y < first + rows; y++)
            sum += wide_row(p, y, buffer.column.wide);
        return sum;
    }
    int made = first < 2 ? 0 : first - 2; /* rows of differences before `made` have been computed */
    for (int y = first; y < first + rows; y++) {
        for (; made <= y + 2 && made < p->height; made++) {
            int16_t *to = buffer.difference[made % 5];
            buffer.zero[made % 5] = p->depth == 8 ? !subtract(p, made, to, false) : !subtract(p, made, to, true);
        }
        const int16_t *row[5];
        bool zero = true;
        for (int k = 0; k < 5; k++) {
            int slot = fv_mirror(y - 2 + k, p->height) % 5;
            row[k] = buffer.difference[slot];
            zero &= buffer.zero[slot];
        }
        if (zero)
            continue;
        bool fits = p->depth == 8    ? blur_columns(row, buffer.column.narrow, p->width, 8)
                    : p->depth == 10 ? blur_columns(row, buffer.column.narrow, p->width, 10)
                                     : blur_columns(row, buffer.column.narrow, p->width, p->depth);
        sum += fits ? blur_row(buffer.column.narrow, p->width) : wide_row(p, y, buffer.column.wide);
    }
    return sum;
}

const FvMotionKernels FV_ISA_STRUCT(fv_motion_kernels) = {.sad = sad};
