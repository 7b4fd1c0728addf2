/*
 * ProRes kernels for one instruction set. Strings are decoded two at a time: one computes while the other waits for
 * its table lookup. In the transform, each lane is a block of the slice.
 */
#include "cpu/prores.h"

#include "cpu/simd.h"

#include "arith/prores.h"
#include "cpu/prores_tables.h"

#define STEPS 5 /* coefficients between two refills of the window */
/* Minimum number of remaining bits with which STEPS coefficients need no test for the end. */
#define FAST_BITS (STEPS * FV_PRORES_LOOK + 32)
/* Minimum number of remaining bits with which a coefficient of any length needs no test for the end. */
#define LONG_BITS (2 * FV_PRORES_LONGEST + 1 + 32)

/* The state of a string that is being decoded. */
typedef struct Lane {
    const uint8_t *data;
    int16_t *last, *first, *end; /* last coefficient read, the first one, and the end of all */
    int at, bits;
    uint32_t high; /* upper half of the last table entry: bits 10 to 15 are the state */
    FvProresString *string;
} Lane;

FV_FN uint64_t window_at(const Lane *lane, int at)
{
    return __builtin_bswap64(FV_LOAD(uint64_t, lane->data + (at >> 3))) << (at & 7);
}

FV_FN int clz64(uint64_t x)
{
    return x ? __builtin_clzll(x) : 64;
}

FV_FN uint32_t look_up(const FvProresTables *tables, const Lane *lane, uint64_t window)
{
    return tables->step[(lane->high & 0xfc00) + (window >> (64 - FV_PRORES_LOOK))];
}

/* Decodes one coefficient, or nothing if it has more bits than the table's index. */
FV_FN uint32_t step(const FvProresTables *tables, Lane *lane, uint64_t *window, uint32_t *bits)
{
    uint32_t entry = look_up(tables, lane, *window);
    *window <<= entry & 63;
    *bits += entry;
    lane->last += entry >> 8 & 0xff;
    lane->high = entry >> 16;
    *lane->last = (int16_t)(*lane->last + (int8_t)lane->high);
    return entry;
}

FV_FN bool missed(uint32_t entry)
{
    return (entry & 0xff00) == 0;
}

/* Decodes two strings, or one if b is NULL, until one of them needs mend_lane(). */
FV_FN void run_lanes(const FvProresTables *tables, Lane *a, Lane *b)
{
    Lane x = *a, y = *(b ? b : a);
    for (;;) {
        uint64_t x_window = window_at(&x, x.at), y_window = b ? window_at(&y, y.at) : 0;
        uint32_t x_bits = 0, y_bits = 0, x_entry = 0, y_entry = 0;
        for (int i = 0; i < STEPS; i++) {
            x_entry = step(tables, &x, &x_window, &x_bits);
            if (b)
                y_entry = step(tables, &y, &y_window, &y_bits);
        }
        x.at += x_bits & 0xff;
        if (b)
            y.at += y_bits & 0xff;
        if (missed(x_entry) || x.bits - x.at < FAST_BITS || x.last >= x.end)
            break;
        if (b && (missed(y_entry) || y.bits - y.at < FAST_BITS || y.last >= y.end))
            break;
    }
    *a = x;
    if (b)
        *b = y;
}

FV_FN int read_code(const FvProresCode codes[32], uint64_t *window, int *at)
{
    FvProresCode code = codes[clz64(*window | 1ull << 32)];
    if (code.length > FV_PRORES_LONGEST)
        return -1;
    int value = (int)(*window >> (64 - code.length)) + code.bias;
    *window <<= code.length;
    *at += code.length;
    return value;
}

FV_FN uint32_t state_behind(const FvProresTables *tables, int run, int level)
{
    int state = tables->run_class[run < 15 ? run : 15] * FV_PRORES_BOOKS + tables->level_class[level < 9 ? level : 9];
    return FV_PRORES_STEP(0, 0, 0, state) >> 16;
}

/* Decodes a coefficient of any length. Returns false if the string is damaged. */
static bool long_step(const FvProresTables *tables, Lane *lane)
{
    int state = (int)lane->high >> 10;
    uint64_t window = window_at(lane, lane->at);
    int run = read_code(tables->run_codes[state / FV_PRORES_BOOKS], &window, &lane->at);
    if (run < 0 || run >= lane->end - 1 - lane->last)
        return false;
    window = window_at(lane, lane->at);
    int level = read_code(tables->level_codes[state % FV_PRORES_BOOKS], &window, &lane->at) + 1;
    if (level < 1)
        return false;
    lane->at++;
    lane->last += run + 1;
    *lane->last = (int16_t)fv_prores_wrap16(window >> 63 ? -level : level);
    lane->high = state_behind(tables, run, level);
    return true;
}

/*
 * Reads the DC values of all blocks. Returns false if the string is damaged, or ends so early that reads must test
 * for its end.
 */
