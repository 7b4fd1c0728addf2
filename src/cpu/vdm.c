/* Kernels of the visual discrimination model for one instruction set: retina, pyramids, map, statistics. */
#include "cpu/vdm.h"

#include "cpu/simd.h"
#include "cpu/vdm_rows.h"

/* ---- Retina ------------------------------------------------------------------------------------------------- */

/* Writes the luminance of one row of samples, reflected at both ends by the radius of the point spread. */
static void luminance_row(const FvVdmOptics *optics, const uint8_t *samples, float *row)
{
    const float *display = optics->display;
    int width = optics->width;
    if (optics->bytes == 1)
        for (int x = 0; x < width; x++)
            row[x] = display[samples[x]];
    else if (optics->bytes == 2)
        for (int x = 0; x < width; x++) {
            uint16_t code = ((const uint16_t *)samples)[x];
            row[x] = display[code < optics->greatest ? code : optics->greatest];
        }
    else
        memcpy(row, samples, width * sizeof *row);
    fv_vdm_reflect(row, width, FV_VDM_RADIUS);
}

/* Applies the point spread to a row. rows[-radius] to rows[radius] are the rows above and below it. */
FV_FN void spread_row(const float **rows, const float *weights, int width, int radius, float *to)
{
    for (int x = 0; x < width; x += FV_LANES) {
        fv_f32 centre = FV_LOAD(fv_f32, rows[0] + x), y = centre;
        FV_UNROLL
        for (int a = 1; a <= radius; a++) {
            FV_UNROLL
            for (int b = 0; b <= a; b++) {
                fv_f32 sum = {0};
                int count = 0;
                FV_UNROLL
                for (int dy = -a; dy <= a; dy++) {
                    FV_UNROLL
                    for (int dx = -a; dx <= a; dx++) {
                        int across = dx < 0 ? -dx : dx, down = dy < 0 ? -dy : dy;
                        int far = across > down ? across : down, near = across + down - far;
                        if (far == a && near == b) {
                            fv_f32 member = FV_LOAD(fv_f32, rows[dy] + x + dx);
                            sum = count++ ? sum + member : member;
                        }
                    }
                }
                y = fv_vdm_spread(y, centre, sum, (float)count, weights[a * (a + 1) / 2 + b]);
            }
        }
        FV_STORE(to + x, y);
    }
}

static void optics_rows(const FvVdmOptics *optics, const uint8_t *samples, ptrdiff_t stride, int row, int rows,
                        const FvVdmPlane *to, float *work)
{
    int radius = optics->spread.radius, span = 2 * radius + 1;
    const float *weights = optics->spread.weight;
    ptrdiff_t pitch = fv_vdm_stride(optics->width);
    int held[2 * FV_VDM_RADIUS + 1];
    for (int i = 0; i < span; i++)
        held[i] = -1;
    for (int y = row; y < row + rows; y++) {
        const float *around[2 * FV_VDM_RADIUS + 1];
        for (int i = -radius; i <= radius; i++) {
            int from = fv_vdm_mirror(y + i, optics->height), slot = from % span;
            float *line = work + FV_VDM_MARGIN + slot * pitch;
            if (held[slot] != from)
                luminance_row(optics, samples + from * stride, line);
            held[slot] = from;
            around[i + radius] = line;
        }
        float *out = fv_vdm_row(to, y);
        if (radius == 0)
            memcpy(out, around[0], optics->width * sizeof *out);
        else if (radius == 1)
            spread_row(around + 1, weights, optics->width, 1, out);
        else if (radius == 2)
            spread_row(around + 2, weights, optics->width, 2, out);
        else if (radius == 3)
            spread_row(around + 3, weights, optics->width, 3, out);
        else
            spread_row(around + 4, weights, optics->width, 4, out);
        fv_vdm_reflect(out, to->width, 2);
    }
}

/* ---- Pyramids ----------------------------------------------------------------------------------------------- */

static void reduce_across(const float *row, int width, float *to)
{
    for (int x = 0; x < width; x += FV_LANES) {
        const float *from = row + 2 * x;
        Two here = apart(from), before = apart(from - 2), after = apart(from + 2);
        FV_STORE(to + x, fv_vdm_reduce(here.even, before.odd, here.odd, before.even, after.even));
    }
}

static void reduce(const FvVdmPlane *from, int row, int rows, const FvVdmPlane *to, float *work)
{
    ptrdiff_t pitch = fv_vdm_stride(to->width);
    int held[5] = {-1, -1, -1, -1, -1};
    for (int y = row; y < row + rows; y++) {
        const float *around[5];
        for (int i = -2; i <= 2; i++) {
            int source = fv_vdm_mirror(2 * y + i, from->height), slot = source % 5;
            float *line = work + FV_VDM_MARGIN + slot * pitch;
            if (held[slot] != source)
                reduce_across(fv_vdm_row(from, source), to->width, line);
            held[slot] = source;
            around[i + 2] = line;
        }
        float *out = fv_vdm_row(to, y);
        for (int x = 0; x < to->width; x += FV_LANES)
            FV_STORE(out + x, fv_vdm_reduce(FV_LOAD(fv_f32, around[2] + x), FV_LOAD(fv_f32, around[1] + x),
                                            FV_LOAD(fv_f32, around[3] + x), FV_LOAD(fv_f32, around[0] + x),
                                            FV_LOAD(fv_f32, around[4] + x)));
        fv_vdm_reflect(out, to->width, 2);
    }
}

