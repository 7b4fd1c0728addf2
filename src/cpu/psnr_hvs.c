/*
 * PSNR-HVS kernels for one instruction set. Every lane is a block, so all sums of a block are added in the
 * reference's order; only the plane's sum couples blocks. Two units of FV_LANES blocks make a group: 16-bit lane 2i
 * belongs to block i of the first unit, lane 2i + 1 to block i of the second.
 */
#include "cpu/psnr_hvs.h"

#include "cpu/simd.h"
#include "cpu/lanes16.h"
#include "cpu/psnr_hvs_load-inl.h"

#include "arith/psnr_hvs.h"

#define EDGE_STRIDE 256 /* bytes of a row of a unit, and of what loads read after it */

#if defined(__AVX2__) || defined(__ARM_NEON)
#define MULHRS_IS_CHEAP true
#else
#define MULHRS_IS_CHEAP false
#endif

/* FV_LANES neighbouring blocks in a row of blocks. */
typedef struct Unit {
    const uint8_t *at[2]; /* ref and dis */
    ptrdiff_t stride[2];
    int first, end; /* the lanes [first, end) that count */
} Unit;

/*
 * The samples of the next row of blocks, prefetched one row at a time while a group is computed. If all were fetched
 * at once, they would wait for each other, and the group for them.
 */
typedef struct Below {
    const uint8_t *row[4]; /* the next row to fetch of each unit and frame */
    ptrdiff_t stride[4];
    int bytes;  /* bytes per row; 0: there is no row of blocks below */
    int number; /* number of rows fetched so far */
} Below;

/*
 * Factors for coefficients that are 2^16 times too large: a 16-bit coefficient is read as the upper half of a 32-bit
 * lane, which saves a shift.
 */
typedef struct Factors {
    float mask, inverse, rest, weight;
} Factors;

/* Sums of samples and of their squares over the quadrants of a unit's blocks. */
typedef struct Totals {
    fv_i32 sample[4], square[4];
} Totals;

typedef struct Group {
    fv_i16 coefficient[2][64]; /* [frame][8 * row + column] */
    union {
        fv_i16 sample[2][64];
        fv_f32 difference[64][2]; /* differences of coefficients, times 2^16; the samples are not needed any more */
    };
    Totals total[2][2]; /* [frame][unit], like the members below */
    fv_f32 block[2][2], quadrant[2][2][4], ratio[2][2];
    fv_f32 energy[2][2], threshold[2][2];
    fv_f32 hiding[2]; /* the greater of the two frames' thresholds */
    Unit unit[2];
    Below below;
    Factors factors[64];
    uint8_t edge[2][2][8 * EDGE_STRIDE]; /* [unit][frame] */
} Group;

/* Prefetches one row of 4 x FV_HVS_STEP rows: two units of two frames. */
FV_FN void fetch_below(Below *below)
{
    const int i = below->number++ % 4;
    for (int x = 0; x < below->bytes; x += 64)
        __builtin_prefetch(below->row[i] + x);
    below->row[i] += below->stride[i];
}

FV_FN Pairs load_row(const Unit *unit, int picture, int i, bool words)
{
    const uint8_t *row = unit->at[picture] + i * unit->stride[picture];
    return words ? load_words(row) : load_bytes(row);
}

/* ---- Variances ---------------------------------------------------------------------------------------------- */

/*
 * Returns the samples of unit u as floats plus RAISED; the means that they are compared with are raised as well.
 * Floats from 2^17 to 2^18 have a spacing of 1/64, and means of blocks are multiples of 1/64. So nothing is rounded,
 * and one operation converts the samples.
 */
#if defined(__AVX512VNNI__)
#define RAISED 131072.0f
FV_FN fv_f32 value_of(fv_i16 samples, int u)
{
    return (fv_f32)_mm512_dpwssd_epi32((__m512i)fv_splat_f32(RAISED), (__m512i)samples,
                                       _mm512_set1_epi32(u ? 64 << 16 : 64));
}
#else
#define RAISED 0.0f
FV_FN fv_f32 value_of(fv_i16 samples, int u)
{
    return fv_f32_from_i32(u ? (fv_i32)((fv_u32)samples >> 16) : (fv_i32)samples & 0xffff);
}
#endif