static bool read_dc(const FvProresTables *tables, FvProresString *string)
{
    Lane lane = {.data = string->data};
    int blocks = 1 << string->log2_blocks, sign = 0, code = 0, dc = 0;
    for (int i = 0; i < blocks; i++) {
        if (string->bits - lane.at < 64)
            return false;
        uint64_t window = window_at(&lane, lane.at);
        const FvProresCode *codes = i > 1 ? tables->dc_codes[code < 5 ? code : 5]
                                    : i   ? tables->dc_codes[FV_PRORES_FIRST_DC_CODE]
                                          : tables->first_dc_codes;
        code = read_code(codes, &window, &lane.at);
        if (code < 0)
            return false;
        if (i) {
            sign = fv_prores_dc_sign(sign, code);
            dc += fv_prores_dc_difference(sign, code);
        } else
            dc = fv_prores_first_dc(code);
        string->coefficients[i] = (int16_t)(dc = fv_prores_wrap16(dc));
    }
    string->at = lane.at;
    string->position = blocks - 1;
    string->run = FV_PRORES_FIRST_RUN;
    string->level = FV_PRORES_FIRST_LEVEL;
    string->window = 32;
    return true;
}

/* Opens the next string that is long enough for run_lanes(), and decodes shorter ones completely on the way. */
static bool start_lane(const FvProresTables *tables, Lane *lane, FvProresString *strings, int count, int *next)
{
    while (*next < count) {
        FvProresString *string = &strings[(*next)++];
        if (!read_dc(tables, string))
            fv_prores_read_dc(string);
        if (!string->damaged && string->bits - string->at >= LONG_BITS) {
            *lane = (Lane){
                .data = string->data,
                .last = string->coefficients + string->position,
                .first = string->coefficients,
                .end = string->coefficients + ((size_t)64 << string->log2_blocks),
                .at = string->at,
                .bits = string->bits,
                .high = state_behind(tables, FV_PRORES_FIRST_RUN, FV_PRORES_FIRST_LEVEL),
                .string = string,
            };
            return true;
        }
        fv_prores_read_ac(string);
    }
    return false;
}

/*
 * Continues where run_lanes() stopped. Returns true if run_lanes() may continue; else decodes the string to its end.
 */
static bool mend_lane(const FvProresTables *tables, Lane *lane)
{
    FvProresString *string = lane->string;
    bool good = lane->last < lane->end;
    while (good && lane->bits - lane->at >= FV_PRORES_LOOK + 32 && string->end - lane->data >= (lane->at >> 3) + 8) {
        uint64_t window = window_at(lane, lane->at);
        if (lane->bits - lane->at >= FAST_BITS && !missed(look_up(tables, lane, window)))
            return true;
        uint32_t bits = 0;
        if (!missed(step(tables, lane, &window, &bits))) {
            lane->at += bits & 0xff;
            good = lane->last < lane->end;
        } else if (lane->bits - lane->at >= LONG_BITS)
            good = long_step(tables, lane);
        else
            break;
    }
    string->damaged = !good;
    string->at = lane->at;
    string->position = (int)(lane->last - lane->first);
    string->run = tables->run_of_class[(lane->high >> 10) / FV_PRORES_BOOKS];
    string->level = tables->level_of_class[(lane->high >> 10) % FV_PRORES_BOOKS];
    fv_prores_read_ac(string);
    return false;
}

static void entropy(FvProresString *strings, int count)
{
    const FvProresTables *tables = fv_prores_tables();
    Lane a, b;
    int next = 0;
    bool has_a = start_lane(tables, &a, strings, count, &next), has_b = start_lane(tables, &b, strings, count, &next);
    while (has_a && has_b) {
        run_lanes(tables, &a, &b);
        has_a = mend_lane(tables, &a) || start_lane(tables, &a, strings, count, &next);
        has_b = mend_lane(tables, &b) || start_lane(tables, &b, strings, count, &next);
    }
    if (!has_a)
        a = b;
    while (has_a || has_b) {
        run_lanes(tables, &a, NULL);
        has_a = has_b = mend_lane(tables, &a);
    }
}

/* ---- Transform ---------------------------------------------------------------------------------------------- */

/* Shuffle indices of interleave(), which undo the arrangement of blocks in 128-bit parts. */
#if FV_LANES == 16
#define LOW_WORDS 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29
#define HIGH_WORDS 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31
#define LOW_PAIRS 0, 8, 2, 10, 4, 12, 6, 14
#define HIGH_PAIRS 1, 9, 3, 11, 5, 13, 7, 15
#define FIRST_QUADS 0, 1, 8, 9, 2, 3, 10, 11
#define LAST_QUADS 4, 5, 12, 13, 6, 7, 14, 15
#elif FV_LANES == 8
#define LOW_WORDS 0, 8, 1, 9, 4, 12, 5, 13
#define HIGH_WORDS 2, 10, 3, 11, 6, 14, 7, 15
#define LOW_PAIRS 0, 4, 2, 6
#define HIGH_PAIRS 1, 5, 3, 7
#define FIRST_QUADS 0, 1, 4, 5
#define LAST_QUADS 2, 3, 6, 7
#else
#define LOW_WORDS 0, 4, 1, 5
#define HIGH_WORDS 2, 6, 3, 7
#define LOW_PAIRS 0, 2
#define HIGH_PAIRS 1, 3
#define FIRST_QUADS 0, 1
#define LAST_QUADS 2, 3
#endif

