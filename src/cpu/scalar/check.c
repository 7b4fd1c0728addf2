/* Measures of one video, the reference. */
#include "cpu/check.h"

#include "arith/scalar.h"
/* arith/scalar.h must come first: it defines the lane types that arith/check.h uses. */
#include "arith/check.h"

static int sample(const uint8_t *row, int bytes, int x)
{
    return bytes == 1 ? row[x] : ((const uint16_t *)row)[x];
}

static int luma(const FvFrame *frame, int x, int y)
{
    return sample(frame->data[0] + y * frame->stride[0], frame->format.depth > 8 ? 2 : 1, x);
}

static void add_square(FvCheckSums *sums, uint64_t magnitude)
{
    const uint64_t square = magnitude * magnitude;
    sums->low += square & 0xffffffffu;
    sums->high += square >> 32;
}

size_t fv_check_siti_scratch(int width)
{
    return 3 * ((size_t)width + 64) * sizeof(int32_t);
}

void fv_check_look_up(const int32_t *table, const uint8_t *row, int bytes, int count, int32_t *value)
{
    if (bytes == 1)
        _Pragma("GCC unroll 8") for (int x = 0; x < count; x++) value[x] = table[row[x]];
    else
        for (int x = 0; x < count; x++)
            value[x] = table[((const uint16_t *)row)[x]];
}

static void siti(const int32_t *table, const FvFrame *now, const FvFrame *before, int first, int rows,
                 FvCheckSums *si, FvCheckSums *ti, void *scratch)
{
    const int width = now->format.width, height = now->format.height;
    for (int y = first; y < first + rows; y++) {
        for (int x = 1; y > 0 && y < height - 1 && x < width - 1; x++) {
            int q[3][3];
            for (int i = 0; i < 9; i++)
                q[i / 3][i % 3] = table[luma(now, x + i % 3 - 1, y + i / 3 - 1)];
            const int across = FV_CHECK_ACROSS(q[0][0], q[0][2], q[1][0], q[1][2], q[2][0], q[2][2]);
            const int down = FV_CHECK_DOWN(q[0][0], q[0][1], q[0][2], q[2][0], q[2][1], q[2][2]);
            const uint32_t m = fv_check_root(across, down, (float)across, (float)down);
            si->sum += m;
            add_square(si, m);
        }
        for (int x = 0; before && x < width; x++) {
            const int d = table[luma(now, x, y)] - table[luma(before, x, y)];
            ti->sum += d;
            add_square(ti, (uint64_t)(d < 0 ? -d : d));
        }
    }
}

static uint64_t differences(const uint8_t *now, ptrdiff_t now_stride, const uint8_t *before, ptrdiff_t before_stride,
                            int width, int rows, int bytes, uint32_t *block)
{
    uint64_t differ = 0;
    for (int x = 0; x < width; x += FV_CHECK_BLOCK)
        block[x / FV_CHECK_BLOCK] = 0;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < width; x++) {
            const int d = sample(now + y * now_stride, bytes, x) - sample(before + y * before_stride, bytes, x);
            block[x / FV_CHECK_BLOCK] += (uint32_t)(d < 0 ? -d : d);
            differ += d != 0;
        }
    return differ;
}

static void levels(const uint8_t *data, ptrdiff_t stride, int width, int rows, int bytes, int few, int many,
                   FvCheckLevels *levels, uint64_t *row, uint32_t *column)
{
    for (int y = 0; y < rows; y++) {
        uint64_t sum = 0;
        for (int x = 0; x < width; x++) {
            const int code = sample(data + y * stride, bytes, x);
            levels->few += code <= few;
            levels->many += code >= many;
            levels->least = code < levels->least ? code : levels->least;
            levels->most = code > levels->most ? code : levels->most;
            sum += (uint64_t)code;
            if (column)
                column[x] += (uint32_t)code;
        }
        if (row)
            row[y] = sum;
    }
}

static void cells(const uint8_t *data, ptrdiff_t stride, int width, int rows, int bytes, const int *edge,
                  uint64_t *cell)
{
    for (int y = 0; y < rows; y++)
        for (int i = 0; i < FV_CHECK_COLUMNS; i++)
            for (int x = edge[i]; x < edge[i + 1]; x++)
                cell[i] += (uint64_t)sample(data + y * stride, bytes, x);
}

/* The contribution of chroma to each component of R'G'B'. */
typedef struct Chroma {
    int red, green, blue;
} Chroma;

static Chroma chroma_of(const FvCheckLight *light, const FvFrame *frame, int x, int y)
{
    const int bytes = frame->format.depth > 8 ? 2 : 1, row = y >> light->down, column = x >> light->across;
    if (light->gray)
        return (Chroma){0, 0, 0};
    const int u = sample(frame->data[1] + row * frame->stride[1], bytes, column) - light->middle;
    const int v = sample(frame->data[2] + row * frame->stride[2], bytes, column) - light->middle;
    return (Chroma){FV_CHECK_RED(*light, v), FV_CHECK_GREEN(*light, u, v), FV_CHECK_BLUE(*light, u)};
}

