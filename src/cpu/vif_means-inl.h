/*
 * Means of VIF over columns and rows, for one instruction set. First, pairs of rows, interleaved in 32-bit lanes,
 * give two rows of means over columns; then pairs of columns give the even and the odd results of a row.
 */
#pragma once

#include "cpu/lanes16.h"
#include "cpu/vif.h"
#include "cpu/vif_filters-inl.h"

#define STRIP 96      /* columns of a strip: the rows under a filter fit a first-level cache of 32 KiB */
#define LATE 32       /* columns at the end of a strip whose results wait for the next strip */
#define BEFORE 64     /* columns of the previous strip that a strip keeps */
#define MOST_ROWS 128 /* maximum rows of a strip, so that the lanes of Totals cannot overflow */
/* Rows that are summed at the same time, as registers allow. */
#define AT_ONCE (FV_LANES == 16 ? 4 : FV_LANES == 8 ? 2 : 1)

/*
 * The quantities that the filters average. Products are split into two halves; at 8 bits the lower halves are absent.
 */
typedef enum Part { REF, DIS, REF_REF, DIS_DIS, REF_DIS, REF_REF_LOW, DIS_DIS_LOW, REF_DIS_LOW, PARTS } Part;

/* How a scale is computed. Callers pass constants where that makes the code faster. */
typedef struct Shape {
    int scale;
    bool words;
    int bits, square_bits; /* number of bits by which means over columns are shortened */
    int parts;
    bool centred; /* products are of samples less strip.centre, and fit 16 bits */
} Shape;

/* Even results in v[0], odd results in v[1]. */
typedef struct Both {
    fv_u32 v[2];
} Both;

/* Sums of two rows of results over the pairs of rows under their filters. */
typedef struct Sums {
    fv_i32 even[2], odd[2]; /* [row] */
} Sums;

typedef struct Strip {
    fv_i16 pair[PAIRS][PARTS][STRIP / STEP][2]; /* [slot of the row pair], even and odd columns */
    /* Rows of means over columns, with products in halves as in `pair`. Columns before the strip come first. */
    int16_t mean[2][PARTS][BEFORE + STRIP + 64] __attribute__((aligned(64)));
    int16_t kept[MOST_ROWS][PARTS][BEFORE]; /* the last means of the previous strip, by row */
    int centre;                             /* the number subtracted from samples; a multiple of 2^square_bits */
    Sums share[2][STRIP / STEP];            /* the centre's share in the sums of products, for each frame */
} Strip;

typedef struct Factors {
    fv_i16 part[PARTS];
} Factors;

FV_FN void add_product(Factors *factors, Part part, fv_u16 a, fv_u16 b, Shape shape)
{
    int bits = shape.square_bits;
    fv_u16 low = a * b;
    if (!bits) {
        factors->part[part] = less_half(low);
        return;
    }
    fv_u16 high = fv_high_u16(a, b);
    if (bits < 16) {
        high = high << (16 - bits) | low >> bits;
        low &= (uint16_t)((1 << bits) - 1);
    }
    factors->part[part] = less_half(high);
    factors->part[part + REF_REF_LOW - REF_REF] = less_half(low);
}

FV_FN Factors factors_of(fv_u16 r, fv_u16 d, int centre, Shape shape)
{
    Factors factors;
    factors.part[REF] = less_half(r);
    factors.part[DIS] = less_half(d);
    if (shape.centred) {
        fv_i16 ref = (fv_i16)(r - (uint16_t)centre), dis = (fv_i16)(d - (uint16_t)centre);
        factors.part[REF_REF] = ref * ref;
        factors.part[DIS_DIS] = dis * dis;
        factors.part[REF_DIS] = ref * dis;
        return factors;
    }
    add_product(&factors, REF_REF, r, r, shape);
    add_product(&factors, DIS_DIS, d, d, shape);
    add_product(&factors, REF_DIS, r, d, shape);
    return factors;
}

