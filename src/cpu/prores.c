/*
 * ProRes kernels for one instruction set. Strings are decoded two at a time so that one computes while the other
 * waits for its table; the lanes of the transform are the blocks of a slice.
 */
#include "cpu/prores.h"

#include "cpu/simd.h"

#include "arith/prores.h"
#include "codec/prores/tables.h"

#define STEPS 5                                   /* coefficients between two refills of the window */
#define FAST_BITS (STEPS * FV_PRORES_LOOK + 32)   /* what must be left before them: no end test is due until then */
#define LONG_BITS (2 * FV_PRORES_LONGEST + 1 + 32) /* the same before a coefficient of any length */

/* A string on its way. */
typedef struct Lane {
    const uint8_t *data;
    int16_t *coefficients;
    int at, bits, position, end;
    uint32_t state; /* in bits 16 and up, as a step has it */
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

/* One coefficient, or nothing when it is longer than the table looks. */
FV_FN uint32_t step(const FvProresTables *tables, Lane *lane, uint64_t *window, uint32_t *bits)
{
    uint32_t entry = tables->step[lane->state >> 16 & 0xff][*window >> (64 - FV_PRORES_LOOK)];
    *window <<= entry & 63;
    *bits += entry;
    lane->position += entry >> 8 & 0xff;
    lane->coefficients[lane->position] += (int16_t)((int32_t)entry >> 24);
    lane->state = entry;
    return entry;
}

FV_FN bool missed(uint32_t entry)
{
    return (entry & 0xff00) == 0;
}

/* Steps of two strings, or of one when b is NULL, until one of them needs care. */
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
        if (missed(x_entry) || x.bits - x.at < FAST_BITS || x.position >= x.end)
            break;
        if (b && (missed(y_entry) || y.bits - y.at < FAST_BITS || y.position >= y.end))
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

/* A coefficient of any length. False: damage. */
static bool long_step(const FvProresTables *tables, Lane *lane)
{
    int state = lane->state >> 16 & 0xff;
    uint64_t window = window_at(lane, lane->at);
    int run = read_code(tables->run_codes[state / FV_PRORES_BOOKS], &window, &lane->at);
    if (run < 0 || run >= lane->end - 1 - lane->position)
        return false;
    window = window_at(lane, lane->at);
    int level = read_code(tables->level_codes[state % FV_PRORES_BOOKS], &window, &lane->at) + 1;
    if (level < 1)
        return false;
    lane->at++;
    lane->position += run + 1;
    lane->coefficients[lane->position] = (int16_t)fv_prores_wrap16(window >> 63 ? -level : level);
    lane->state = (uint32_t)(tables->run_class[run < 15 ? run : 15] * FV_PRORES_BOOKS +
                             tables->level_class[level < 9 ? level : 9])
                  << 16;
    return true;
}

/* False when the string ends before its last DC value is safely read. */
static bool read_dc(const FvProresTables *tables, FvProresString *string)
{
    Lane lane = {.data = string->data};
    int blocks = 1 << string->log2_blocks, sign = 0, code = 0, dc = 0;
    for (int i = 0; i < blocks; i++) {
        if (string->bits - lane.at < 64)
            return false;
        uint64_t window = window_at(&lane, lane.at);
        const FvProresCode *codes = i > 1 ? tables->dc_codes[code < 5 ? code : 5]
                                  : i     ? tables->dc_codes[FV_PRORES_FIRST_DC_CODE]
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

/* The next string that is long enough for run_lanes; shorter ones are decoded on the way. */
static bool start_lane(const FvProresTables *tables, Lane *lane, FvProresString *strings, int count, int *next)
{
    while (*next < count) {
        FvProresString *string = &strings[(*next)++];
        if (!read_dc(tables, string))
            fv_prores_read_dc(string);
        if (!string->damaged && string->bits - string->at >= LONG_BITS) {
            *lane = (Lane){
                .data = string->data,
                .coefficients = string->coefficients,
                .at = string->at,
                .bits = string->bits,
                .position = string->position,
                .end = 64 << string->log2_blocks,
                .state = (uint32_t)(tables->run_class[FV_PRORES_FIRST_RUN] * FV_PRORES_BOOKS +
                                    tables->level_class[FV_PRORES_FIRST_LEVEL])
                         << 16,
                .string = string,
            };
            return true;
        }
        fv_prores_read_ac(string);
    }
    return false;
}

/* Whether run_lanes may go on; if not, the string has been decoded to its end. */
static bool mend_lane(const FvProresTables *tables, Lane *lane)
{
    FvProresString *string = lane->string;
    bool good = lane->position < lane->end;
    while (good && lane->bits - lane->at >= FV_PRORES_LOOK + 32 && string->end - lane->data >= (lane->at >> 3) + 8) {
        uint64_t window = window_at(lane, lane->at);
        if (lane->bits - lane->at >= FAST_BITS &&
            !missed(tables->step[lane->state >> 16 & 0xff][window >> (64 - FV_PRORES_LOOK)]))
            return true;
        uint32_t bits = 0;
        if (!missed(step(tables, lane, &window, &bits))) {
            lane->at += bits & 0xff;
            good = lane->position < lane->end;
        } else if (lane->bits - lane->at >= LONG_BITS)
            good = long_step(tables, lane);
        else
            break;
    }
    string->damaged = !good;
    string->at = lane->at;
    string->position = lane->position;
    string->run = tables->run_of_class[(lane->state >> 16 & 0xff) / FV_PRORES_BOOKS];
    string->level = tables->level_of_class[(lane->state >> 16 & 0xff) % FV_PRORES_BOOKS];
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

/* Two rows of samples, 8 apart, of FV_LANES blocks that lie side by side in pairs of such rows. */
typedef struct Stripe {
    fv_u64 upper[2], lower[2];
} Stripe;

/* From one vector for each of 8 columns, a lane for each block. */
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

/* Blocks first to first + FV_LANES - 1, or as many as there are. */
FV_FN void transform_lanes(const FvProresBlocks *blocks, int first, int depth)
{
    FvProresEight rows[8], columns[8];
    for (int v = 0; v < 8; v++) {
        if (blocks->scan[8 * v] > blocks->last) {
            memset(&rows[v], 0, sizeof rows[v]);
            continue;
        }
        FvProresEight f;
        for (int u = 0; u < 8; u++) {
            int i = 8 * v + u, scale = fv_prores_wrap16(blocks->quantiser[i] * blocks->scale);
            const int16_t *from = blocks->coefficients + (blocks->scan[i] << blocks->log2_blocks) + first;
            f.v[u] = fv_prores_dequantise(fv_i32_from_i16(FV_LOAD(fv_i16_half, from)), fv_splat_i32(scale));
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
    size_t bytes = count < FV_LANES ? (size_t)(count + 1) / 2 * 16 : 2 * FV_VECTOR_BYTES;
    for (int v = 0; v < 8; v++) {
        fv_i32 samples[8];
        for (int u = 0; u < 8; u++)
            samples[u] = columns[u].v[v];
        Stripe stripe = interleave(samples, blocks->plane);
        if (v < blocks->rows)
            memcpy(to + v * blocks->stride, stripe.upper, bytes);
        if (v + 8 < blocks->rows)
            memcpy(to + (v + 8) * blocks->stride, stripe.lower, bytes);
    }
}

static void transform(const FvProresBlocks *blocks)
{
    for (int first = 0; first < 1 << blocks->log2_blocks; first += FV_LANES) {
        if (blocks->depth == 12)
            transform_lanes(blocks, first, 12);
        else
            transform_lanes(blocks, first, 10);
    }
}

const FvProresKernels FV_ISA_STRUCT(fv_prores_kernels) = {.entropy = entropy, .transform = transform};