static void expand(const FvVdmPlane *from, int row, int rows, const FvVdmPlane *to, float *work)
{
    Expanded expanded = expanded_rows(from, 0, to->width, work);
    for (int y = row; y < row + rows; y++) {
        NearRows near = expanded_near(&expanded, y);
        float *out = fv_vdm_row(to, y);
        for (int x = 0; x < to->width; x += FV_LANES)
            FV_STORE(out + x, expanded_at(&near, x));
        fv_vdm_reflect(out, to->width, 2);
    }
}

/* ---- Map ---------------------------------------------------------------------------------------------------- */

static void add(const FvVdmPlane *coarse, const FvVdmPlane *sum, float *work)
{
    Expanded expanded;
    if (coarse)
        expanded = expanded_rows(coarse, 0, sum->width, work);
    for (int y = 0; y < sum->height; y++) {
        float *row = fv_vdm_row(sum, y);
        if (coarse) {
            NearRows near = expanded_near(&expanded, y);
            for (int x = 0; x < sum->width; x += FV_LANES)
                FV_STORE(row + x, FV_LOAD(fv_f32, row + x) + expanded_at(&near, x));
        }
        fv_vdm_reflect(row, sum->width, 2);
    }
}

static void jnd(const FvVdmPlane *sum, const FvVdmPlane *coarse, float inverse_q, int row, int rows,
                const FvVdmPlane *to, float *work)
{
    Expanded expanded;
    if (coarse)
        expanded = expanded_rows(coarse, 0, sum->width, work);
    for (int y = row; y < row + rows; y++) {
        const float *finest = fv_vdm_row(sum, y);
        float *out = fv_vdm_row(to, y);
        NearRows near = {{NULL}, false};
        if (coarse)
            near = expanded_near(&expanded, y);
        for (int x = 0; x < to->width; x += FV_LANES) {
            fv_f32 all = FV_LOAD(fv_f32, finest + x);
            if (coarse)
                all = all + expanded_at(&near, x);
            FV_STORE(out + x, fv_vdm_jnd(all, inverse_q));
        }
        fv_vdm_reflect(out, to->width, 2);
    }
}

/* ---- Statistics --------------------------------------------------------------------------------------------- */

/* Returns floor(2^26 x + 0.5) as an integer, for 0 <= x < 2^25. */
FV_FN fv_u64 fixed(fv_f64 x)
{
    fv_f64 scaled = x * 67108864.0 + 0.5;
    /* Adding 2^52 rounds to an integer, which is then in the lower bits. */
    fv_f64 placed = scaled + 4503599627370496.0;
    fv_u64 whole = (fv_u64)placed & 0xfffffffffffffu;
    return whole + (fv_u64)(placed - 4503599627370496.0 > scaled); /* a true comparison is -1 */
}

FV_FN fv_f64 half_of(const fv_f32 *x, int half)
{
    return fv_f64_from_f32(FV_LOAD(fv_f32_half, (const float *)x + half * FV_LANES64));
}

static void count_row(const float *row, int width, FvVdmCount *count, FvVdmSums *sums)
{
    fv_u64 jnd = {0}, square = {0}, fourth = {0};
    fv_f32 least = fv_splat_f32(count->least), greatest = fv_splat_f32(count->greatest);
    fv_i32 visible = {0};
    int x = 0;
    for (; x + FV_LANES <= width; x += FV_LANES) {
        fv_f32 value = FV_LOAD(fv_f32, row + x), limited = fv_min_f32(value, fv_splat_f32(FV_VDM_LIMIT));
        fv_f32 squares = limited * limited, fourths = squares * squares;
        least = fv_min_f32(least, value);
        greatest = fv_max_f32(greatest, value);
        visible -= value >= fv_splat_f32(1.0f);
        FV_UNROLL
        for (int half = 0; half < 2; half++) {
            jnd += fixed(half_of(&limited, half));
            square += fixed(half_of(&squares, half));
            fourth += fixed(half_of(&fourths, half));
        }
    }
    *sums = (FvVdmSums){0};
    for (int i = 0; i < FV_LANES64; i++) {
        sums->jnd += jnd[i];
        sums->square += square[i];
        sums->fourth += fourth[i];
    }
    for (int i = 0; i < FV_LANES; i++) {
        count->least = least[i] < count->least ? least[i] : count->least;
        count->greatest = greatest[i] > count->greatest ? greatest[i] : count->greatest;
        count->visible += visible[i];
    }
    for (; x < width; x++) {
        float value = row[x], limited = value < FV_VDM_LIMIT ? value : FV_VDM_LIMIT, squares = limited * limited;
        count->least = value < count->least ? value : count->least;
        count->greatest = value > count->greatest ? value : count->greatest;
        count->visible += value >= 1;
        sums->jnd += (uint64_t)(limited * 67108864.0 + 0.5);
        sums->square += (uint64_t)(squares * 67108864.0 + 0.5);
        sums->fourth += (uint64_t)(squares * squares * 67108864.0 + 0.5);
    }
    for (x = 0; x < width; x++) {
        uint32_t bits;
        memcpy(&bits, row + x, sizeof bits);
        count->bins[bits >> 16]++;
    }
}

extern void FV_ISA_STRUCT(fv_vdm_respond)(const FvVdmLevel *level, FvVdmTile tile, const FvVdmSeen *seen,
                                          float *work);

const FvVdmKernels FV_ISA_STRUCT(fv_vdm_kernels) = {
    .optics = optics_rows,
    .reduce = reduce,
    .expand = expand,
    .respond = FV_ISA_STRUCT(fv_vdm_respond),
    .add = add,
    .jnd = jnd,
    .count = count_row,
};