static uint64_t illegal(const FvCheckLight *light, const FvFrame *frame, int first, int rows)
{
    uint64_t count = 0;
    for (int y = first; y < first + rows; y++)
        for (int x = 0; x < frame->format.width; x++) {
            const Chroma chroma = chroma_of(light, frame, x, y);
            const int code = luma(frame, x, y), t = FV_CHECK_LUMA(*light, code);
            const int r = FV_CHECK_COMPONENT(t, chroma.red), g = FV_CHECK_COMPONENT(t, chroma.green),
                      b = FV_CHECK_COMPONENT(t, chroma.blue);
            count += code < light->least || code > light->most || r < light->bottom || g < light->bottom ||
                     b < light->bottom || r > light->top || g > light->top || b > light->top;
        }
    return count;
}

/* Converts HLG's scene light to display light by the system gamma; `luminance` has 24 bits. */
static uint32_t displayed(uint32_t scene, const uint32_t *gain, uint32_t luminance)
{
    const uint32_t *at = gain + (luminance >> 12);
    const int64_t factor = FV_CHECK_GAIN((int64_t)at[0], (int64_t)at[1], (int64_t)(luminance & 4095));
    return (uint32_t)FV_CHECK_DISPLAYED((int64_t)scene, factor);
}

static void places(const FvCheckLight *light, const FvFrame *frame, int y, uint16_t *const place[3])
{
    for (int x = 0; x < frame->format.width; x++) {
        const Chroma chroma = chroma_of(light, frame, x, y);
        const int t = FV_CHECK_LUMA(*light, luma(frame, x, y));
        place[0][x] = (uint16_t)fv_check_place(FV_CHECK_COMPONENT(t, chroma.red));
        place[1][x] = (uint16_t)fv_check_place(FV_CHECK_COMPONENT(t, chroma.green));
        place[2][x] = (uint16_t)fv_check_place(FV_CHECK_COMPONENT(t, chroma.blue));
    }
}

/* Display light of a pixel. */
typedef struct Pixel {
    uint64_t red, green, blue;
} Pixel;

/* gain: that of `light`, or NULL if it has none. */
FV_FN Pixel pixel_at(const FvCheckLight *light, const uint32_t *gain, uint16_t *const place[3], int x)
{
    Pixel p = {light->table[place[0][x]], light->table[place[1][x]], light->table[place[2][x]]};
    if (gain) {
        const uint32_t luminance =
            FV_CHECK_WEIGH(fv_check_bt2020, (uint32_t)p.red, (uint32_t)p.green, (uint32_t)p.blue);
        p.red = displayed((uint32_t)p.red, gain, luminance);
        p.green = displayed((uint32_t)p.green, gain, luminance);
        p.blue = displayed((uint32_t)p.blue, gain, luminance);
    }
    return p;
}

FV_FN void add_light(const FvCheckLight *light, const uint32_t *gain, uint16_t *const place[3], int x, int count,
                     FvCheckCell *cell)
{
    uint64_t red = 0, green = 0, blue = 0, saturated = 0;
    for (int i = x; i < x + count; i++) {
        const Pixel p = pixel_at(light, gain, place, i);
        red += p.red;
        green += p.green;
        blue += p.blue;
        if (p.red >> 2 >= p.green + p.blue) /* elsewhere it is 0 */
            saturated += (uint32_t)fv_check_red((int)p.red, (int)p.green, (int)p.blue);
    }
    cell->light[0] += red;
    cell->light[1] += green;
    cell->light[2] += blue;
    cell->red += saturated;
}

void fv_check_add_light(const FvCheckLight *light, uint16_t *const place[3], int x, int count, FvCheckCell *cell)
{
    if (light->gain)
        add_light(light, light->gain, place, x, count, cell);
    else
        add_light(light, NULL, place, x, count, cell);
}

uint64_t fv_check_luminance(const FvCheckLight *light, uint16_t *const place[3], int x, int count)
{
    uint64_t sum = 0;
    for (int i = x; i < x + count; i++) {
        const Pixel p = pixel_at(light, light->gain, place, i);
        sum += FV_CHECK_WEIGH(light->weight, (uint32_t)p.red, (uint32_t)p.green, (uint32_t)p.blue);
    }
    return sum;
}

