/*
 * Kernels of VMAF's visual information fidelity for one instruction set. A filter is a sum of products of pairs of
 * neighbours: pairs of rows, side by side in 32 bits, for both rows of a pair of results; then pairs of columns for
 * the even and the odd results. Every 16-bit factor is kept minus 2^15, which makes it signed; as the weights add up
 * to 2^16, this takes 2^31 from a sum. A sum starts with what makes up for that and with half a unit for rounding.
 * Strips of columns keep what a filter reaches in the first cache.
 */
#include "cpu/vif.h"

#include "cpu/simd.h"
#include "mem.h"

#include "arith/vif.h"
#include "cpu/vif_logs-inl.h"

#define STEP (2 * FV_LANES)              /* 16-bit lanes of a vector */
#define STRIP 128                        /* columns of a strip */
#define LATE 32                          /* of them wait for their right neighbours in the next one, */
#define BEFORE 64                        /* and so many columns before a strip are kept */
#define MOST_ROWS 128                    /* of a strip, few enough for the lanes of Totals */
#define AT_ONCE (FV_LANES == 16 ? 4 : 1) /* rows whose sums over columns are taken side by side: registers */
#define PAIRS 9                          /* of rows or columns that two neighbouring results reach, at most */

/* What the filters take the mean of. Products have two halves; the lower ones are absent at 8 bits. */
typedef enum Part { REF, DIS, REF_REF, DIS_DIS, REF_DIS, REF_REF_LOW, DIS_DIS_LOW, REF_DIS_LOW, PARTS } Part;

/* How a scale is computed; constants where it matters. */
typedef struct Shape {
    int scale;
    bool words;
    int bits, square_bits; /* that means over columns lose */
    int parts;
} Shape;

/* Even results in [0], odd ones in [1]. */
typedef struct Both {
    fv_u32 v[2];
} Both;

typedef struct Strip {
    fv_i16 pair[PAIRS][PARTS][STRIP / STEP][2]; /* [row pair in turn], even and odd columns */
    /* Rows of means over columns: halves of products where `pair` has them. Columns before the strip lie in front. */
    int16_t mean[2][PARTS][BEFORE + STRIP + 64] __attribute__((aligned(64)));
    int16_t kept[MOST_ROWS][PARTS][BEFORE]; /* the last ones of the strip before, by row */
} Strip;

/* Weights of a pair for the even and the odd one of two results. */
typedef struct Weights {
    fv_i16 even[PAIRS], odd[PAIRS];
} Weights;

FV_FN int reach_of(int scale)
{
    return FV_VIF_REACH(scale);
}

/* Pairs on each side of the one in the middle. */
FV_FN int side_of(int scale)
{
    return (reach_of(scale) + 1) / 2;
}

FV_FN int weight_at(int scale, int offset)
{
    int distance = offset < 0 ? -offset : offset;
    return distance > reach_of(scale) ? 0 : fv_vif_weight[9 * scale + distance];
}

/*
 * The middle weight of the coarsest scale does not fit 16 signed bits and is 2^16 too small there. This makes up for
 * it, from the pair in the middle.
 */
FV_FN fv_i32 made_up_even(fv_i16 pair, int scale)
{
    return scale == 3 ? (fv_i32)pair << 16 : (fv_i32){0};
}

FV_FN fv_i32 made_up_odd(fv_i16 pair, int scale)
{
    return scale == 3 ? (fv_i32)pair & (int32_t)0xffff0000 : (fv_i32){0};
}

/* Keeps a constant in a register where there are enough of them, and the compiler from making it again in a loop. */
#if defined(__AVX512F__)
#define KEEP(vector) __asm__("" : "+v"(vector))
#else
#define KEEP(vector) ((void)0)
#endif