/* Fills a pair of rows, y and y + 1: columns from x on, `groups` vectors. */
FV_FN void fill_pair(const FvVifPlanes *p, Strip *strip, int slot, int y, int x, int groups, Shape shape)
{
    int row[2] = {mirror(y, p->height), mirror(y + 1, p->height)};
    const uint8_t *ref[2], *dis[2];
    for (int i = 0; i < 2; i++) {
        ref[i] = p->ref + row[i] * p->ref_stride;
        dis[i] = p->dis + row[i] * p->dis_stride;
    }
    /* Prefetches rows that later pairs need: strips are too narrow for the processor to predict them. */
    int ahead = y + 16 < p->height - 1 ? 16 * (y >= 0) : 0;
    for (int i = 0; i < 2; i++)
        for (int bytes = 0; bytes < groups * STEP * (shape.words ? 2 : 1); bytes += 64) {
            ptrdiff_t at = (ptrdiff_t)x * (shape.words ? 2 : 1) + bytes;
            __builtin_prefetch(p->ref + (row[i] + ahead) * p->ref_stride + at);
            __builtin_prefetch(p->dis + (row[i] + ahead) * p->dis_stride + at);
        }
    for (int group = 0; group < groups; group++) {
        int at = x + group * STEP;
        Factors upper =
            factors_of(samples(ref[0], at, shape.words), samples(dis[0], at, shape.words), strip->centre, shape);
        Factors lower =
            factors_of(samples(ref[1], at, shape.words), samples(dis[1], at, shape.words), strip->centre, shape);
        for (int part = 0; part < shape.parts; part++) {
            strip->pair[slot][part][group][0] = fv_lower_words(upper.part[part], lower.part[part]);
            strip->pair[slot][part][group][1] = fv_upper_words(upper.part[part], lower.part[part]);
        }
    }
}

FV_FN Sums sum_rows(const Strip *strip, const int slot[PAIRS], int part, int group, const Weights *weights,
                    Shape shape, fv_i32 start)
{
    Sums sums = {{start, start}, {start, start}};
    FV_UNROLL
    for (int i = 0; i <= 2 * side_of(shape.scale); i++) {
        const fv_i16 *pair = strip->pair[slot[i]][part][group];
        for (int half = 0; half < 2; half++) {
            sums.even[half] = fv_madd_add_i16(sums.even[half], pair[half], weights->even[i]);
            sums.odd[half] = fv_madd_add_i16(sums.odd[half], pair[half], weights->odd[i]);
        }
    }
    for (int half = 0; half < 2; half++) {
        fv_i16 middle = strip->pair[slot[side_of(shape.scale)]][part][group][half];
        sums.even[half] += made_up_even(middle, shape.scale);
        sums.odd[half] += made_up_odd(middle, shape.scale);
    }
    return sums;
}

FV_FN fv_i16 words_of(const fv_i32 sum[2], int bits)
{
    return fv_lower_words((fv_i16)((fv_u32)sum[0] >> bits), (fv_i16)((fv_u32)sum[1] >> bits));
}

/*
 * For weights K that add up to 2^16 and a centre c,
 *     sum K*r*d = sum K*(r - c)*(d - c) + share(r) + share(d),   share(p) = c * (sum K*p - 2^15 * c).
 * Returns share(p) / 2^square_bits - 2^30; c is a multiple of 2^square_bits.
 */
FV_FN fv_i32 share_of(fv_i32 sum, int centre, Shape shape)
{
    uint32_t factor = (uint32_t)centre >> shape.square_bits;
    fv_u32 whole = (fv_u32)sum - (fv_u32)start_of_words(shape.bits) + 0x80000000u;
    return (fv_i32)(whole * factor - (0x8000u * (uint32_t)centre * factor + 0x40000000u));
}

FV_FN void keep_shares(Strip *strip, Part part, int group, const Sums *sums, Shape shape)
{
    for (int half = 0; half < 2; half++) {
        strip->share[part][group].even[half] = share_of(sums->even[half], strip->centre, shape);
        strip->share[part][group].odd[half] = share_of(sums->odd[half], strip->centre, shape);
    }
}

FV_FN void add_shares(const Strip *strip, Part part, int group, Sums *sums, Shape shape)
{
    const Sums *a = &strip->share[part == DIS_DIS][group], *b = &strip->share[part != REF_REF][group];
    for (int half = 0; half < 2; half++) {
        sums->even[half] = (sums->even[half] >> shape.square_bits) + a->even[half] + b->even[half];
        sums->odd[half] = (sums->odd[half] >> shape.square_bits) + a->odd[half] + b->odd[half];
    }
}

FV_FN void store_mean_of_products(int16_t *high, int16_t *low, const fv_i32 sum[2], const fv_i32 *rest, Shape shape)
{
    fv_i32 mean[2] = {sum[0], sum[1]};
    if (shape.square_bits && !shape.centred)
        for (int half = 0; half < 2; half++)
            mean[half] += (fv_i32)((fv_u32)rest[half] >> shape.square_bits);
    FV_STORE(high, fv_upper_words((fv_i16)mean[0], (fv_i16)mean[1]));
    FV_STORE(low, less_half((fv_u16)fv_lower_words((fv_i16)mean[0], (fv_i16)mean[1])));
}