/* Computes the sums of squared deviations of blocks in the reference's order of additions, four sums at a time. */
static __attribute__((noinline)) void chain_blocks(Group *group)
{
    fv_f32 mean[2][2];
    for (int picture = 0; picture < 2; picture++)
        for (int u = 0; u < 2; u++) {
            const fv_i32 *total = group->total[picture][u].sample;
            mean[picture][u] = fv_hvs_block_mean(total[0] + total[1] + total[2] + total[3]) + RAISED;
        }
    fv_f32 ref0 = {0}, ref1 = {0}, dis0 = {0}, dis1 = {0};
    for (int i = 0; i < 64; i++) {
        fv_i16 ref = group->sample[0][i], dis = group->sample[1][i];
        ref0 = fv_hvs_add_deviation(ref0, value_of(ref, 0), mean[0][0]);
        ref1 = fv_hvs_add_deviation(ref1, value_of(ref, 1), mean[0][1]);
        dis0 = fv_hvs_add_deviation(dis0, value_of(dis, 0), mean[1][0]);
        dis1 = fv_hvs_add_deviation(dis1, value_of(dis, 1), mean[1][1]);
    }
    group->block[0][0] = ref0;
    group->block[0][1] = ref1;
    group->block[1][0] = dis0;
    group->block[1][1] = dis1;
}

/* Does the same as chain_blocks() for the quadrants of one frame and unit. */
static __attribute__((noinline)) void chain_quadrants(Group *group, int picture, int u)
{
    for (int k = 0; k < 4; k++) {
        const fv_i16 *sample = group->sample[picture] + 32 * (k % 2) + 4 * (k / 2);
        fv_f32 sum = {0}, mean = fv_hvs_quadrant_mean(group->total[picture][u].sample[k]) + RAISED;
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                sum = fv_hvs_add_deviation(sum, value_of(sample[8 * i + j], u), mean);
        group->quadrant[picture][u][k] = sum;
    }
}

/*
 * Computes the variances. Adding squared deviations one by one never rounds if the exact sum is below 2^24 units,
 * because then every term and every partial sum is a multiple of the unit with at most 24 bits. The unit is 2^-8 in a
 * quadrant, so the limit is 2^16; in a block it is 2^-12, and the limit 2^12. Below the limits, integers give the
 * same number. They hold 16 times a quadrant's sum for all depths, and 64 times a block's sum for samples of up to 10
 * bits.
 */
FV_FN void variances(Group *group, int depth)
{
    fv_mask block_rounds = {0};
    for (int picture = 0; picture < 2; picture++)
        for (int u = 0; u < 2; u++) {
            const Totals *total = &group->total[picture][u];
            fv_i32 sample = {0}, square = {0};
            fv_mask rounds = {0};
            for (int k = 0; k < 4; k++) {
                sample += total->sample[k];
                square += total->square[k];
                fv_u32 sum = (fv_u32)total->sample[k]; /* the products may wrap, but their difference fits */
                fv_i32 quadrant = (fv_i32)(16u * (fv_u32)total->square[k] - sum * sum);
                rounds |= quadrant >= 1 << 20;
                group->quadrant[picture][u][k] = fv_f32_from_i32(quadrant) * 0.0625f;
            }
            if (fv_any(rounds))
                chain_quadrants(group, picture, u);
            fv_u32 block = 64 * (fv_u32)square - (fv_u32)sample * (fv_u32)sample;
            block_rounds |= (fv_mask)(block >= 1u << 18);
            group->block[picture][u] = fv_f32_from_i32((fv_i32)block) * 0.015625f;
        }
    if (depth > 10 || fv_any(block_rounds))
        chain_blocks(group);
    for (int picture = 0; picture < 2; picture++)
        for (int u = 0; u < 2; u++) {
            fv_f32 *v = group->quadrant[picture][u], *block = &group->block[picture][u];
            for (int k = 0; k < 4; k++)
                v[k] = fv_hvs_quadrant_variance(v[k]);
            *block = fv_hvs_block_variance(*block);
            group->ratio[picture][u] = fv_hvs_ratio(*block, v[0], v[1], v[2], v[3]);
        }
}