FV_FN Weights weights_of(int scale)
{
    Weights weights;
    int side = side_of(scale);
    FV_UNROLL
    for (int i = 0; i <= 2 * side; i++) {
        int offset = 2 * (i - side); /* of the pair's first element from the even result */
        weights.even[i] =
            (fv_i16)fv_splat_u32((uint32_t)weight_at(scale, offset) | (uint32_t)weight_at(scale, offset + 1) << 16);
        weights.odd[i] =
            (fv_i16)fv_splat_u32((uint32_t)weight_at(scale, offset - 1) | (uint32_t)weight_at(scale, offset) << 16);
        KEEP(weights.even[i]);
        KEEP(weights.odd[i]);
    }
    return weights;
}

/* Mirrors without repeating the edge. What lies farther has no weight and may be any row. */
static int mirror(int i, int count)
{
    int place = i < 0 ? -i : i >= count ? 2 * (count - 1) - i : i;
    return place < 0 ? 0 : place >= count ? count - 1 : place;
}

/* ---- Words -------------------------------------------------------------------------------------------------- */

/* The lower words of lanes of a, and above them those of b. */
FV_FN fv_i16 lower_words(fv_i32 a, fv_i32 b)
{
#if defined(__ARM_NEON)
    return (fv_i16)vtrn1q_s16((int16x8_t)a, (int16x8_t)b);
#elif defined(__AVX2__) && !defined(__AVX512F__)
    return (fv_i16)_mm256_blend_epi16((__m256i)a, (__m256i)(b << 16), 0xaa);
#else
    return (fv_i16)((a & 0xffff) | b << 16);
#endif
}

/* The upper words of lanes of a, and above them those of b. */
FV_FN fv_i16 upper_words(fv_i32 a, fv_i32 b)
{
#if defined(__ARM_NEON)
    return (fv_i16)vtrn2q_s16((int16x8_t)a, (int16x8_t)b);
#elif defined(__AVX2__) && !defined(__AVX512F__)
    return (fv_i16)_mm256_blend_epi16((__m256i)((fv_u32)a >> 16), (__m256i)b, 0xaa);
#else
    return (fv_i16)((fv_i32)((fv_u32)a >> 16) | (b & (int32_t)0xffff0000));
#endif
}