void fv_check_peaks(const FvCheckLight *light, uint16_t *const place[3], int width, bool gamut, FvCheckPeaks *peaks)
{
    for (int x = 0; x < width; x++) {
        const Pixel p = pixel_at(light, light->gain, place, x);
        const uint64_t higher = p.red > p.green ? p.red : p.green;
        const uint32_t most = (uint32_t)(higher > p.blue ? higher : p.blue);
        peaks->most = most > peaks->most ? most : peaks->most;
        peaks->sum += most;
        peaks->bin[fv_check_bin(most)]++;
        if (!gamut || most < 65536)
            continue;
        peaks->lit++;
        const int64_t r = (int64_t)p.red, g = (int64_t)p.green, b = (int64_t)p.blue, whole = most;
#define BELOW(x, y, z) FV_CHECK_BELOW(x, y, z, r, g, b, whole)
        peaks->outside[0] += FV_CHECK_OUTSIDE_BT709(BELOW);
        peaks->outside[1] += FV_CHECK_OUTSIDE_P3(BELOW);
#undef BELOW
    }
}

static int distance(int a, int b)
{
    return a < b ? b - a : a - b;
}

/*
 * Returns the absolute second difference at (x, y) between row y of `at` and the rows above and below it in `around`.
 */
static uint64_t bend(const FvFrame *around, const FvFrame *at, int x, int y)
{
    const int d = FV_CHECK_BEND(luma(around, x, y - 1), luma(at, x, y), luma(around, x, y + 1));
    return (uint64_t)(d < 0 ? -d : d);
}

static bool is_combed(const FvFrame *now, int x, int y, int limit)
{
    const int above = luma(now, x, y) - luma(now, x, y - 1), below = luma(now, x, y) - luma(now, x, y + 1);
    const int d = FV_CHECK_COMBED(luma(now, x, y - 2), luma(now, x, y - 1), luma(now, x, y), luma(now, x, y + 1),
                                  luma(now, x, y + 2));
    return FV_CHECK_JAGGED(above, below, limit) && (d < 0 ? -d : d) > 6 * limit;
}

static void scan(const FvFrame *now, const FvFrame *before, int first, int rows, FvCheckScan *scan, uint32_t *block)
{
    const int width = now->format.width, height = now->format.height, unit = 1 << (now->format.depth - 8);
    for (int x = 0; x < width; x += FV_CHECK_BLOCK)
        block[x / FV_CHECK_BLOCK] = 0;
    for (int y = first; y < first + rows; y++)
        for (int x = 0; x < width; x++) {
            if (y >= 2 && y < height - 2)
                block[x / FV_CHECK_BLOCK] += is_combed(now, x, y, 9 * unit);
            bool moving = false;
            for (int i = -1; i < 2 && before && y > 0 && y < height - 1; i++)
                moving |= distance(luma(now, x, y + i), luma(before, x, y + i)) > 8 * unit;
            if (!moving)
                continue;
            scan->moving++;
            scan->own += bend(now, now, x, y);
            const uint64_t old = bend(before, now, x, y), new = bend(now, before, x, y);
            scan->top += y & 1 ? new : old;
            scan->bottom += y & 1 ? old : new;
        }
}

static void steps(const FvFrame *frame, int first, int rows, uint64_t across[8], uint64_t down[8])
{
    const int cap = 16 << (frame->format.depth - 8);
    for (int y = first; y < first + rows; y++)
        for (int x = 0; x < frame->format.width; x++) {
            const int code = luma(frame, x, y), left = luma(frame, x ? x - 1 : 0, y),
                      up = luma(frame, x, y ? y - 1 : 0);
            across[x & 7] += (uint64_t)fv_min_i32(distance(code, left), cap);
            down[y & 7] += (uint64_t)fv_min_i32(distance(code, up), cap);
        }
}

static uint64_t noise(const FvFrame *frame, int first, int rows, uint32_t *block)
{
    const int width = frame->format.width;
    uint64_t total = 0;
    for (int x = 1; x < width - 1; x += FV_CHECK_BLOCK)
        block[x / FV_CHECK_BLOCK] = 0;
    for (int y = first; y < first + rows; y++)
        for (int x = 1; x < width - 1; x++) {
            int bent[3];
            for (int i = 0; i < 3; i++)
                bent[i] = FV_CHECK_BEND(luma(frame, x + i - 1, y - 1), luma(frame, x + i - 1, y),
                                        luma(frame, x + i - 1, y + 1));
            const int d = FV_CHECK_BEND(bent[0], bent[1], bent[2]);
            total += (uint64_t)(d < 0 ? -d : d);
            block[(x - 1) / FV_CHECK_BLOCK] += (uint32_t)(d < 0 ? -d : d);
        }
    return total;
}

const FvCheckKernels fv_check_kernels_scalar = {.siti = siti,
                                                .differences = differences,
                                                .levels = levels,
                                                .cells = cells,
                                                .illegal = illegal,
                                                .places = places,
                                                .scan = scan,
                                                .steps = steps,
                                                .noise = noise};