/* ---- One picture: samples, variances, transform -------------------------------------------------------------- */

FV_FN void load_picture(Group *group, int picture, bool words)
{
    fv_i16 *sample = group->sample[picture];
    for (int bottom = 0; bottom < 2; bottom++) {
        fv_i16 sum[2][2] = {{{0}}};
        fv_i32 square[2][2] = {{{0}}};
        for (int i = 4 * bottom; i < 4 * bottom + 4; i++) {
            Pairs row[2];
            if (i % 2)
                fetch_below(&group->below);
            for (int u = 0; u < 2; u++) {
                row[u] = load_row(&group->unit[u], picture, i, words);
                for (int k = 0; k < 4; k++) {
                    sum[u][k / 2] += row[u].v[k];
                    square[u][k / 2] += fv_madd_i16(row[u].v[k], row[u].v[k]);
                }
            }
            for (int k = 0; k < 4; k++) {
                sample[8 * i + 2 * k] = fv_lower_words(row[0].v[k], row[1].v[k]);
                sample[8 * i + 2 * k + 1] = fv_upper_words(row[0].v[k], row[1].v[k]);
            }
        }
        for (int u = 0; u < 2; u++)
            for (int right = 0; right < 2; right++) {
                group->total[picture][u].sample[2 * right + bottom] = fv_madd_i16(sum[u][right], fv_splat_i16(1));
                group->total[picture][u].square[2 * right + bottom] = square[u][right];
            }
    }
}

/* Transforms eight lines of eight elements; lines are `next` elements apart, elements of a line `step`. */
FV_FN void transform_lines(Below *below, fv_i16 *to, const fv_i16 *from, int next, int step, bool narrow)
{
    for (int n = 0; n < 8; n++, to += next, from += next) {
        if (n % 2)
            fetch_below(below);
        FvHvsEight x;
        for (int i = 0; i < 8; i++)
            x.v[i] = from[i * step];
        x = fv_hvs_lift(x, narrow);
        for (int i = 0; i < 8; i++)
            to[i * step] = x.v[i];
    }
}

/* Transforms both frames in alternation, so that no pass has to wait for the previous one to end. */
FV_FN void transform_pictures(Group *group, bool narrow)
{
    for (int picture = 0; picture < 2; picture++)
        transform_lines(&group->below, group->coefficient[picture], group->sample[picture], 1, 8, narrow);
    for (int picture = 0; picture < 2; picture++)
        transform_lines(&group->below, group->coefficient[picture], group->coefficient[picture], 8, 1, narrow);
}

static __attribute__((noinline)) void transform_narrow(Group *group)
{
    transform_pictures(group, true);
}

static __attribute__((noinline)) void transform_wide(Group *group)
{
    transform_pictures(group, false);
}

/* ---- Both pictures: masking, errors ---------------------------------------------------------------------------- */

/* Returns coefficients of unit u, 2^16 times too large. */
FV_FN fv_f32 widened(fv_i16 coefficient, int u)
{
    fv_i32 pair = (fv_i32)coefficient;
    return fv_f32_from_i32(u ? pair & (int)0xffff0000 : pair << 16);
}

/* Adds a coefficient to the energies of both frames' unit u, and stores the difference. */
FV_FN void add_coefficient(Group *group, int c, int u, fv_f32 factor, fv_f32 *ref_energy, fv_f32 *dis_energy)
{
    fv_f32 ref = widened(group->coefficient[0][c], u), dis = widened(group->coefficient[1][c], u);
    group->difference[c][u] = ref - dis;
    *ref_energy = fv_hvs_add_energy(*ref_energy, ref, factor);
    *dis_energy = fv_hvs_add_energy(*dis_energy, dis, factor);
}

FV_FN void find_threshold(Group *group, int u, fv_f32 ref_energy, fv_f32 dis_energy)
{
    fv_f32 ref = fv_hvs_threshold(ref_energy, group->ratio[0][u]);
    fv_f32 dis = fv_hvs_threshold(dis_energy, group->ratio[1][u]);
    group->energy[0][u] = ref_energy;
    group->energy[1][u] = dis_energy;
    group->threshold[0][u] = ref;
    group->threshold[1][u] = dis;
    group->hiding[u] = fv_max_f32(ref, dis);
}