FV_FN fv_u16 high_product(fv_u16 a, fv_u16 b)
{
#if defined(__AVX512BW__)
    return (fv_u16)_mm512_mulhi_epu16((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    return (fv_u16)_mm256_mulhi_epu16((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
    return (fv_u16)_mm_mulhi_epu16((__m128i)a, (__m128i)b);
#else
    uint16x8_t m = (uint16x8_t)a, n = (uint16x8_t)b;
    return (fv_u16)vuzp2q_u16((uint16x8_t)vmull_u16(vget_low_u16(m), vget_low_u16(n)),
                              (uint16x8_t)vmull_high_u16(m, n));
#endif
}

FV_FN fv_i16 less_half(fv_u16 x)
{
    return (fv_i16)(x ^ 0x8000);
}

/* Where a sum starts that is to be right, with half of 2^bits for rounding. */
FV_FN fv_i32 start_of(int bits)
{
    return (fv_i32)fv_splat_u32(0x80000000u + (1u << bits >> 1));
}

/* And where one does of which only 16 bits are wanted, from `bits` on, as a number 2^15 smaller. */
FV_FN fv_i32 start_of_words(int bits)
{
    return (fv_i32)((fv_u32)start_of(bits) + (0x8000u << bits));
}

/* ---- Means over columns ------------------------------------------------------------------------------------- */

FV_FN fv_u16 samples(const uint8_t *row, int x, bool words)
{
    return words ? FV_LOAD(fv_u16, row + 2 * x) : (fv_u16)fv_i16_from_u8(FV_LOAD(fv_u8_half, row + x));
}

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
    fv_u16 high = high_product(a, b);
    if (bits < 16) {
        high = high << (16 - bits) | low >> bits;
        low &= (uint16_t)((1 << bits) - 1);
    }
    factors->part[part] = less_half(high);
    factors->part[part + REF_REF_LOW - REF_REF] = less_half(low);
}

FV_FN Factors factors_of(fv_u16 r, fv_u16 d, Shape shape)
{
    Factors factors;
    factors.part[REF] = less_half(r);
    factors.part[DIS] = less_half(d);
    add_product(&factors, REF_REF, r, r, shape);
    add_product(&factors, DIS_DIS, d, d, shape);
    add_product(&factors, REF_DIS, r, d, shape);
    return factors;
}

/* Rows y and y + 1 of columns from x on, `groups` vectors of them. */
FV_FN void fill_pair(const FvVifPlanes *p, Strip *strip, int slot, int y, int x, int groups, Shape shape)
{
    int row[2] = {mirror(y, p->height), mirror(y + 1, p->height)};
    const uint8_t *ref[2], *dis[2];
    for (int i = 0; i < 2; i++) {
        ref[i] = p->ref + row[i] * p->ref_stride;
        dis[i] = p->dis + row[i] * p->dis_stride;
    }
    /* The rows that will be filled a few pairs on: strips are too narrow for the processor to see them coming. */
    int ahead = y + 16 < p->height - 1 ? 16 * (y >= 0) : 0;
    for (int i = 0; i < 2; i++)
        for (int bytes = 0; bytes < groups * STEP * (shape.words ? 2 : 1); bytes += 64) {
            ptrdiff_t at = (ptrdiff_t)x * (shape.words ? 2 : 1) + bytes;
            __builtin_prefetch(p->ref + (row[i] + ahead) * p->ref_stride + at);
            __builtin_prefetch(p->dis + (row[i] + ahead) * p->dis_stride + at);
        }
    for (int group = 0; group < groups; group++) {
        int at = x + group * STEP;
        Factors upper = factors_of(samples(ref[0], at, shape.words), samples(dis[0], at, shape.words), shape);
        Factors lower = factors_of(samples(ref[1], at, shape.words), samples(dis[1], at, shape.words), shape);
        for (int part = 0; part < shape.parts; part++) {
            fv_i32 a = (fv_i32)upper.part[part], b = (fv_i32)lower.part[part];
            strip->pair[slot][part][group][0] = lower_words(a, b);
            strip->pair[slot][part][group][1] = upper_words(a, b);
        }
    }
}

/* Sums of two rows of results over the pairs of rows that they reach. [0] even, [1] odd columns. */
typedef struct Sums {
    fv_i32 even[2], odd[2]; /* row */
} Sums;

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
    return lower_words((fv_i32)((fv_u32)sum[0] >> bits), (fv_i32)((fv_u32)sum[1] >> bits));
}

FV_FN void store_mean_of_products(int16_t *high, int16_t *low, const fv_i32 sum[2], const fv_i32 *rest, Shape shape)
{
    fv_i32 mean[2] = {sum[0], sum[1]};
    if (shape.square_bits)
        for (int half = 0; half < 2; half++)
            mean[half] += (fv_i32)((fv_u32)rest[half] >> shape.square_bits);
    FV_STORE(high, upper_words(mean[0], mean[1]));
    FV_STORE(low, less_half((fv_u16)lower_words(mean[0], mean[1])));
}

/* Of one part. */
FV_FN void average_part(Strip *strip, const int slot[PAIRS], int part, int group, int at, const Weights *weights,
                        Shape shape)
{
    int16_t *to[2] = {strip->mean[0][part] + at, strip->mean[1][part] + at};
    if (part <= DIS) {
        Sums sums = sum_rows(strip, slot, part, group, weights, shape, start_of_words(shape.bits));
        FV_STORE(to[0], words_of(sums.even, shape.bits));
        FV_STORE(to[1], words_of(sums.odd, shape.bits));
        return;
    }
    int low = part + REF_REF_LOW - REF_REF;
    Sums sums = sum_rows(strip, slot, part, group, weights, shape, fv_splat_i32(0)), rest = sums;
    if (shape.square_bits)
        rest = sum_rows(strip, slot, low, group, weights, shape, start_of(shape.square_bits));
    store_mean_of_products(to[0], strip->mean[0][low] + at, sums.even, rest.even, shape);
    store_mean_of_products(to[1], strip->mean[1][low] + at, sums.odd, rest.odd, shape);
}

/*
 * Two rows of means, from the pairs of rows in `slot`. Where all weights have registers, they stay there for all
 * groups of a part.
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

/* ---- Means over rows, and what follows ---------------------------------------------------------------------- */

/* Sums of lanes; a strip of a band of rows overflows none. */
typedef struct Totals {
    fv_i32 numerator, denominator;
    fv_u32 flat_low, flat_high; /* 16 bits of each variance */
    fv_i32 flat;                /* -1 for each sample */
} Totals;

/* Of several rows at once: a chain of sums waits for itself, and each row has two. */
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

/* Means over columns and rows of STEP samples: each picture's, and of products. */
typedef struct Window {
    Both mean[REF_DIS + 1];
} Window;

/* From mean `x` on. */
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

#if defined(__AVX512F__)

/* Half of the lanes as floats: the even or the odd ones, none of which is negative. */
FV_FN fv_f64 widened(fv_i32 x, int odd)
{
    const __m512i power = _mm512_set1_epi32(0x43300000); /* 2^52 + x has x in its low word */
    __m512i bits = odd ? _mm512_mask_shuffle_epi32(power, 0x5555, (__m512i)x, _MM_PERM_DDBB)
                       : _mm512_mask_mov_epi32(power, 0x5555, (__m512i)x);
    return (fv_f64)bits - 4503599627370496.0;
}

/* Their whole parts, back in their lanes. */
FV_FN fv_u32 whole_words(fv_f64 even, fv_f64 odd)
{
    const __m512d unit = _mm512_set1_pd(4503599627370496.0);
    __m512i low = (__m512i)_mm512_add_round_pd((__m512d)even, unit, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
    __m512i high = (__m512i)_mm512_add_round_pd((__m512d)odd, unit, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
    return (fv_u32)_mm512_mask_shuffle_epi32(low, 0xaaaa, high, _MM_PERM_CCAA);
}

/*
 * Lanes outside `textured` hold any number, which does no harm. Variances are below 2^30, and so what has both signal
 * and noise stays below 2^32.
 */
FV_FN void add_textured(Totals *totals, fv_i32 ref, fv_i32 dis, fv_i32 both, __mmask16 textured, const uint16_t *logs,
                        fv_f64 limit)
{
    const __m512i none = _mm512_setzero_si512();
    __mmask16 similar = _mm512_mask_cmpgt_epi32_mask(textured, (__m512i)both, none);
    similar = _mm512_mask_cmpgt_epi32_mask(similar, (__m512i)dis, none);
    fv_f64 rest[2], signal[2];
    for (int odd = 0; odd < 2; odd++) {
        fv_f64 covariance = widened(both, odd), variance = widened(ref, odd);
        fv_f64 gain = fv_vif_gain(variance, covariance);
        rest[odd] = fv_vif_rest(widened(dis, odd), gain, covariance);
        signal[odd] = fv_vif_signal(gain, limit, variance);
    }
    fv_u32 noise = whole_words(rest[0], rest[1]) + FV_VIF_NOISE, total = whole_words(signal[0], signal[1]) + noise;
    fv_i32 gained = log_of(logs, total) - log_of(logs, noise);
    __m512i reference = (__m512i)log_of(logs, (fv_u32)ref + FV_VIF_NOISE);
    totals->numerator = (fv_i32)_mm512_mask_add_epi32((__m512i)totals->numerator, similar, (__m512i)totals->numerator,
                                                      (__m512i)gained);
    totals->denominator = (fv_i32)_mm512_mask_add_epi32((__m512i)totals->denominator, textured,
                                                        (__m512i)totals->denominator, reference);
}

FV_FN void add_samples(Totals *totals, fv_u32 ref_ref, fv_u32 dis_dis, fv_u32 ref_dis, fv_u32 ref, fv_u32 dis,
                       fv_mask count, const uint16_t *logs, fv_f64 limit)
{
    fv_i32 ref_variance = fv_vif_covariance(ref_ref, ref, ref);
    fv_i32 dis_variance = fv_max_i32(fv_vif_covariance(dis_dis, dis, dis), fv_splat_i32(0));
    fv_i32 covariance = fv_vif_covariance(ref_dis, ref, dis);
    __mmask16 counts = _mm512_movepi32_mask((__m512i)count);
    __mmask16 textured = _mm512_mask_cmpge_epi32_mask(counts, (__m512i)ref_variance, _mm512_set1_epi32(FV_VIF_NOISE));
    __mmask16 flat = _mm512_kandn(textured, counts);
    if (flat) {
        fv_u32 variance = (fv_u32)_mm512_maskz_mov_epi32(flat, (__m512i)dis_variance);
        totals->flat_low += variance & 0xffffu;
        totals->flat_high += variance >> 16;
        totals->flat += (fv_i32)_mm512_movm_epi32(flat);
    }
    if (textured)
        add_textured(totals, ref_variance, dis_variance, covariance, textured, logs, limit);
}

#else

/* Half of the lanes as floats: the even or the odd ones, none of which is negative. */
FV_FN fv_f64 widened(fv_i32 x, int odd)
{
    return fv_f64_from_word(odd ? (fv_u64)x >> 32 : (fv_u64)x & 0xffffffffu);
}

/* The upper words of both halves, back in their lanes. */
FV_FN fv_u32 high_words(fv_f64 even, fv_f64 odd)
{
    return (fv_u32)((fv_u64)even >> 32 | ((fv_u64)odd & 0xffffffff00000000u));
}

FV_FN void add_textured(Totals *totals, fv_i32 ref, fv_i32 dis, fv_i32 both, fv_mask textured, const uint16_t *logs,
                        fv_f64 limit)
{
    fv_mask similar = textured & (both > 0) & (dis > 0);
    fv_f64 variance[2], noise[2], total[2];
    ref = fv_sel_i32(textured, ref, fv_splat_i32(FV_VIF_NOISE));
    both = fv_sel_i32(similar, both, fv_splat_i32(0));
    for (int odd = 0; odd < 2; odd++) {
        fv_f64 covariance = widened(both, odd);
        variance[odd] = widened(ref, odd);
        fv_f64 gain = fv_vif_gain(variance[odd], covariance);
        noise[odd] = fv_vif_noise(widened(dis, odd), gain, covariance);
        total[odd] = fv_vif_total(gain, limit, variance[odd], noise[odd]);
        variance[odd] += (double)FV_VIF_NOISE;
    }
    totals->denominator += log_of_high_word(logs, high_words(variance[0], variance[1])) & textured;
    fv_i32 gained = log_of_high_word(logs, high_words(total[0], total[1])) -
                    log_of_high_word(logs, high_words(noise[0], noise[1]));
    totals->numerator += gained & similar;
}

FV_FN void add_samples(Totals *totals, fv_u32 ref_ref, fv_u32 dis_dis, fv_u32 ref_dis, fv_u32 ref, fv_u32 dis,
                       fv_mask count, const uint16_t *logs, fv_f64 limit)
{
    fv_i32 ref_variance = fv_vif_covariance(ref_ref, ref, ref);
    fv_i32 dis_variance = fv_max_i32(fv_vif_covariance(dis_dis, dis, dis), fv_splat_i32(0));
    fv_i32 covariance = fv_vif_covariance(ref_dis, ref, dis);
    fv_mask textured = count & (ref_variance >= FV_VIF_NOISE), flat = count & ~textured;
    fv_u32 flat_variance = (fv_u32)(dis_variance & flat);
    totals->flat_low += flat_variance & 0xffffu;
    totals->flat_high += flat_variance >> 16;
    totals->flat += flat;
    if (fv_any(textured))
        add_textured(totals, ref_variance, dis_variance, covariance, textured, logs, limit);
}

#endif

/* A row of results; mean `offset` is that of the first column. */
FV_FN void add_row(const Strip *strip, int row, int offset, int columns, Totals *totals, const uint16_t *logs,
                   fv_f64 limit, Shape shape)
{
    Weights weights = weights_of(shape.scale);
    fv_i32 index = 2 * fv_lane_index();
    for (int x = 0; x < columns; x += STEP) {
        Window window = average_row(strip, row, offset + x, &weights, shape);
        const Both *mean = window.mean;
        for (int odd = 0; odd < 2; odd++)
            add_samples(totals, mean[REF_REF].v[odd], mean[DIS_DIS].v[odd], mean[REF_DIS].v[odd], mean[REF].v[odd],
                        mean[DIS].v[odd], index + odd < columns - x, logs, limit);
    }
}

static void collect(const Totals *totals, FvVifSums *sums)
{
    for (int i = 0; i < FV_LANES; i++) {
        sums->numerator += totals->numerator[i];
        sums->denominator += totals->denominator[i];
        sums->flat_variance += totals->flat_low[i] + ((int64_t)totals->flat_high[i] << 16);
        sums->flat -= totals->flat[i];
    }
}

/* Mirrored columns beside the picture, where `offset` is the place of column 0 and `end` that of the one behind. */
static void mirror_front(Strip *strip, int offset, int reach)
{
    for (int row = 0; row < 2; row++)
        for (int part = 0; part < PARTS; part++)
            for (int i = 1; i <= reach; i++)
                strip->mean[row][part][offset - i] = strip->mean[row][part][offset + i];
}

static void mirror_back(Strip *strip, int end, int reach)
{
    for (int row = 0; row < 2; row++)
        for (int part = 0; part < PARTS; part++)
            for (int i = 0; i < reach; i++)
                strip->mean[row][part][end + i] = strip->mean[row][part][end - 2 - i];
}

/* Means of the last columns of a strip, for the next one. */
FV_FN void move_means(int16_t *to, size_t to_pitch, const int16_t *from, size_t from_pitch)
{
    for (int part = 0; part < PARTS; part++)
        for (int x = 0; x < BEFORE; x += STEP)
            FV_STORE(to + (size_t)part * to_pitch + x, FV_LOAD(fv_i16, from + (size_t)part * from_pitch + x));
}

/* What sums_of works on: columns from `from` on get means over columns, and columns from `x` on results. */
typedef struct Range {
    int from, made, x, columns;
    bool first, last;
} Range;

FV_FN Range range_at(int from, int width)
{
    Range range = {.from = from, .first = from == 0, .last = from + STRIP >= width};
    range.x = from ? from - LATE : 0;
    range.made = range.last ? width - from : STRIP;
    range.columns = (range.last ? width : from + STRIP - LATE) - range.x;
    return range;
}

/* Rows top to bottom - 1 of a strip. */
FV_FN void sum_strip(const FvVifPlanes *p, Range range, int top, int bottom, const uint16_t *logs, fv_f64 limit,
                     FvVifSums *sums, Strip *strip, Shape shape)
{
    const size_t pitch = sizeof strip->mean[0][0] / sizeof(int16_t);
    int side = side_of(shape.scale), reach = reach_of(shape.scale), groups = (range.made + STEP - 1) / STEP;
    int next = top / 2 - side; /* the next pair of rows to fill */
    Totals totals = {0};
    for (int y = top; y < bottom; y += 2) {
        int slot[PAIRS], middle = y / 2;
        for (; next <= middle + side; next++)
            fill_pair(p, strip, (next + PAIRS) % PAIRS, 2 * next, range.from, groups, shape);
        for (int i = 0; i <= 2 * side; i++)
            slot[i] = (middle - side + i + PAIRS) % PAIRS;
        average_columns(strip, slot, groups, BEFORE, shape);
        for (int row = 0; row < 2; row++) {
            int16_t(*kept)[BEFORE] = strip->kept[y - top + row];
            if (!range.first)
                move_means(strip->mean[row][0], pitch, kept[0], BEFORE);
            if (!range.last)
                move_means(kept[0], BEFORE, strip->mean[row][0] + STRIP, pitch);
        }
        if (range.first)
            mirror_front(strip, BEFORE, reach);
        if (range.last)
            mirror_back(strip, BEFORE + range.made, reach);
        for (int row = 0; row < 2 && y + row < bottom; row++)
            add_row(strip, row, BEFORE + range.x - range.from, range.columns, &totals, logs, limit, shape);
    }
    collect(&totals, sums);
}

FV_FN void sums_of(const FvVifPlanes *p, int first, int rows, const uint16_t *logs, double limit, FvVifSums *sums,
                   Strip *strip, Shape shape)
{
    for (int top = first; top < first + rows; top += MOST_ROWS) {
        int bottom = first + rows - top > MOST_ROWS ? top + MOST_ROWS : first + rows;
        for (int from = 0; from < p->width; from += STRIP)
            sum_strip(p, range_at(from, p->width), top, bottom, logs, fv_splat_f64(limit), sums, strip, shape);
    }
}

#define SUMS(name, ...)                                                                                              \
    static __attribute__((noinline)) void name(const FvVifPlanes *p, int first, int rows, const uint16_t *logs,      \
                                               double limit, FvVifSums *to, Strip *strip)                            \
    {                                                                                                                \
        Shape shape = {__VA_ARGS__};                                                                                 \
        sums_of(p, first, rows, logs, limit, to, strip, shape);                                                      \
    }
SUMS(sums_scale0_8, 0, false, 8, 0, REF_REF_LOW)
SUMS(sums_scale0_10, 0, true, 10, 4, PARTS)
SUMS(sums_scale0, 0, true, p->depth, 2 * p->depth - 16, PARTS)
SUMS(sums_scale1, 1, true, 16, 16, PARTS)
SUMS(sums_scale2, 2, true, 16, 16, PARTS)
SUMS(sums_scale3, 3, true, 16, 16, PARTS)

static void sums(const FvVifPlanes *p, int first, int rows, const uint16_t *logs, double limit, FvVifSums *sums,
                 void *scratch)
{
    *sums = (FvVifSums){0};
    (p->scale == 1    ? sums_scale1
     : p->scale == 2  ? sums_scale2
     : p->scale == 3  ? sums_scale3
     : p->depth == 8  ? sums_scale0_8
     : p->depth == 10 ? sums_scale0_10
                      : sums_scale0)(p, first, rows, logs, limit, sums, scratch);
}

/* ---- The next scale ------------------------------------------------------------------------------------------- */

/* Scratch memory: pairs of rows in turn, word by word, and a row of means over columns with what is mirrored. */
typedef struct Reduction {
    FvTurns *pair[PAIRS];
    int16_t *column;
} Reduction;

static Reduction reduction_in(void *scratch, int width, int pairs)
{
    Reduction to = {.column = (int16_t *)scratch + 32};
    FvTurns *next = (FvTurns *)((uint8_t *)scratch + FV_ROUND_UP((size_t)width + 128, 32) * sizeof(int16_t));
    for (int i = 0; i < pairs; i++, next += (width + STEP - 1) / STEP)
        to.pair[i] = next;
    return to;
}

/* Samples as they are, unless they need all 16 bits. */
FV_FN void take_pair(const FvVifPlanes *p, const uint8_t *plane, ptrdiff_t stride, int y, FvTurns *to, bool words,
                     int bits)
{
    const uint8_t *upper = plane + mirror(y, p->height) * stride, *lower = plane + mirror(y + 1, p->height) * stride;
    fv_u16 zero = (fv_u16)fv_splat_i16(bits == 16 ? INT16_MIN : 0);
    for (int x = 0; x < p->width; x += STEP)
        *to++ = fv_take_turns((fv_i16)(samples(upper, x, words) ^ zero), (fv_i16)(samples(lower, x, words) ^ zero));
}

/* A row of means over columns, as numbers 2^15 smaller. */
FV_FN void average_pairs(const FvTurns *const pair[PAIRS], int width, int16_t *to, int scale, int bits)
{
    Weights weights = weights_of(scale);
    int side = side_of(scale);
    const fv_i32 start = (fv_i32)fv_splat_u32((1u << bits >> 1) - (bits < 16 ? 0x8000u << bits : 0));
    for (int x = 0; x < width; x += STEP) {
        fv_i32 low = start, high = start;
        FV_UNROLL
        for (int i = 0; i <= 2 * side; i++) {
            const FvTurns *at = pair[i] + x / STEP;
            low = fv_madd_add_i16(low, at->low, weights.even[i]);
            high = fv_madd_add_i16(high, at->high, weights.even[i]);
        }
        const FvTurns *middle = pair[side] + x / STEP;
        low += made_up_even(middle->low, scale);
        high += made_up_even(middle->high, scale);
        FV_STORE(to + x, fv_join_i16(low >> bits, high >> bits));
    }
}

/* Every other mean over the row, from its even elements. */
FV_FN void average_halved(int16_t *column, int width, uint16_t *to, int scale)
{
    Weights weights = weights_of(scale);
    int side = side_of(scale);
    for (int i = 1; i <= reach_of(scale); i++) {
        column[-i] = column[i];
        column[width - 1 + i] = column[width - 1 - i];
    }
    for (int x = 0; x < width / 2; x += FV_LANES) {
        fv_i32 sum = start_of(16) + made_up_even(FV_LOAD(fv_i16, column + 2 * x), scale);
        FV_UNROLL
        for (int i = 0; i <= 2 * side; i++)
            sum = fv_madd_add_i16(sum, FV_LOAD(fv_i16, column + 2 * x + 2 * (i - side)), weights.even[i]);
        FV_STORE(to + x, __builtin_convertvector((fv_u32)sum >> 16, fv_u16_half));
    }
}

FV_FN void reduce_plane(const FvVifPlanes *p, const uint8_t *plane, ptrdiff_t from_stride, int first, int rows,
                        uint16_t *to, ptrdiff_t stride, void *scratch, int scale, bool words, int bits)
{
    int side = side_of(scale), count = 2 * side + 1, next = first - side;
    Reduction work = reduction_in(scratch, p->width, count);
    for (int y = first; y < first + rows; y++) {
        const FvTurns *pair[PAIRS];
        for (; next <= y + side; next++)
            take_pair(p, plane, from_stride, 2 * next, work.pair[(next + count) % count], words, bits);
        for (int i = 0; i < count; i++)
            pair[i] = work.pair[(y - side + i + count) % count];
        average_pairs(pair, p->width, work.column, scale, bits);
        average_halved(work.column, p->width, (uint16_t *)((uint8_t *)to + y * stride), scale);
    }
}

#define REDUCE(name, scale, words, bits)                                                                             \
    static __attribute__((noinline)) void name(const FvVifPlanes *p, const uint8_t *plane, ptrdiff_t from_stride,    \
                                               int first, int rows, uint16_t *to, ptrdiff_t stride, void *scratch)   \
    {                                                                                                                \
        reduce_plane(p, plane, from_stride, first, rows, to, stride, scratch, scale, words, bits);                   \
    }
REDUCE(reduce_to1_8, 1, false, 8)
REDUCE(reduce_to1, 1, true, p->depth)
REDUCE(reduce_to2, 2, true, 16)
REDUCE(reduce_to3, 3, true, 16)

static void reduce(const FvVifPlanes *p, int first, int rows, uint16_t *ref, uint16_t *dis, ptrdiff_t stride,
                   void *scratch)
{
    void (*plane)(const FvVifPlanes *, const uint8_t *, ptrdiff_t, int, int, uint16_t *, ptrdiff_t, void *) =
        p->scale == 2   ? reduce_to3
        : p->scale == 1 ? reduce_to2
        : p->depth == 8 ? reduce_to1_8
                        : reduce_to1;
    plane(p, p->ref, p->ref_stride, first, rows, ref, stride, scratch);
    plane(p, p->dis, p->dis_stride, first, rows, dis, stride, scratch);
}

static void logarithms(const uint32_t *numbers, int count, const uint16_t *logs, int32_t *to)
{
    for (int i = 0; i < count; i += FV_LANES)
        FV_STORE(to + i, log_of(logs, FV_LOAD(fv_u32, numbers + i)));
}

const FvVifKernels FV_ISA_STRUCT(fv_vif_kernels) = {.sums = sums, .reduce = reduce, .logarithms = logarithms};