/* Averages one part over columns. */
FV_FN void average_part(Strip *strip, const int slot[PAIRS], int part, int group, int at, const Weights *weights,
                        Shape shape)
{
    int16_t *to[2] = {strip->mean[0][part] + at, strip->mean[1][part] + at};
    if (part <= DIS) {
        Sums sums = sum_rows(strip, slot, part, group, weights, shape, start_of_words(shape.bits));
        FV_STORE(to[0], words_of(sums.even, shape.bits));
        FV_STORE(to[1], words_of(sums.odd, shape.bits));
        if (shape.centred)
            keep_shares(strip, part, group, &sums, shape);
        return;
    }
    int low = part + REF_REF_LOW - REF_REF;
    fv_i32 start = fv_splat_i32(shape.centred ? 1 << shape.square_bits >> 1 : 0);
    Sums sums = sum_rows(strip, slot, part, group, weights, shape, start), rest = sums;
    if (shape.centred)
        add_shares(strip, part, group, &sums, shape);
    else if (shape.square_bits)
        rest = sum_rows(strip, slot, low, group, weights, shape, start_of(shape.square_bits));
    store_mean_of_products(to[0], strip->mean[0][low] + at, sums.even, rest.even, shape);
    store_mean_of_products(to[1], strip->mean[1][low] + at, sums.odd, rest.odd, shape);
}

/*
 * Averages two rows over columns, from the pairs of rows in `slot`. If all weights fit registers, they stay there for
 * all groups of a part.
 */
FV_FN void average_columns(Strip *strip, const int slot[PAIRS], int groups, int offset, Shape shape)
{
    Weights weights = weights_of(shape.scale);
    const int together = FV_LANES == 16 && shape.scale == 0 ? groups : 1;
    for (int first = 0; first < groups; first += together)
        for (int part = REF; part <= REF_DIS; part++)
            for (int group = first; group < first + together; group++)
                average_part(strip, slot, part, group, offset + group * STEP, &weights, shape);
}

/*
 * Sums several rows at the same time, because each addition of a sum waits for the previous one, and a row has only
 * two sums.
 */
FV_FN void sum_columns(const int16_t *const at[AT_ONCE], const fv_i32 start[AT_ONCE], Both to[AT_ONCE],
                       const Weights *weights, Shape shape)
{
    fv_i32 even[AT_ONCE], odd[AT_ONCE];
    int side = side_of(shape.scale);
    for (int k = 0; k < AT_ONCE; k++)
        even[k] = odd[k] = start[k];
    FV_UNROLL
    for (int i = 0; i <= 2 * side; i++)
        FV_UNROLL
    for (int k = 0; k < AT_ONCE; k++) {
        fv_i16 pair = FV_LOAD(fv_i16, at[k] + 2 * (i - side));
        even[k] = fv_madd_add_i16(even[k], pair, weights->even[i]);
        odd[k] = fv_madd_add_i16(odd[k], pair, weights->odd[i]);
    }
    for (int k = 0; k < AT_ONCE; k++) {
        fv_i16 middle = FV_LOAD(fv_i16, at[k]);
        even[k] += made_up_even(middle, shape.scale);
        odd[k] += made_up_odd(middle, shape.scale);
        to[k] = (Both){{(fv_u32)even[k], (fv_u32)odd[k]}};
    }
}

FV_FN Both joined(Both high, Both low)
{
    return (Both){{high.v[0] + (low.v[0] >> 16), high.v[1] + (low.v[1] >> 16)}};
}

/* Means over columns and rows at STEP samples: of each frame, and of products. */
typedef struct Window {
    Both mean[REF_DIS + 1];
} Window;

/* Averages a row of means over its columns, from mean `x` on. */
FV_FN Window average_row(const Strip *strip, int row, int x, const Weights *weights, Shape shape)
{
    static const Part order[PARTS] = {REF, DIS, REF_REF, REF_REF_LOW, DIS_DIS, DIS_DIS_LOW, REF_DIS, REF_DIS_LOW};
    Both sum[PARTS];
    Window window;
    FV_UNROLL
    for (int part = 0; part < PARTS; part += AT_ONCE) {
        const int16_t *at[AT_ONCE];
        fv_i32 start[AT_ONCE];
        FV_UNROLL
        for (int k = 0; k < AT_ONCE; k++) {
            at[k] = strip->mean[row][order[part + k]] + x;
            start[k] = start_of(order[part + k] < REF_REF_LOW ? 0 : 16);
        }
        sum_columns(at, start, sum + part, weights, shape);
    }
    window.mean[REF] = sum[0];
    window.mean[DIS] = sum[1];
    for (int part = REF_REF; part <= REF_DIS; part++)
        window.mean[part] = joined(sum[2 * part - 2], sum[2 * part - 1]);
    return window;
}