static __attribute__((noinline)) void mask(Group *group)
{
    fv_f32 ref0 = {0}, ref1 = {0}, dis0 = {0}, dis1 = {0};
    for (int u = 0; u < 2; u++)
        group->difference[0][u] = widened(group->coefficient[0][0], u) - widened(group->coefficient[1][0], u);
    for (int c = 1; c < 64; c++) {
        fv_f32 factor = fv_splat_f32(group->factors[c].mask);
        if (c % 15 == 0)
            fetch_below(&group->below);
        add_coefficient(group, c, 0, factor, &ref0, &dis0);
        add_coefficient(group, c, 1, factor, &ref1, &dis1);
    }
    find_threshold(group, 0, ref0, dis0);
    find_threshold(group, 1, ref1, dis1);
}

/*
 * Returns threshold / mask. With a true fused multiply-add, inverse = f(1/mask) and rest = f(1/mask - inverse), where
 * f rounds, this form equals the division for every threshold and each of the masks; a test tries all 2^23
 * significands.
 */
FV_FN fv_f32 hidden(fv_f32 threshold, const Factors *factors)
{
#if defined(__AVX512F__)
    return (fv_f32)_mm512_fmadd_ps((__m512)threshold, _mm512_set1_ps(factors->inverse),
                                   (__m512)(threshold * factors->rest));
#elif defined(__FMA__)
    return (fv_f32)_mm256_fmadd_ps((__m256)threshold, _mm256_set1_ps(factors->inverse),
                                   (__m256)(threshold * factors->rest));
#elif defined(__ARM_NEON)
    return (fv_f32)vfmaq_n_f32((float32x4_t)(threshold * factors->rest), (float32x4_t)threshold, factors->inverse);
#else
    return threshold * 65536.0f / factors->inverse;
#endif
}

FV_FN fv_f32 addend(const Group *group, int c, int u)
{
    const Factors *factors = &group->factors[c];
    fv_f32 above = c ? hidden(group->hiding[u], factors) : fv_splat_f32(0);
    return fv_hvs_addend(fv_hvs_visible(group->difference[c][u], above), fv_splat_f32(factors->weight));
}

/* The effect of each block of a group on a sum in a binade; see FvHvsStep. Unused lanes have no effect. */
typedef struct Gains {
    uint32_t binade;
    uint32_t of[2][2 * FV_LANES];
    bool by_parity; /* whether the gains of even and odd sums differ in any lane */
    uint32_t total; /* sum of the gains if they do not differ */
} Gains;

static __attribute__((noinline)) void find_gains(const Group *group, uint32_t binade, Gains *gains)
{
    fv_f32 track[2][2];
    for (int u = 0; u < 2; u++) {
        fv_f32 a = addend(group, 0, u);
        for (uint32_t odd = 0; odd < 2; odd++)
            track[odd][u] = fv_f32_from_bits(fv_splat_u32(binade + odd)) + a;
    }
    for (int c = 1; c < 64; c++)
        for (int u = 0; u < 2; u++) {
            fv_f32 a = addend(group, c, u);
            track[0][u] += a;
            track[1][u] += a;
        }
    fv_i32 lane, total = {0};
    fv_mask differ = {0};
    for (int i = 0; i < FV_LANES; i++)
        lane[i] = i;
    for (int u = 0; u < 2; u++) {
        fv_i32 gain[2];
        for (uint32_t odd = 0; odd < 2; odd++) {
            gain[odd] = fv_min_i32((fv_i32)(fv_bits(track[odd][u]) - (binade + odd)), fv_splat_i32(FV_HVS_LEAVES));
            gain[odd] &= (lane >= group->unit[u].first) & (lane < group->unit[u].end);
            FV_STORE(gains->of[odd] + u * FV_LANES, gain[odd]);
        }
        differ |= gain[0] != gain[1];
        total += gain[0];
    }
    gains->binade = binade;
    gains->by_parity = fv_any(differ);
    gains->total = 0;
    for (int i = 0; i < FV_LANES; i++)
        gains->total += (uint32_t)total[i];
}