typedef uint32_t u32_half __attribute__((vector_size(FV_VECTOR_BYTES / 2)));

/* Two rows of samples, 8 rows apart, of FV_LANES blocks. The blocks are arranged in pairs of such rows. */
typedef struct Stripe {
    fv_u64 upper[2], lower[2];
} Stripe;

FV_FN void store_row(uint8_t *to, const fv_u64 row[2], int pieces)
{
    if (pieces == FV_LANES / 2) {
        FV_STORE(to, row[0]);
        FV_STORE(to + FV_VECTOR_BYTES, row[1]);
    } else
        for (int i = 0; i < pieces; i++)
            memcpy(to + 16 * i, (const uint8_t *)row + 16 * i, 16);
}

/* Interleaves eight columns, one vector each with a lane per block, to rows of samples. */
FV_FN Stripe interleave(const fv_i32 columns[8], int plane)
{
    fv_u32 pair[4];
    for (int i = 0; i < 4; i++)
        pair[i] = (fv_u32)columns[2 * i] | (fv_u32)columns[2 * i + 1] << 16;
    fv_u64 low01 = (fv_u64)__builtin_shufflevector(pair[0], pair[1], LOW_WORDS);
    fv_u64 low23 = (fv_u64)__builtin_shufflevector(pair[2], pair[3], LOW_WORDS);
    fv_u64 high01 = (fv_u64)__builtin_shufflevector(pair[0], pair[1], HIGH_WORDS);
    fv_u64 high23 = (fv_u64)__builtin_shufflevector(pair[2], pair[3], HIGH_WORDS);
    fv_u64 first = __builtin_shufflevector(low01, low23, LOW_PAIRS);
    fv_u64 second = __builtin_shufflevector(low01, low23, HIGH_PAIRS);
    fv_u64 third = __builtin_shufflevector(high01, high23, LOW_PAIRS);
    fv_u64 fourth = __builtin_shufflevector(high01, high23, HIGH_PAIRS);
    fv_u64 right = plane ? third : second, left = plane ? second : third;
    return (Stripe){
        {__builtin_shufflevector(first, right, FIRST_QUADS), __builtin_shufflevector(first, right, LAST_QUADS)},
        {__builtin_shufflevector(left, fourth, FIRST_QUADS), __builtin_shufflevector(left, fourth, LAST_QUADS)},
    };
}

/*
 * Transforms blocks [first, first + FV_LANES), or up to the last one. scales: in raster order, each one twice in a
 * 32-bit word.
 */
FV_FN void transform_lanes(const FvProresBlocks *blocks, const uint32_t scales[64], int first, int depth)
{
    FvProresEight rows[8], columns[8];
    for (int v = 0; v < 8; v++) {
        if (blocks->scan[8 * v] > blocks->last) {
            memset(&rows[v], 0, sizeof rows[v]);
            continue;
        }
        FvProresEight f;
        for (int u = 0; u < 8; u++) {
            int i = 8 * v + u;
            const int16_t *from = blocks->coefficients + (blocks->scan[i] << blocks->log2_blocks) + first;
            fv_u16_half product = FV_LOAD(fv_u16_half, from) * (fv_u16_half)((u32_half){0} + scales[i]);
            f.v[u] = fv_i32_from_i16((fv_i16_half)product);
        }
        rows[v] = depth == 12 ? fv_prores_row12(f) : fv_prores_row10(f);
    }
    for (int u = 0; u < 8; u++) {
        FvProresEight column;
        for (int v = 0; v < 8; v++)
            column.v[v] = rows[v].v[u];
        columns[u] = depth == 12 ? fv_prores_column12(column) : fv_prores_column10(column);
    }
    uint8_t *to = blocks->to + 2 * fv_prores_block_x(blocks->plane, first);
    int count = (1 << blocks->log2_blocks) - first;
    int pieces = count < FV_LANES ? (count + 1) / 2 : FV_LANES / 2;
    for (int v = 0; v < 8; v++) {
        fv_i32 samples[8];
        for (int u = 0; u < 8; u++)
            samples[u] = columns[u].v[v];
        Stripe stripe = interleave(samples, blocks->plane);
        if (v < blocks->rows)
            store_row(to + v * blocks->stride, stripe.upper, pieces);
        if (v + 8 < blocks->rows)
            store_row(to + (v + 8) * blocks->stride, stripe.lower, pieces);
    }
}

static void transform(const FvProresBlocks *blocks)
{
    uint32_t scales[64];
    for (int i = 0; i < 64; i++)
        scales[i] = (uint32_t)(blocks->quantiser[i] * blocks->scale & 0xffff) * 0x10001u;
    for (int first = 0; first < 1 << blocks->log2_blocks; first += FV_LANES) {
        if (blocks->depth == 12)
            transform_lanes(blocks, scales, first, 12);
        else
            transform_lanes(blocks, scales, first, 10);
    }
}

const FvProresKernels FV_ISA_STRUCT(fv_prores_kernels) = {.entropy = entropy, .transform = transform};
