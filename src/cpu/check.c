/* Kernels of the measures that need only one video, for one instruction set. Samples have at most 12 bits. */
#include "cpu/check.h"

#include "cpu/simd.h"
/* cpu/simd.h must come first: it defines the lane types that arith/check.h uses. */
#include "arith/check.h"

#define WORDS (2 * FV_LANES)

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

FV_FN fv_i16 magnitude(fv_i16 d)
{
    return fv_max_i16(d, 0 - d);
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

/* ---- Spatial and temporal information ------------------------------------------------------------------------ */

FV_FN fv_i32 look_up(const int32_t *table, fv_i32 index)
{
#if defined(__AVX512F__)
    return (fv_i32)_mm512_i32gather_epi32((__m512i)index, table, 4);
#elif defined(__AVX2__)
    return (fv_i32)_mm256_i32gather_epi32(table, (__m256i)index, 4);
#else
    return (fv_i32){table[index[0]], table[index[1]], table[index[2]], table[index[3]]};
#endif
}

/*
 * Converts a row by the table. Lanes after the last sample may hold values for which the table has no entry, and are
 * masked.
 */
FV_FN void convert_row(const int32_t *table, const FvFrame *frame, int bytes, int y, int32_t *q)
{
    const uint8_t *row = frame->data[0] + y * frame->stride[0];
    const int width = frame->format.width;
    int x = 0;
    for (; x + FV_LANES <= width; x += FV_LANES)
        FV_STORE(q + x, look_up(table, load_wide(row, bytes, x)));
    if (x < width)
        FV_STORE(q + x, look_up(table, load_wide(row, bytes, x) & first_lanes(width - x)));
}

FV_FN void add_wide(fv_u64 *sum, fv_u32 v)
{
    *sum += ((fv_u64)v & 0xffffffffu) + ((fv_u64)v >> 32);
}

/* Adds the squares of the lanes to *sum. */
FV_FN void add_squares(fv_u64 *sum, fv_u32 v)
{
    const fv_u64 odd = (fv_u64)v >> 32;
    *sum += fv_product((fv_word)v, (fv_word)v) + fv_product((fv_word)odd, (fv_word)odd);
}

static uint64_t sum_wide(fv_u64 v)
{
    uint64_t sum = 0;
    for (int i = 0; i < FV_LANES64; i++)
        sum += v[i];
    return sum;
}

static void split_squares(FvCheckSums *sums, fv_u64 squares)
{
    for (int i = 0; i < FV_LANES64; i++) {
        sums->low += squares[i] & 0xffffffffu;
        sums->high += squares[i] >> 32;
    }
}

FV_FN void spatial_row(const int32_t *north, const int32_t *middle, const int32_t *south, int width, FvCheckSums *si)
{
    fv_u64 sum = {0}, squares = {0};
    for (int x = 1; x < width - 1; x += FV_LANES) {
        const fv_i32 nw = FV_LOAD(fv_i32, north + x - 1), n = FV_LOAD(fv_i32, north + x),
                     ne = FV_LOAD(fv_i32, north + x + 1), w = FV_LOAD(fv_i32, middle + x - 1),
                     e = FV_LOAD(fv_i32, middle + x + 1), sw = FV_LOAD(fv_i32, south + x - 1),
                     s = FV_LOAD(fv_i32, south + x), se = FV_LOAD(fv_i32, south + x + 1);
        const fv_i32 across = FV_CHECK_ACROSS(nw, ne, w, e, sw, se), down = FV_CHECK_DOWN(nw, n, ne, sw, s, se);
        fv_u32 m = fv_check_root(across, down, fv_f32_from_i32(across), fv_f32_from_i32(down));
        if (x + FV_LANES > width - 1)
            m &= (fv_u32)first_lanes(width - 1 - x);
        add_wide(&sum, m);
        add_squares(&squares, m);
    }
    si->sum += (int64_t)sum_wide(sum);
    split_squares(si, squares);
}

FV_FN void temporal_row(const int32_t *now, const int32_t *before, int width, FvCheckSums *ti)
{
    fv_u64 squares = {0};
    for (int x = 0; x < width;) {
        const int end = width - x > 1024 * FV_LANES ? x + 1024 * FV_LANES : width;
        fv_i32 sum = {0};
        for (; x < end; x += FV_LANES) {
            fv_i32 d = FV_LOAD(fv_i32, now + x) - FV_LOAD(fv_i32, before + x);
            if (x + FV_LANES > width)
                d &= first_lanes(width - x);
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
    int32_t *ring[3] = {scratch, scratch + pitch, scratch + 2 * pitch}, *older = scratch + 3 * pitch;
    for (int y = first > 0 ? first - 1 : 0; y <= first; y++)
        convert_row(table, now, bytes, y, ring[y % 3]);
    for (int y = first; y < first + rows; y++) {
        if (y < height - 1)
            convert_row(table, now, bytes, y + 1, ring[(y + 1) % 3]);
        if (y > 0 && y < height - 1)
            spatial_row(ring[(y + 2) % 3], ring[y % 3], ring[(y + 1) % 3], width, si);
        if (before) {
            convert_row(table, before, bytes, y, older);
            temporal_row(ring[y % 3], older, width, ti);
        }
    }
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

FV_FN uint64_t difference_rows(const uint8_t *now, ptrdiff_t now_stride, const uint8_t *before,
                               ptrdiff_t before_stride, int width, int rows, int bytes, uint32_t *block)
{
    fv_i32 differ = {0};
    for (int x = 0; x < width; x += FV_CHECK_BLOCK)
        block[x / FV_CHECK_BLOCK] = 0;
    for (int x = 0; x < width; x += WORDS) {
        fv_i16 sum = {0}, unequal = {0};
        const fv_i16 kept = first_words(width - x);
        for (int y = 0; y < rows; y++) {
            fv_i16 d = load(now + y * now_stride, bytes, x) - load(before + y * before_stride, bytes, x);
            d = magnitude(d) & kept;
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
    return bytes == 1 ? difference_rows(now, now_stride, before, before_stride, width, rows, 1, block)
                      : difference_rows(now, now_stride, before, before_stride, width, rows, 2, block);
}

/* ---- Levels -------------------------------------------------------------------------------------------------- */

FV_FN void level_rows(const uint8_t *data, ptrdiff_t stride, int width, int rows, int bytes, int few, int many,
                      FvCheckLevels *levels, uint64_t *row, uint32_t *column)
{
    const fv_i16 low = fv_splat_i16(few), high = fv_splat_i16(many);
    fv_i16 least = fv_splat_i16(levels->least < 32767 ? levels->least : 32767), most = fv_splat_i16(levels->most);
    fv_i32 below = {0}, above = {0}, across[FV_CHECK_BLOCK] = {{0}};
    for (int x = 0; x < width; x += WORDS) {
        const fv_i16 kept = first_words(width - x);
        fv_i16 dark = {0}, bright = {0}, down = {0};
        for (int y = 0; y < rows; y++) {
            const fv_i16 code = load(data + y * stride, bytes, x);
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
        level_rows(data, stride, width, rows, 1, few, many, levels, row, column);
    else
        level_rows(data, stride, width, rows, 2, few, many, levels, row, column);
}

FV_FN void cell_rows(const uint8_t *data, ptrdiff_t stride, int rows, int bytes, const int *edge, uint64_t *cell)
{
    for (int y = 0; y < rows; y++, data += stride)
        for (int i = 0; i < FV_CHECK_COLUMNS; i++) {
            fv_i32 sum = {0};
            for (int x = edge[i]; x < edge[i + 1]; x += WORDS)
                sum += pairs(load(data, bytes, x) & first_words(edge[i + 1] - x));
            cell[i] += sum_of(sum);
        }
}

static void cells(const uint8_t *data, ptrdiff_t stride, int width, int rows, int bytes, const int *edge,
                  uint64_t *cell)
{
    if (bytes == 1)
        cell_rows(data, stride, rows, 1, edge, cell);
    else
        cell_rows(data, stride, rows, 2, edge, cell);
}

/* ---- Colour -------------------------------------------------------------------------------------------------- */

/* The contribution of chroma to each component of R'G'B', for chroma samples from x on. */
typedef struct Chroma {
    fv_i32 red, green, blue;
} Chroma;

FV_FN Chroma load_chroma(const FvCheckLight *light, const FvFrame *frame, int bytes, int x, int y)
{
    if (light->gray)
        return (Chroma){{0}, {0}, {0}};
    const fv_i32 u = load_wide(frame->data[1] + y * frame->stride[1], bytes, x) - light->middle;
    const fv_i32 v = load_wide(frame->data[2] + y * frame->stride[2], bytes, x) - light->middle;
    return (Chroma){FV_CHECK_RED(*light, v), FV_CHECK_GREEN(*light, u, v), FV_CHECK_BLUE(*light, u)};
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

FV_FN fv_i32 breaks(const FvCheckLight *light, Legal legal, fv_i32 code)
{
    const fv_i32 t = FV_CHECK_LUMA(*light, code);
    return (t < legal.least) | (t > legal.most);
}

FV_FN uint64_t illegal_rows(const FvCheckLight *light, const FvFrame *frame, int bytes, int first, int rows)
{
    const int width = frame->format.width;
    uint64_t total = 0;
    for (int y = first; y < first + rows; y++) {
        const uint8_t *row = frame->data[0] + y * frame->stride[0];
        fv_i32 count = {0};
        if (light->across)
            for (int x = 0; x < width; x += WORDS) {
                const Legal legal = legal_of(light, load_chroma(light, frame, bytes, x / 2, y >> light->down));
                const fv_i32 code = (fv_i32)load(row, bytes, x), kept = (fv_i32)first_words(width - x);
                count -= breaks(light, legal, code & 0xffff) & (kept << 16 >> 16);
                count -= breaks(light, legal, (fv_i32)((fv_u32)code >> 16)) & (kept >> 16);
            }
        else
            for (int x = 0; x < width; x += FV_LANES) {
                const Legal legal = legal_of(light, load_chroma(light, frame, bytes, x, y));
                count -= breaks(light, legal, load_wide(row, bytes, x)) & first_lanes(width - x);
            }
        total += sum_of(count);
    }
    return total;
}

static uint64_t illegal(const FvCheckLight *light, const FvFrame *frame, int first, int rows)
{
    return frame->format.depth > 8 ? illegal_rows(light, frame, 2, first, rows)
                                   : illegal_rows(light, frame, 1, first, rows);
}

/* Repeats each lane of the first (half 0) or the second half of v. */
FV_FN fv_i32 twice(fv_i32 v, int half)
{
#if FV_LANES == 16
    const __m512i low = _mm512_set_epi32(7, 7, 6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0, 0);
    return (fv_i32)_mm512_permutexvar_epi32(_mm512_add_epi32(low, _mm512_set1_epi32(8 * half)), (__m512i)v);
#elif FV_LANES == 8
    const __m256i low = _mm256_set_epi32(3, 3, 2, 2, 1, 1, 0, 0);
    return (fv_i32)_mm256_permutevar8x32_epi32((__m256i)v, _mm256_add_epi32(low, _mm256_set1_epi32(4 * half)));
#else
    return half ? (fv_i32){v[2], v[2], v[3], v[3]} : (fv_i32){v[0], v[0], v[1], v[1]};
#endif
}

FV_FN void linear_lanes(const FvCheckLight *light, fv_i32 code, Chroma c, int x, uint32_t *red, uint32_t *green,
                        uint32_t *blue)
{
    const int32_t *table = (const int32_t *)light->table;
    const fv_i32 t = FV_CHECK_LUMA(*light, code);
    FV_STORE(red + x, look_up(table, fv_check_place(FV_CHECK_COMPONENT(t, c.red))));
    FV_STORE(green + x, look_up(table, fv_check_place(FV_CHECK_COMPONENT(t, c.green))));
    FV_STORE(blue + x, look_up(table, fv_check_place(FV_CHECK_COMPONENT(t, c.blue))));
}

FV_FN void linear_row(const FvCheckLight *light, const FvFrame *frame, int bytes, int y, uint32_t *red,
                      uint32_t *green, uint32_t *blue)
{
    const uint8_t *row = frame->data[0] + y * frame->stride[0];
    const int width = frame->format.width;
    if (light->across)
        for (int x = 0; x < width; x += WORDS) {
            const Chroma c = load_chroma(light, frame, bytes, x / 2, y >> light->down);
            for (int half = 0; half < 2; half++)
                linear_lanes(light, load_wide(row, bytes, x + half * FV_LANES),
                             (Chroma){twice(c.red, half), twice(c.green, half), twice(c.blue, half)},
                             x + half * FV_LANES, red, green, blue);
        }
    else
        for (int x = 0; x < width; x += FV_LANES)
            linear_lanes(light, load_wide(row, bytes, x), load_chroma(light, frame, bytes, x, y), x, red, green,
                         blue);
}

static void linear(const FvCheckLight *light, const FvFrame *frame, int y, uint32_t *red, uint32_t *green,
                   uint32_t *blue)
{
    if (light->gain)
        fv_check_kernels_scalar.linear(light, frame, y, red, green, blue);
    else if (frame->format.depth > 8)
        linear_row(light, frame, 2, y, red, green, blue);
    else
        linear_row(light, frame, 1, y, red, green, blue);
}

static void flash(const FvCheckLight *light, const uint32_t *red, const uint32_t *green, const uint32_t *blue,
                  const int *edge, uint64_t *luminance, uint64_t *saturated)
{
    for (int i = 0; i < FV_CHECK_COLUMNS; i++) {
        fv_u64 sum = {0}, reds = {0};
        for (int x = edge[i]; x < edge[i + 1]; x += FV_LANES) {
            const fv_u32 r = FV_LOAD(fv_u32, red + x), g = FV_LOAD(fv_u32, green + x), b = FV_LOAD(fv_u32, blue + x);
            const fv_u32 kept = (fv_u32)first_lanes(edge[i + 1] - x);
            add_wide(&sum, FV_CHECK_WEIGH(light->weight, r, g, b) & kept);
            add_wide(&reds, (fv_u32)fv_check_red((fv_i32)r, (fv_i32)g, (fv_i32)b) & kept);
        }
        luminance[i] += sum_wide(sum);
        saturated[i] += sum_wide(reds);
    }
}

static void peaks(const uint32_t *red, const uint32_t *green, const uint32_t *blue, int width, bool gamut,
                  FvCheckPeaks *peaks)
{
    fv_check_kernels_scalar.peaks(red, green, blue, width, gamut, peaks);
}

/* ---- Fields -------------------------------------------------------------------------------------------------- */

FV_FN fv_i16 moves(fv_i16 now, fv_i16 before, fv_i16 limit)
{
    return (fv_i16)(magnitude(now - before) > limit);
}

/*
 * Scans rows [first, first + rows). Each row needs two rows above and two below it; missing ones are the nearest row.
 */
FV_FN void scan_rows(const FvFrame *now, const FvFrame *before, int bytes, int first, int rows, FvCheckScan *scan,
                     uint32_t *block)
{
    const int width = now->format.width, height = now->format.height, unit = 1 << (now->format.depth - 8);
    const fv_i16 far = fv_splat_i16(9 * unit), limit = fv_splat_i16(8 * unit), curve = fv_splat_i16(54 * unit);
    const FvFrame *old = before ? before : now;
    const uint8_t *of_now = now->data[0], *of_old = old->data[0];
#define ROW(y) ((y) < 0 ? 0 : (y) >= height ? height - 1 : (y))
#define NOW(y) load(of_now + ROW(y) * now->stride[0], bytes, x)
#define OLD(y) load(of_old + ROW(y) * old->stride[0], bytes, x)
    for (int x = 0; x < width; x += FV_CHECK_BLOCK)
        block[x / FV_CHECK_BLOCK] = 0;
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
                own += pairs(magnitude(FV_CHECK_BEND(b, c, d)) & counts);
                even[y & 1] += pairs(magnitude(FV_CHECK_BEND(p, c, r)) & counts);
                even[~y & 1] += pairs(magnitude(FV_CHECK_BEND(b, q, d)) & counts);
            }
            if (y >= 2 && y < height - 2) {
                const fv_i16 above = c - b, below = c - d;
                const fv_i16 jagged = FV_CHECK_JAGGED(above, below, far);
                combed -= jagged & (magnitude(FV_CHECK_COMBED(a, b, c, d, e)) > curve) & kept;
            }
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
#undef ROW
#undef NOW
#undef OLD
}

static void scan(const FvFrame *now, const FvFrame *before, int first, int rows, FvCheckScan *scan, uint32_t *block)
{
    if (now->format.depth > 8)
        scan_rows(now, before, 2, first, rows, scan, block);
    else
        scan_rows(now, before, 1, first, rows, scan, block);
}

/* ---- Texture ------------------------------------------------------------------------------------------------- */

FV_FN void step_rows(const FvFrame *frame, int bytes, int first, int rows, uint64_t across[8], uint64_t down[8])
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
            const fv_i16 code = load(row, bytes, x);
            if (x)
                sum += fv_min_i16(magnitude(code - load(row, bytes, x - 1)), cap) & kept;
            if (y)
                vertical[y & 7] += pairs(fv_min_i16(magnitude(code - load(row - stride, bytes, x)), cap) & kept);
        }
        for (int i = 0; i < WORDS && x; i++)
            across[i & 7] += (uint16_t)sum[i];
    }
    for (int i = 0; i < 8; i++)
        down[i] += sum_of(vertical[i]);
}

/* Adds the steps of the first vector one by one, because no sample comes before it. */
static void first_steps(const FvFrame *frame, int first, int rows, uint64_t across[8])
{
    const int end = frame->format.width < WORDS ? frame->format.width : WORDS, cap = 16 << (frame->format.depth - 8);
    for (int y = first; y < first + rows; y++) {
        const uint8_t *row = frame->data[0] + y * frame->stride[0];
        const uint16_t *words = (const uint16_t *)row;
        for (int x = 1; x < end; x++) {
            const int d = frame->format.depth > 8 ? words[x] - words[x - 1] : row[x] - row[x - 1];
            const int step = d < 0 ? -d : d;
            across[x & 7] += (uint64_t)(step < cap ? step : cap);
        }
    }
}

static void steps(const FvFrame *frame, int first, int rows, uint64_t across[8], uint64_t down[8])
{
    for (int y = first; y < first + rows; y += FV_CHECK_BLOCK) {
        const int count = first + rows - y < FV_CHECK_BLOCK ? first + rows - y : FV_CHECK_BLOCK;
        first_steps(frame, y, count, across);
        if (frame->format.depth > 8)
            step_rows(frame, 2, y, count, across, down);
        else
            step_rows(frame, 1, y, count, across, down);
    }
}

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
        fv_i16 above[3], at[3];
        fv_i32 sum = {0};
        for (int i = 0; i < 3; i++) {
            above[i] = load(row, bytes, x + i - 1);
            at[i] = load(row + stride, bytes, x + i - 1);
        }
        for (int y = 0; y < rows; y++) {
            fv_i16 bent[3];
            for (int i = 0; i < 3; i++) {
                const fv_i16 below = load(row + (y + 2) * stride, bytes, x + i - 1);
                bent[i] = FV_CHECK_BEND(above[i], at[i], below);
                above[i] = at[i];
                at[i] = below;
            }
            sum += pairs(magnitude((bent[0] - bent[1]) - (bent[1] - bent[2])) & kept);
        }
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
                                                        .linear = linear,
                                                        .flash = flash,
                                                        .peaks = peaks,
                                                        .scan = scan,
                                                        .steps = steps,
                                                        .noise = noise};