/*
 * Advances a sum, as bits, over the blocks from `lane` on while it stays in the binade. Returns the lane of the block
 * at which it leaves the binade, or the one after the last.
 */
static int advance(const Gains *gains, int lane, uint32_t *bits)
{
    if (!lane && !gains->by_parity) {
        uint32_t next = *bits + gains->total;
        if ((next & FV_HVS_BINADE) == gains->binade) {
            *bits = next;
            return 2 * FV_LANES;
        }
    }
    for (; lane < 2 * FV_LANES; lane++) {
        uint32_t next = *bits + gains->of[*bits & 1][lane];
        if ((next & FV_HVS_BINADE) != gains->binade)
            break;
        *bits = next;
    }
    return lane;
}

static __attribute__((noinline)) void addends(const Group *group, float out[64][2 * FV_LANES])
{
    for (int c = 0; c < 64; c++)
        for (int u = 0; u < 2; u++)
            FV_STORE(out[c] + u * FV_LANES, addend(group, c, u));
}

/* ---- Groups ------------------------------------------------------------------------------------------------- */

static void prepare_group(Group *group, const FvHvsPlane *plane)
{
    const float *mask = fv_hvs_mask + 64 * plane->index, *weight = fv_hvs_weight + 64 * plane->index;
    const float scale = 65536.0f;
    for (int c = 0; c < 64; c++) {
        Factors *factors = &group->factors[c];
        factors->mask = mask[c] / scale / scale;
        factors->weight = weight[c] / scale;
#if defined(__FMA__) || defined(__ARM_NEON)
        factors->inverse = (float)(1.0 / mask[c]);
        factors->rest = (float)(1.0 / mask[c] - factors->inverse) * scale;
        factors->inverse *= scale;
#else
        factors->inverse = mask[c];
#endif
    }
}

static uint32_t float_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static int units_in_row(const FvHvsPlane *plane)
{
    return (plane->columns + FV_LANES - 1) / FV_LANES;
}

/*
 * Finds the samples of a unit. The last unit of a row starts earlier, so that its first lanes repeat blocks. A plane
 * that is narrower than a unit is copied.
 */
static void find_unit(Group *group, int u, const FvHvsPlane *plane, int row, int index)
{
    Unit *unit = &group->unit[u];
    int sample_bytes = plane->depth > 8 ? 2 : 1, column = index * FV_LANES;
    *unit = (Unit){.stride = {plane->ref_stride, plane->dis_stride}, .end = FV_LANES};
    if (column > plane->columns - FV_LANES && column > 0) {
        unit->first = column - (plane->columns - FV_LANES);
        column -= unit->first;
    }
    for (int picture = 0; picture < 2; picture++)
        unit->at[picture] = (picture ? plane->dis : plane->ref) + FV_HVS_STEP * row * unit->stride[picture] +
                            FV_HVS_STEP * column * sample_bytes;
    if (plane->columns < FV_LANES) {
        unit->end = plane->columns;
        for (int picture = 0; picture < 2; picture++) {
            uint8_t *edge = group->edge[u][picture];
            memset(edge, 0, sizeof group->edge[u][picture]);
            for (int i = 0; i < 8; i++)
                memcpy(edge + i * EDGE_STRIDE, unit->at[picture] + i * unit->stride[picture],
                       (FV_HVS_STEP * plane->columns + 1) * sample_bytes);
            unit->at[picture] = edge;
            unit->stride[picture] = EDGE_STRIDE;
        }
    }
}

/* Finds the rows to prefetch: row 8 and later of both units. The last row of blocks has none. */
static void find_below(Group *group, const FvHvsPlane *plane, const bool exists[2])
{
    Below *below = &group->below;
    below->number = 0;
    below->bytes = plane->columns < FV_LANES ? 0 : FV_HVS_STEP * FV_LANES * (plane->depth > 8 ? 2 : 1);
    for (int i = 0; i < 4; i++) {
        const Unit *unit = &group->unit[exists[i / 2] ? i / 2 : 0];
        below->row[i] = unit->at[i % 2] + 8 * unit->stride[i % 2];
        below->stride[i] = unit->stride[i % 2];
    }
    if (!exists[0])
        below->bytes = 0;
}

