/* Parity cases of ADM: wavelet, detail and masking of some rows of each scale. */
#include "cpu/adm.h"

#include "feature/adm.h"
#include "parity.h"

/* Greatest magnitudes of each scale's samples, below the greatest that the previous scale can give. */
static const int32_t greatest[FV_ADM_SCALES] = {0, 22930, 2100000000, 1470000000};

static int32_t value_of(Parity *p, int scale)
{
    int32_t most = greatest[scale], random = (int32_t)(parity_random(p) % (2 * (uint32_t)most + 1) - (uint32_t)most);
    if (p->fill == PARITY_EXTREMES)
        return random < 0 ? -most : most;
    return p->fill == PARITY_LOW ? random / (most / 4) : p->fill == PARITY_GRADIENT ? random / 1000 : random;
}

static const void *low_of(Parity *p, const char *name, int scale, ptrdiff_t *stride)
{
    if (scale == 0)
        return parity_samples(p, name, p->width, p->height, stride);
    size_t bytes = scale == 1 ? 2 : 4;
    uint8_t *rows = parity_input(p, name, (size_t)p->width * bytes, p->height, stride);
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++)
            if (bytes == 2)
                ((int16_t *)(rows + y * *stride))[x] = (int16_t)value_of(p, scale);
            else
                ((int32_t *)(rows + y * *stride))[x] = value_of(p, scale);
    return rows;
}

/*
 * Returns a plane of sums of a row's value times `share` and a column's value. The reference has a share of tan(44
 * degrees). Where row and column are alike, the gradients' angle is then near one degree, at which ADM decides.
 */
static const void *turned(Parity *p, const char *name, double share, const uint16_t *row, const uint16_t *column,
                          ptrdiff_t *stride)
{
    uint8_t *rows = parity_input(p, name, (size_t)p->width * 2, p->height, stride);
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++)
            ((uint16_t *)(rows + y * *stride))[x] = (uint16_t)(row[x] * share + column[y]);
    return rows;
}

static void make_turned(Parity *p, FvAdmPlane input[2])
{
    uint16_t line[2][512];
    for (int i = 0; i < p->width + p->height; i++)
        line[i >= p->width][i >= p->width ? i - p->width : i] = (uint16_t)(parity_random(p) % 32768);
    input[0].data = (void *)turned(p, "ref", 0.96568877, line[0], line[1], &input[0].stride);
    input[1].data = (void *)turned(p, "dis", 1, line[0], line[1], &input[1].stride);
}

static void rows_of(Parity *p, int index, bool degree)
{
    static const FvAdmOptions sets[2] = {
        {.gain_limit = 100, .view_distance = 3, .display_height = 1080},
        {.csf_mode = 2, .gain_limit = 1, .view_distance = 5, .display_height = 1080}};
    FvAdmSensitivity sensitivity[FV_ADM_SCALES];
    FvAdmScale scales[FV_ADM_SCALES];
    if (fv_adm_sensitivities(&sets[p->variant % 2], "adm", sensitivity, NULL))
        return;
    fv_adm_scales(&sets[p->variant % 2], sensitivity, p->width << index, p->height << index, p->depth, scales);
    const FvAdmScale *scale = &scales[index];
    FvAdmPlane input[2], low[2];
    size_t element = index == 0 ? 2 : 4;
    if (degree) {
        make_turned(p, input);
    } else {
        input[0].data = (void *)low_of(p, "ref", index, &input[0].stride);
        input[1].data = (void *)low_of(p, "dis", index, &input[1].stride);
    }
    int first = (int)(parity_random(p) % (uint32_t)scale->rows);
    int count = 1 + (int)(parity_random(p) % (uint32_t)(scale->rows - first));
    if (p->fill == PARITY_RANDOM) {
        first = 0;
        count = scale->rows;
    }
    for (int i = 0; i < 2; i++) {
        low[i].data = parity_output(p, i ? "low of dis" : "low of ref", (size_t)scale->columns * element, count,
                                    (int)element, 64, &low[i].stride);
        low[i].data = (uint8_t *)low[i].data - first * low[i].stride;
    }
    void *scratch = parity_scratch(p, "scratch", fv_adm_scratch_bytes(scale));
    FvAdmSums sums;
    double samples = 2. * p->width * p->height;
    parity_work(p, samples, samples * (index == 0 && p->depth == 8 ? 1 : index < 2 ? 2 : 4));
    PARITY_CALL(p, fv_adm_kernels(p->runner->isa)->rows(scale, input, low, first, count, scratch, &sums));
    parity_value(p, "sums", &sums, sizeof sums);
}

/* The first scale has at least 33 samples, and the last one 5. Smaller pictures would need a negative shift. */
static const ParitySize sizes[] = {{33, 34},  {36, 33},  {63, 35},  {64, 36}, {65, 40},
                                   {127, 34}, {130, 37}, {258, 33}, {0, 0}};
static const ParitySize coarse_sizes[] = {{5, 5},   {6, 9},    {33, 34},  {36, 7},   {63, 12},  {64, 16},
                                          {65, 40}, {127, 12}, {128, 20}, {130, 37}, {258, 24}, {0, 0}};
static const ParitySize turned_sizes[] = {{64, 36}, {258, 33}, {0, 0}};
static const int depths[] = {8, 10, 16, 0}, depth16[] = {16, 0};
static const char *const first_variants[] = {"Watson, gain 100", "table, gain 1", NULL};
static const char *const variants[] = {"scale 1, gain 100",
                                       "scale 1, gain 1",
                                       "scale 2, gain 100",
                                       "scale 2, gain 1",
                                       "scale 3, gain 100",
                                       "scale 3, gain 1",
                                       NULL};

static void rows(Parity *p)
{
    rows_of(p, 0, false);
}

static void degree(Parity *p)
{
    rows_of(p, 0, true);
}

static void coarse_rows(Parity *p)
{
    rows_of(p, 1 + p->variant / 2, false);
}

const ParityKernel parity_adm[] = {
    {.noun = "adm", .name = "rows", .body = rows, .sizes = sizes, .depths = depths, .variants = first_variants},
    {.noun = "adm",
     .name = "a degree apart",
     .body = degree,
     .sizes = turned_sizes,
     .depths = depth16,
     .variants = first_variants,
     .fills = PARITY_RANDOM,
     .bench = {-1, 0}},
    {.noun = "adm", .name = "coarse rows", .body = coarse_rows, .sizes = coarse_sizes, .variants = variants},
    {0},
};
