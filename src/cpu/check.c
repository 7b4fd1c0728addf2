/* Kernels of the measures that need only one video, for one instruction set. Samples have at most 12 bits. */
#include "cpu/check.h"

#include <string.h>

#include "cpu/simd.h"
#include "cpu/lanes16.h"
/* cpu/simd.h must come first: it defines the lane types that arith/check.h uses. */
#include "arith/check.h"

#define WORDS (2 * FV_LANES)
#define PART 64 /* samples of a row that are compared at once */

/* Returns samples x, x + 1, ... of a row as 16-bit lanes. */
FV_FN fv_i16 load(const uint8_t *row, int bytes, int x)
{
    return bytes == 1 ? fv_i16_from_u8(FV_LOAD(fv_u8_half, row + x)) : FV_LOAD(fv_i16, row + 2 * x);
}

/* Returns samples x, x + 1, ... of a row as 32-bit lanes. */
FV_FN fv_i32 load_wide(const uint8_t *row, int bytes, int x)
{
    return bytes == 1 ? fv_i32_from_u8(FV_LOAD(fv_u8_quarter, row + x))
                      : fv_i32_from_u16(FV_LOAD(fv_u16_half, row + 2 * x));
}

/* Returns a mask of the first `count` lanes. */
FV_FN fv_mask16 first_words(int count)
{
    static const int16_t index[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                      16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
    return (fv_mask16)(FV_LOAD(fv_i16, index) < fv_splat_i16(count < WORDS ? count : WORDS));
}

FV_FN fv_mask first_lanes(int count)
{
    return fv_lane_index() < fv_splat_i32(count);
}

/* Returns the sums of neighbouring 16-bit lanes, as 32-bit lanes. */
FV_FN fv_i32 pairs(fv_i16 words)
{
    return fv_madd_i16(words, fv_splat_i16(1));
}

/* Returns the sum of the lanes, which must be nonnegative. */
static uint64_t sum_of(fv_i32 v)
{
    uint64_t sum = 0;
    for (int i = 0; i < FV_LANES; i++)
        sum += (uint32_t)v[i];
    return sum;
}

/* Adds unsigned 16-bit lanes, for columns from x on, to the sums of their blocks. */
FV_FN void add_to_blocks(uint32_t *block, int x, fv_i16 words)
{
    fv_u32 low = (fv_u32)words & 0xffffu, pair = low + ((fv_u32)words >> 16);
    for (int i = 0; i < FV_LANES; i += 8) {
        uint32_t sum = 0;
        for (int k = i; k < i + 8 && k < FV_LANES; k++)
            sum += pair[k];
        block[(x + 2 * i) / FV_CHECK_BLOCK] += sum;
    }
}

/* Returns row y of luma, or the nearest row that exists. */
FV_FN const uint8_t *row_of(const FvFrame *frame, int y)
{
    const int last = frame->format.height - 1;
    return frame->data[0] + (y < 0 ? 0 : y > last ? last : y) * frame->stride[0];
}

/* Returns where a sample in the middle of five in a column is combed. unit: 1 at 8 bits. */
FV_FN fv_i16 combs(fv_i16 a, fv_i16 b, fv_i16 c, fv_i16 d, fv_i16 e, int unit)
{
    const fv_i16 above = c - b, below = c - d, far = fv_splat_i16(9 * unit);
    return FV_CHECK_JAGGED(above, below, far) &
           (fv_i16)(fv_abs_i16(FV_CHECK_COMBED(a, b, c, d, e)) > fv_splat_i16(54 * unit));
}

#include "cpu/check_bytes-inl.h"

/* ---- Spatial and temporal information ------------------------------------------------------------------------ */

/* Adds the squares of the lanes to *sum. */
FV_FN void add_squares(fv_u64 *sum, fv_u32 v)
{
    const fv_u64 odd = (fv_u64)v >> 32;
    *sum += fv_product((fv_word)v, (fv_word)v) + fv_product((fv_word)odd, (fv_word)odd);
}

static void split_squares(FvCheckSums *sums, fv_u64 squares)
{
    for (int i = 0; i < FV_LANES64; i++) {
        sums->low += squares[i] & 0xffffffffu;
        sums->high += squares[i] >> 32;
    }
}

/* Returns the first (half 0) or the second half of the lanes in binary64. */
FV_FN fv_f64 wide_f64(fv_i32 v, int half)
{
#if defined(__AVX512F__)
    return (fv_f64)_mm512_cvtepi32_pd(half ? _mm512_extracti64x4_epi64((__m512i)v, 1)
                                           : _mm512_castsi512_si256((__m512i)v));
#elif defined(__AVX2__)
    return (fv_f64)_mm256_cvtepi32_pd(half ? _mm256_extracti128_si256((__m256i)v, 1)
                                           : _mm256_castsi256_si128((__m256i)v));
#elif defined(__SSE2__)
    return (fv_f64)_mm_cvtepi32_pd(half ? _mm_srli_si128((__m128i)v, 8) : (__m128i)v);
#else
    return (fv_f64){v[2 * half], v[2 * half + 1]};
#endif
}

/*
 * Adds the gradients of a row: 4 sqrt(a^2 + b^2), rounded. A root in binary64 costs no more here than the steps of
 * fv_check_root(), and 4 times this root is further than 2^-27 from the middle of two integers. 2^50 added to the
 * root rounds it to quarters, so the low word of a lane is the gradient.
 */
FV_FN void spatial_row(const int32_t *north, const int32_t *middle, const int32_t *south, int width, FvCheckSums *si)
{
    const uint64_t bias = 0x4310000000000000u; /* the bits of 2^50 */
    fv_u64 sum = {0}, squares = {0};
    for (int x = 1; x < width - 1; x += FV_LANES) {
        const fv_i32 nw = FV_LOAD(fv_i32, north + x - 1), n = FV_LOAD(fv_i32, north + x),
                     ne = FV_LOAD(fv_i32, north + x + 1), w = FV_LOAD(fv_i32, middle + x - 1),
                     e = FV_LOAD(fv_i32, middle + x + 1), sw = FV_LOAD(fv_i32, south + x - 1),
                     s = FV_LOAD(fv_i32, south + x), se = FV_LOAD(fv_i32, south + x + 1);
        fv_i32 across = FV_CHECK_ACROSS(nw, ne, w, e, sw, se), down = FV_CHECK_DOWN(nw, n, ne, sw, s, se);
        if (x + FV_LANES > width - 1) {
            across &= first_lanes(width - 1 - x);
            down &= first_lanes(width - 1 - x);
        }
        FV_UNROLL
        for (int half = 0; half < 2; half++) {
            const fv_f64 a = wide_f64(across, half), b = wide_f64(down, half);
            const fv_u64 m = (fv_u64)(fv_sqrt_f64(a * a + b * b) + 1125899906842624.0);
            sum += m - bias;
            squares += fv_product(m, m);
        }
    }
    si->sum += fv_sum_i64(sum);
    split_squares(si, squares);
}

/*
 * Adds the changes of a row of samples, whose values are `q`, from the row before. Equal parts of both rows are left
 * out.
 */
FV_FN void temporal_row(const int32_t *table, const uint8_t *now, const uint8_t *before, int bytes, int width,
                        const int32_t *q, FvCheckSums *ti)
{
    fv_u64 squares = {0};
    for (int x = 0; x < width; x += PART) {
        const int count = width - x < PART ? width - x : PART;
        int32_t older[PART];
        fv_i32 sum = {0};
        if (!memcmp(now + x * bytes, before + x * bytes, (size_t)(count * bytes)))
            continue;
        fv_check_look_up(table, before + x * bytes, bytes, count, older);
        for (int i = 0; i < count; i += FV_LANES) {
            fv_i32 d = FV_LOAD(fv_i32, q + x + i) - FV_LOAD(fv_i32, older + i);
            if (i + FV_LANES > count)
                d &= first_lanes(count - i);
            sum += d;
            add_squares(&squares, (fv_u32)fv_max_i32(d, 0 - d));
        }
        for (int i = 0; i < FV_LANES; i++)
            ti->sum += sum[i];
    }
    split_squares(ti, squares);
}

FV_FN void siti_rows(const int32_t *table, const FvFrame *now, const FvFrame *before, int bytes, int first, int rows,
                     FvCheckSums *si, FvCheckSums *ti, int32_t *scratch)
{
    const int width = now->format.width, height = now->format.height, pitch = width + 64;
    int32_t *ring[3] = {scratch, scratch + pitch, scratch + 2 * pitch};
#define NOW(y) (now->data[0] + (y)*now->stride[0])
    for (int y = first > 0 ? first - 1 : 0; y <= first; y++)
        fv_check_look_up(table, NOW(y), bytes, width, ring[y % 3]);
    for (int y = first; y < first + rows; y++) {
        if (y < height - 1)
            fv_check_look_up(table, NOW(y + 1), bytes, width, ring[(y + 1) % 3]);
        if (y > 0 && y < height - 1)
            spatial_row(ring[(y + 2) % 3], ring[y % 3], ring[(y + 1) % 3], width, si);
        if (before)
            temporal_row(table, NOW(y), before->data[0] + y * before->stride[0], bytes, width, ring[y % 3], ti);
    }
#undef NOW
}

static void siti(const int32_t *table, const FvFrame *now, const FvFrame *before, int first, int rows,
                 FvCheckSums *si, FvCheckSums *ti, void *scratch)
{
    if (now->format.depth > 8)
        siti_rows(table, now, before, 2, first, rows, si, ti, scratch);
    else
        siti_rows(table, now, before, 1, first, rows, si, ti, scratch);
}

/* ---- Differences of frames ----------------------------------------------------------------------------------- */

static uint64_t differing_words(const uint8_t *now, ptrdiff_t now_stride, const uint8_t *before,
                                ptrdiff_t before_stride, int width, int rows, uint32_t *block)
{
    fv_i32 differ = {0};
    for (int x = 0; x < width; x += WORDS) {
        fv_i16 sum = {0}, unequal = {0};
        const fv_i16 kept = first_words(width - x);
        for (int y = 0; y < rows; y++) {
            fv_i16 d = load(now + y * now_stride, 2, x) - load(before + y * before_stride, 2, x);
            d = fv_abs_i16(d) & kept;
            sum += d;
            unequal -= d != 0;
        }
        differ += pairs(unequal);
        add_to_blocks(block, x, sum);
    }
    return sum_of(differ);
}

static uint64_t differences(const uint8_t *now, ptrdiff_t now_stride, const uint8_t *before, ptrdiff_t before_stride,
                            int width, int rows, int bytes, uint32_t *block)
{
    for (int x = 0; x < width; x += FV_CHECK_BLOCK)
        block[x / FV_CHECK_BLOCK] = 0;
    return bytes == 1 ? differing_bytes(now, now_stride, before, before_stride, width, rows, block)
                      : differing_words(now, now_stride, before, before_stride, width, rows, block);
}

/* ---- Levels -------------------------------------------------------------------------------------------------- */

static void level_words(const uint8_t *data, ptrdiff_t stride, int width, int rows, int few, int many,
                        FvCheckLevels *levels, uint64_t *row, uint32_t *column)
{
    const fv_i16 low = fv_splat_i16(few), high = fv_splat_i16(many);
    fv_i16 least = fv_splat_i16(levels->least < 32767 ? levels->least : 32767), most = fv_splat_i16(levels->most);
    fv_i32 below = {0}, above = {0}, across[FV_CHECK_BLOCK] = {{0}};
    for (int x = 0; x < width; x += WORDS) {
        const fv_i16 kept = first_words(width - x);
        fv_i16 dark = {0}, bright = {0}, down = {0};
        for (int y = 0; y < rows; y++) {
            const fv_i16 code = load(data + y * stride, 2, x);
            dark -= (code <= low) & kept;
            bright -= (code >= high) & kept;
            least = fv_min_i16(least, (code & kept) | (0x7fff & ~kept));
            most = fv_max_i16(most, code & kept);
            down += code & kept;
            if (row)
                across[y] += pairs(code & kept);
        }
        below += pairs(dark);
        above += pairs(bright);
        if (column) {
            uint16_t sums[WORDS];
            FV_STORE(sums, down);
            const int end = width - x < WORDS ? width - x : WORDS;
            for (int i = 0; i < end; i++)
                column[x + i] += sums[i];
        }
    }
    for (int i = 0; i < WORDS; i++) {
        levels->least = least[i] < levels->least ? least[i] : levels->least;
        levels->most = most[i] > levels->most ? most[i] : levels->most;
    }
    levels->few += sum_of(below);
    levels->many += sum_of(above);
    for (int y = 0; y < rows && row; y++)
        row[y] = sum_of(across[y]);
}

static void levels(const uint8_t *data, ptrdiff_t stride, int width, int rows, int bytes, int few, int many,
                   FvCheckLevels *levels, uint64_t *row, uint32_t *column)
{
    if (bytes == 1)
        level_bytes(data, stride, width, rows, few, many, levels, row, column);
    else
        level_words(data, stride, width, rows, few, many, levels, row, column);
}

static void cell_words(const uint8_t *data, ptrdiff_t stride, int rows, const int *edge, uint64_t *cell)
{
    for (int y = 0; y < rows; y++, data += stride)
        for (int i = 0; i < FV_CHECK_COLUMNS; i++) {
            fv_i32 sum = {0};
            for (int x = edge[i]; x < edge[i + 1]; x += WORDS)
                sum += pairs(load(data, 2, x) & first_words(edge[i + 1] - x));
            cell[i] += sum_of(sum);
        }
}

static void cells(const uint8_t *data, ptrdiff_t stride, int width, int rows, int bytes, const int *edge,
                  uint64_t *cell)
{
    if (bytes == 1)
        cell_bytes(data, stride, rows, edge, cell);
    else
        cell_words(data, stride, rows, edge, cell);
}

/* ---- Colour -------------------------------------------------------------------------------------------------- */

/* The contribution of chroma to each component of R'G'B'. */
typedef struct Chroma {
    fv_i32 red, green, blue;
} Chroma;

FV_FN Chroma chroma_of(const FvCheckLight *light, fv_i32 u, fv_i32 v)
{
    u -= light->middle;
    v -= light->middle;
    return (Chroma){FV_CHECK_RED(*light, v), FV_CHECK_GREEN(*light, u, v), FV_CHECK_BLUE(*light, u)};
}

/* Returns the samples of 16-bit lanes with even or odd numbers. */
FV_FN fv_i32 every_second(fv_i16 words, int odd)
{
    return odd ? (fv_i32)((fv_u32)words >> 16) : (fv_i32)words & 0xffff;
}

/* Returns the chroma of the columns of luma with even or odd numbers from x on. */
FV_FN Chroma load_chroma(const FvCheckLight *light, const FvFrame *frame, int bytes, int x, int y, int odd)
{
    if (light->gray)
        return (Chroma){{0}, {0}, {0}};
    const uint8_t *u = frame->data[1] + (y >> light->down) * frame->stride[1],
                  *v = frame->data[2] + (y >> light->down) * frame->stride[2];
    return light->across
               ? chroma_of(light, load_wide(u, bytes, x / 2), load_wide(v, bytes, x / 2))
               : chroma_of(light, every_second(load(u, bytes, x), odd), every_second(load(v, bytes, x), odd));
}

/* The range of FV_CHECK_LUMA() that is legal together with this chroma. */
typedef struct Legal {
    fv_i32 least, most;
} Legal;

FV_FN Legal legal_of(const FvCheckLight *light, Chroma c)
{
    const fv_i32 low = fv_min_i32(fv_min_i32(c.red, c.green), c.blue);
    const fv_i32 high = fv_max_i32(fv_max_i32(c.red, c.green), c.blue);
    return (Legal){
        fv_max_i32((light->bottom * 8192) - low, fv_splat_i32(FV_CHECK_LUMA(*light, light->least))),
        fv_min_i32(((light->top + 1) * 8192 - 1) - high, fv_splat_i32(FV_CHECK_LUMA(*light, light->most)))};
}

/* Counts the illegal pixels of rows [first, end), which share their chroma. */
FV_FN uint64_t illegal_rows(const FvCheckLight *light, const FvFrame *frame, int bytes, int first, int end)
{
    const int width = frame->format.width;
    fv_i32 count = {0};
    for (int x = 0; x < width; x += WORDS) {
        const fv_i16 words = first_words(width - x);
        const Legal even = legal_of(light, load_chroma(light, frame, bytes, x, first, 0));
        const Legal odd = light->across ? even : legal_of(light, load_chroma(light, frame, bytes, x, first, 1));
        for (int y = first; y < end; y++) {
            const fv_i16 code = load(frame->data[0] + y * frame->stride[0], bytes, x);
            const fv_i32 s = FV_CHECK_LUMA(*light, every_second(code, 0)),
                         t = FV_CHECK_LUMA(*light, every_second(code, 1));
            count -= ((s < even.least) | (s > even.most)) & ((fv_i32)words << 16 >> 16);
            count -= ((t < odd.least) | (t > odd.most)) & ((fv_i32)words >> 16);
        }
    }
    return sum_of(count);
}

static uint64_t illegal(const FvCheckLight *light, const FvFrame *frame, int first, int rows)
{
    uint64_t count = 0;
    for (int y = first, next; y < first + rows; y = next) {
        next = light->down && !(y & 1) && y + 1 < first + rows ? y + 2 : y + 1;
        count +=
            frame->format.depth > 8 ? illegal_rows(light, frame, 2, y, next) : illegal_rows(light, frame, 1, y, next);
    }
    return count;
}

/* Limits components to places, and puts those of even and odd columns in their order. */
FV_FN fv_i16 places_of(fv_i32 even, fv_i32 odd)
{
#if defined(__AVX2__) && !defined(__AVX512F__)
    const __m256i order =
        _mm256_broadcastsi128_si256(_mm_set_epi8(15, 14, 7, 6, 13, 12, 5, 4, 11, 10, 3, 2, 9, 8, 1, 0));
    return (fv_i16)_mm256_shuffle_epi8(_mm256_packus_epi32((__m256i)even, (__m256i)odd), order);
#else
    return (fv_i16)(fv_check_place(even) | fv_check_place(odd) << 16);
#endif
}

FV_FN void place_row(const FvCheckLight *light, const FvFrame *frame, int bytes, int y, uint16_t *const place[3])
{
    const uint8_t *row = frame->data[0] + y * frame->stride[0];
    for (int x = 0; x < frame->format.width; x += WORDS) {
        const fv_i16 code = load(row, bytes, x);
        const Chroma even = load_chroma(light, frame, bytes, x, y, 0);
        const Chroma odd = light->across ? even : load_chroma(light, frame, bytes, x, y, 1);
        const fv_i32 s = FV_CHECK_LUMA(*light, every_second(code, 0)),
                     t = FV_CHECK_LUMA(*light, every_second(code, 1));
#define PLACES(c) places_of(FV_CHECK_COMPONENT(s, even.c), FV_CHECK_COMPONENT(t, odd.c))
        FV_STORE(place[0] + x, PLACES(red));
        FV_STORE(place[1] + x, PLACES(green));
        FV_STORE(place[2] + x, PLACES(blue));
#undef PLACES
    }
}

static void places(const FvCheckLight *light, const FvFrame *frame, int y, uint16_t *const place[3])
{
    if (frame->format.depth > 8)
        place_row(light, frame, 2, y, place);
    else
        place_row(light, frame, 1, y, place);
}

/* ---- Fields -------------------------------------------------------------------------------------------------- */

FV_FN fv_i16 moves(fv_i16 now, fv_i16 before, fv_i16 limit)
{
    return (fv_i16)(fv_abs_i16(now - before) > limit);
}

/* Scans rows [first, first + rows) of words. Each row needs two rows above and two below it. */
static void scan_words(const FvFrame *now, const FvFrame *before, int first, int rows, FvCheckScan *scan,
                       uint32_t *block)
{
    const int width = now->format.width, height = now->format.height, unit = 1 << (now->format.depth - 8);
    const fv_i16 limit = fv_splat_i16(8 * unit);
    const FvFrame *old = before ? before : now;
#define NOW(y) load(row_of(now, y), 2, x)
#define OLD(y) load(row_of(old, y), 2, x)
    for (int x = 0; x < width; x += WORDS) {
        const fv_i16 kept = first_words(width - x);
        fv_i16 a = NOW(first - 2), b = NOW(first - 1), c = NOW(first), d = NOW(first + 1);
        fv_i16 p = OLD(first - 1), q = OLD(first), combed = {0}, moving = {0};
        fv_i16 moved = moves(b, p, limit), move = moves(c, q, limit);
        fv_i32 own = {0}, even[2] = {{0}, {0}};
        for (int y = first; y < first + rows; y++) {
            const fv_i16 e = NOW(y + 2), r = OLD(y + 1), moving_below = moves(d, r, limit);
            if (y > 0 && y < height - 1 && before) {
                const fv_i16 counts = (moved | move | moving_below) & kept;
                moving -= counts;
                own += pairs(fv_abs_i16(FV_CHECK_BEND(b, c, d)) & counts);
                even[y & 1] += pairs(fv_abs_i16(FV_CHECK_BEND(p, c, r)) & counts);
                even[~y & 1] += pairs(fv_abs_i16(FV_CHECK_BEND(b, q, d)) & counts);
            }
            if (y >= 2 && y < height - 2)
                combed -= combs(a, b, c, d, e, unit) & kept;
            a = b, b = c, c = d, d = e;
            p = q, q = r;
            moved = move, move = moving_below;
        }
        scan->moving += sum_of(pairs(moving));
        scan->own += sum_of(own);
        scan->top += sum_of(even[0]);
        scan->bottom += sum_of(even[1]);
        add_to_blocks(block, x, combed);
    }
#undef NOW
#undef OLD
}

static void scan(const FvFrame *now, const FvFrame *before, int first, int rows, FvCheckScan *scan, uint32_t *block)
{
    for (int x = 0; x < now->format.width; x += FV_CHECK_BLOCK)
        block[x / FV_CHECK_BLOCK] = 0;
    if (now->format.depth > 8)
        scan_words(now, before, first, rows, scan, block);
    else
        scan_bytes(now, before, first, rows, scan, block);
}

/* ---- Texture ------------------------------------------------------------------------------------------------- */

/* Returns the samples before those from the beginning of a row on; the first one has itself before it. */
FV_FN fv_i16 before_first(fv_i16 first)
{
    int16_t row[WORDS + 1] = {first[0]};
    FV_STORE(row + 1, first);
    return FV_LOAD(fv_i16, row);
}

static void step_words(const FvFrame *frame, int first, int rows, uint64_t across[8], uint64_t down[8])
{
    const int width = frame->format.width;
    const ptrdiff_t stride = frame->stride[0];
    const fv_i16 cap = fv_splat_i16(16 << (frame->format.depth - 8));
    fv_i32 vertical[8] = {{0}};
    for (int x = 0; x < width; x += WORDS) {
        const fv_i16 kept = first_words(width - x);
        fv_i16 sum = {0};
        for (int y = first; y < first + rows; y++) {
            const uint8_t *row = frame->data[0] + y * stride;
            const fv_i16 code = load(row, 2, x), left = x ? load(row, 2, x - 1) : before_first(code);
            sum += fv_min_i16(fv_abs_i16(code - left), cap) & kept;
            if (y)
                vertical[y & 7] += pairs(fv_min_i16(fv_abs_i16(code - load(row - stride, 2, x)), cap) & kept);
        }
        for (int i = 0; i < WORDS; i++)
            across[i & 7] += (uint16_t)sum[i];
    }
    for (int i = 0; i < 8; i++)
        down[i] += sum_of(vertical[i]);
}

static void steps(const FvFrame *frame, int first, int rows, uint64_t across[8], uint64_t down[8])
{
    for (int y = first; y < first + rows; y += 8) {
        const int count = first + rows - y < 8 ? first + rows - y : 8;
        if (frame->format.depth > 8)
            step_words(frame, y, count, across, down);
        else
            step_bytes(frame, y, count, across, down);
    }
}

/* Sums of 16 responses to samples of 8 bits fit 16 bits. */
FV_FN uint64_t noise_rows(const FvFrame *frame, int bytes, int first, int rows, uint32_t *block)
{
    const int width = frame->format.width;
    const ptrdiff_t stride = frame->stride[0];
    uint64_t total = 0;
    for (int x = 1; x < width - 1; x += FV_CHECK_BLOCK)
        block[x / FV_CHECK_BLOCK] = 0;
    for (int x = 1; x < width - 1; x += WORDS) {
        const fv_i16 kept = first_words(width - 1 - x);
        const uint8_t *row = frame->data[0] + (first - 1) * stride;
#define BEND(row) FV_CHECK_BEND(load(row, bytes, x - 1), load(row, bytes, x), load(row, bytes, x + 1))
        fv_i16 above = BEND(row), at = BEND(row + stride), words = {0};
        fv_i32 sum = {0};
        for (int y = 0; y < rows; y++) {
            const fv_i16 below = BEND(row + (y + 2) * stride), noise = fv_abs_i16(FV_CHECK_BEND(above, at, below));
            if (bytes == 1)
                words += noise;
            else
                sum += pairs(noise & kept);
            above = at;
            at = below;
        }
#undef BEND
        sum += pairs(words & kept);
        for (int i = 0; i < FV_LANES; i++)
            block[(x + 2 * i) / FV_CHECK_BLOCK] += (uint32_t)sum[i];
        total += sum_of(sum);
    }
    return total;
}

static uint64_t noise(const FvFrame *frame, int first, int rows, uint32_t *block)
{
    return frame->format.depth > 8 ? noise_rows(frame, 2, first, rows, block)
                                   : noise_rows(frame, 1, first, rows, block);
}

const FvCheckKernels FV_ISA_STRUCT(fv_check_kernels) = {.siti = siti,
                                                        .differences = differences,
                                                        .levels = levels,
                                                        .cells = cells,
                                                        .illegal = illegal,
                                                        .places = places,
                                                        .scan = scan,
                                                        .steps = steps,
                                                        .noise = noise};