/*
 * Computes everything up to the thresholds for the units `index` and `index` + 1, of `count`, in row of blocks `row`.
 */
static void open_group(Group *group, const FvHvsPlane *plane, int row, int index, int count)
{
    int per_row = units_in_row(plane);
    bool below[2];
    for (int u = 0; u < 2; u++) {
        int i = index + u < count ? index + u : index;
        find_unit(group, u, plane, row + i / per_row, i % per_row);
        below[u] = row + i / per_row + 1 < plane->rows;
        if (index + u >= count)
            group->unit[u].end = group->unit[u].first;
    }
    find_below(group, plane, below);
    for (int picture = 0; picture < 2; picture++)
        if (plane->depth > 8)
            load_picture(group, picture, true);
        else
            load_picture(group, picture, false);
    if (plane->depth <= 10 && MULHRS_IS_CHEAP)
        transform_narrow(group);
    else
        transform_wide(group);
    variances(group, plane->depth);
    mask(group);
}

static float sum_rows(const FvHvsPlane *plane, int row, int count, float sum)
{
    Group group;
    prepare_group(&group, plane);
    int units = count * units_in_row(plane);
    for (int i = 0; i < units; i += 2) {
        open_group(&group, plane, row, i, units);
        for (int lane = 0;; lane++) {
            Gains gains;
            uint32_t bits = float_bits(sum);
            find_gains(&group, bits & FV_HVS_BINADE, &gains);
            lane = advance(&gains, lane, &bits);
            memcpy(&sum, &bits, sizeof sum);
            if (lane == 2 * FV_LANES)
                break;
            float terms[64][2 * FV_LANES];
            addends(&group, terms);
            for (int c = 0; c < 64; c++)
                sum += terms[c][lane];
        }
    }
    return sum;
}

static void steps(const FvHvsPlane *plane, int row, int count, FvHvsStep *step)
{
    Group group;
    prepare_group(&group, plane);
    int units = units_in_row(plane);
    for (int y = 0; y < count; y++) {
        if (!step[y].binade)
            continue;
        uint32_t bits[2] = {step[y].binade, step[y].binade + 1};
        bool inside[2] = {true, true};
        for (int i = 0; i < units && inside[0]; i += 2) {
            Gains gains;
            open_group(&group, plane, row + y, i, units);
            find_gains(&group, step[y].binade, &gains);
            for (int odd = 0; odd < 2; odd++)
                inside[odd] = inside[odd] && advance(&gains, 0, &bits[odd]) == 2 * FV_LANES;
        }
        for (uint32_t odd = 0; odd < 2; odd++)
            step[y].gain[odd] = inside[0] && inside[odd] ? bits[odd] - (step[y].binade + odd) : FV_HVS_LEAVES;
    }
}

static void trace(const FvHvsPlane *plane, int row, FvHvsBlock *blocks)
{
    Group group;
    prepare_group(&group, plane);
    int units = units_in_row(plane);
    for (int i = 0; i < units; i += 2) {
        float terms[64][2 * FV_LANES];
        open_group(&group, plane, row, i, units);
        addends(&group, terms);
        for (int u = 0; u < 2; u++)
            for (int lane = group.unit[u].first; lane < group.unit[u].end; lane++, blocks++) {
                for (int picture = 0; picture < 2; picture++) {
                    blocks->block[picture] = group.block[picture][u][lane];
                    for (int k = 0; k < 4; k++)
                        blocks->quadrant[picture][k] = group.quadrant[picture][u][k][lane];
                    blocks->ratio[picture] = group.ratio[picture][u][lane];
                    blocks->energy[picture] = group.energy[picture][u][lane];
                    blocks->threshold[picture] = group.threshold[picture][u][lane];
                    for (int c = 0; c < 64; c++)
                        blocks->coefficient[picture][c] = group.coefficient[picture][c][2 * lane + u];
                }
                for (int c = 0; c < 64; c++)
                    blocks->addend[c] = terms[c][u * FV_LANES + lane];
            }
    }
}

const FvHvsKernels FV_ISA_STRUCT(fv_hvs_kernels) = {.sum = sum_rows, .steps = steps, .trace = trace};
