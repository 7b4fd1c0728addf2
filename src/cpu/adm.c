/*
 * ADM for one instruction set, row by row: the wavelet computes a row of coefficients, which is split and weighted at
 * once. The sums need only the last three rows of weighted coefficients.
 */
#include "cpu/adm.h"

#include "cpu/adm_coefficients-inl.h"
#include "cpu/adm_wavelet-inl.h"

/* Shuffle indices: each column's sums one column before, and one column after. */
#if FV_LANES == 16
#define BEFORE 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
#define BEHIND 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
#elif FV_LANES == 8
#define BEFORE 7, 8, 9, 10, 11, 12, 13, 14
#define BEHIND 1, 2, 3, 4, 5, 6, 7, 8
#else
#define BEFORE 3, 4, 5, 6
#define BEHIND 1, 2, 3, 4
#endif

FV_FN fv_i32 column_sum(const int32_t *const around[3], int x)
{
    return FV_LOAD(fv_i32, around[0] + x) + FV_LOAD(fv_i32, around[1] + x) + FV_LOAD(fv_i32, around[2] + x);
}

FV_FN fv_i32 weighted_at(const FvAdmScale *scale, const int32_t *row, int band, int x, bool first_scale)
{
    if (!first_scale)
        return FV_LOAD(fv_i32, row + x);
    return fv_i32_from_i16(FV_LOAD(fv_i16_half, (const int16_t *)row + x)) * (int32_t)scale->factor[band];
}

/*
 * Writes to sums[band] the rounded sum of the cubes of one part in a row; side 0: restored part, 1: additive part.
 * wraps: squares may exceed 31 bits and then wrap. Returns whether a square may exceed 31 bits.
 */
FV_FN int numerators(const FvAdmScale *scale, const FvAdmLine *line, const int32_t *const around[3], int side,
                     bool first_scale, bool wraps, int64_t sums[3])
{
    fv_u64 sum[3] = {{0}, {0}, {0}};
    fv_i32 seen = {0}, lane = fv_lane_index();
    int first = scale->left;
    fv_u64 half[3], shift[3];
    for (int band = 0; band < 3; band++) {
        half[band] = (fv_u64)fv_splat_i64(1u << (scale->cube_bits[band] - 1));
        shift[band] = (fv_u64)fv_splat_i64(scale->cube_bits[band]);
    }
    fv_i32 before = column_sum(around, first - FV_LANES), here = column_sum(around, first);
    for (int x = first; x < scale->right; x += FV_LANES) {
        fv_i32 behind = column_sum(around, x + FV_LANES);
        fv_i32 limit = FV_LOAD(fv_i32, line->centre[1 - side] + x) + here +
                       __builtin_shufflevector(before, here, BEFORE) + __builtin_shufflevector(here, behind, BEHIND);
        fv_i32 counts = lane < scale->right - x;
        before = here;
        here = behind;
        for (int band = 0; band < 3; band++) {
            fv_i32 weighted = weighted_at(scale, line->weighted[side][band], band, x, first_scale);
            fv_i32 excess = fv_adm_excess(weighted, limit, fv_adm_threshold_bits(!first_scale, band)) & counts;
            seen |= excess;
            fv_word even = (fv_word)excess, odd = (fv_word)excess >> 32; /* fv_product() ignores the upper halves */
            int square_bits = fv_adm_square_bits(!first_scale, band), cube_bits = scale->cube_bits[band];
            if (wraps)
                sum[band] += (fv_u64)fv_adm_cube_wrapped(even, square_bits, cube_bits) +
                             (fv_u64)fv_adm_cube_wrapped(odd, square_bits, cube_bits);
            else
                sum[band] += fv_adm_cube(even, square_bits, half[band], shift[band]) +
                             fv_adm_cube(odd, square_bits, half[band], shift[band]);
        }
    }
    for (int band = 0; band < 3; band++)
        sums[band] = fv_adm_row_rounded(fv_sum_i64(sum[band]), scale->row_bits);
    return fv_any(seen >> 30 != 0);
}

static void add_numerators(const FvAdmScale *scale, const FvAdmScratch *scratch, int y, FvAdmSums *sums)
{
    int above = y ? y - 1 : 1, below = y + 1 < scale->rows ? y + 1 : y;
    for (int side = 0; side < (scale->impairment ? 2 : 1); side++) {
        const int32_t *const around[3] = {scratch->line[above % 3].around[1 - side],
                                          scratch->line[y % 3].around[1 - side],
                                          scratch->line[below % 3].around[1 - side]};
        const FvAdmLine *line = &scratch->line[y % 3];
        int64_t row[3];
        if (scale->scale == 0) {
            if (numerators(scale, line, around, side, true, false, row))
                numerators(scale, line, around, side, true, true, row);
        } else if (numerators(scale, line, around, side, false, false, row))
            numerators(scale, line, around, side, false, true, row);
        for (int band = 0; band < 3; band++)
            (side ? sums->additive : sums->restored)[band] += row[band];
    }
}

static void add_detail(const FvAdmScale *scale, const FvAdmScratch *scratch, FvAdmSums *sums)
{
    fv_i32 lane = fv_lane_index();
    for (int band = 0; band < 3; band++) {
        fv_u64 sum = {0};
        for (int x = scale->left; x < scale->right; x += FV_LANES) {
            const int32_t *row = scratch->band[0][band];
            fv_i32 v = scale->scale == 0 ? fv_i32_from_i16(FV_LOAD(fv_i16_half, (const int16_t *)row + x))
                                         : FV_LOAD(fv_i32, row + x);
            v &= lane < scale->right - x;
            fv_word magnitude = (fv_word)fv_sel_i32(v < 0, -v, v), even = magnitude & 0xffffffffu,
                    odd = magnitude >> 32;
            if (scale->scale == 0)
                sum += fv_adm_detail0(even) + fv_adm_detail0(odd);
            else
                sum += fv_adm_detail(even, scale->detail_square_bits, scale->detail_cube_bits) +
                       fv_adm_detail(odd, scale->detail_square_bits, scale->detail_cube_bits);
        }
        uint64_t total = fv_sum_u64(sum) + ((uint64_t)1 << scale->detail_row_bits >> 1);
        sums->detail[band] += (int64_t)(total >> scale->detail_row_bits);
    }
}

static void rows(const FvAdmScale *scale, const FvAdmPlane input[2], const FvAdmPlane low[2], int first, int count,
                 void *memory, FvAdmSums *sums)
{
    FvAdmScratch scratch = fv_adm_scratch(scale, memory);
    FvAdmReach reach = fv_adm_reach(scale, first, count);
    *sums = (FvAdmSums){{0}, {0}, {0}};
    for (int y = reach.from; y < reach.to; y++) {
        bool measured = y >= reach.top - 1 && y <= reach.bottom;
        for (int picture = 0; picture < 2; picture++) {
            uint8_t *low_row = (uint8_t *)low[picture].data + y * low[picture].stride;
            bool kept = y >= first && y < first + count;
            wavelet(scale, &input[picture], y, measured ? 2 : 1, &scratch, scratch.band[picture],
                    kept ? low_row : NULL);
        }
        if (!measured)
            continue;
        measure(scale, &scratch, y);
        if (y >= reach.top && y < reach.bottom)
            add_detail(scale, &scratch, sums);
        if (y > reach.top)
            add_numerators(scale, &scratch, y - 1, sums);
    }
    if (reach.top < reach.bottom && reach.bottom == scale->rows)
        add_numerators(scale, &scratch, reach.bottom - 1, sums);
}

const FvAdmKernels FV_ISA_STRUCT(fv_adm_kernels) = {.rows = rows};
