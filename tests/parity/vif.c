/* Parity cases of VMAF's VIF: sums of a scale, and the next scale's pictures. */
#include "cpu/vif.h"

#include <string.h>

#include "feature/vif.h"
#include "parity.h"

/* Returns the planes of a scale. Scales from 1 on have samples of 16 bits. */
static FvVifPlanes planes_of(Parity *p, int scale)
{
    FvVifPlanes planes = {.width = p->width, .height = p->height, .depth = p->depth, .scale = scale};
    planes.ref = parity_samples(p, "ref", p->width, p->height, &planes.ref_stride);
    planes.dis = parity_samples(p, "dis", p->width, p->height, &planes.dis_stride);
    return planes;
}

/*
 * Draws samples near a multiple of 16. Up to a distance of 181, products of the differences fit a word. Some samples
 * are slightly farther, and in tall pictures one row is, which the first band of rows reads, or the second, or
 * both.
 */
static void draw_near(Parity *p, const FvVifPlanes *planes)
{
    int reach = 181 + (p->height < 128 ? (int)(parity_random(p) % 4) : 0),
        centre = 192 + 16 * (int)(parity_random(p) % 40);
    int far = 109 + 12 * (p->height % 3);
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++) {
            uint16_t *ref = (uint16_t *)(planes->ref + y * planes->ref_stride) + x;
            uint16_t *dis = (uint16_t *)(planes->dis + y * planes->dis_stride) + x;
            *ref = (uint16_t)(y == far ? 1023 : centre + (x % 32 ? *ref % (reach + 1) : reach));
            *dis = (uint16_t)(centre - (y % 16 ? *dis % (reach + 1) : reach));
        }
}

static void compare_sums(Parity *p, bool half, bool near)
{
    FvVifPlanes planes = planes_of(p, p->variant);
    if (near)
        draw_near(p, &planes);
    ptrdiff_t stride;
    uint16_t *logs = parity_input(p, "logs", FV_VIF_TABLE * sizeof *logs, 1, &stride);
    static uint16_t table[FV_VIF_TABLE];
    if (!table[1])
        fv_vif_log_table(table);
    memcpy(logs, table, sizeof table);
    void *scratch = parity_scratch(p, "scratch", fv_vif_scratch(p->width));
    int first = half ? p->height / 4 * 2 : 0;
    const double second[] = {0, 1, 2.7}, samples = (double)p->width * (p->height - first);
    const double limit[] = {parity_random(p) % 2 ? 100 : 1.3, second[parity_random(p) % 3]};
    FvVifSums sums = {0};
    parity_work(p, samples, samples * (p->depth > 8 ? 4 : 2));
    PARITY_CALL(p,
                fv_vif_kernels(p->runner->isa)->sums(&planes, first, p->height - first, logs, limit, &sums, scratch));
    parity_value(p, "numerators", &sums.numerator, sizeof sums.numerator);
    parity_value(p, "denominator", &sums.denominator, sizeof sums.denominator);
    parity_value(p, "flat variance", &sums.flat_variance, sizeof sums.flat_variance);
    parity_value(p, "flat", &sums.flat, sizeof sums.flat);
}

static void sums(Parity *p)
{
    compare_sums(p, false, false);
}

static void near(Parity *p)
{
    compare_sums(p, false, true);
}

static void lower_half(Parity *p)
{
    compare_sums(p, true, false);
}

/* Tests numbers with every possible sequence of 16 leading bits, followed by random bits. */
static void logarithms(Parity *p)
{
    ptrdiff_t stride;
    int count = p->width;
    uint16_t *logs = parity_input(p, "logs", FV_VIF_TABLE * sizeof *logs, 1, &stride);
    uint32_t *numbers = parity_input(p, "numbers", (size_t)count * sizeof *numbers, 1, &stride);
    int32_t *to = parity_output(p, "logarithms", (size_t)count * sizeof *to, 1, sizeof *to, 64, &stride);
    fv_vif_log_table(logs);
    for (int i = 0; i < count; i++) {
        uint32_t power = 2 + parity_random(p) % 15, leading = 32768u + (uint32_t)i % 32768u;
        numbers[i] = leading << power | (parity_random(p) & ((1u << power) - 1));
    }
    parity_work(p, count, 8.0 * count);
    PARITY_CALL(p, fv_vif_kernels(p->runner->isa)->logarithms(numbers, count, logs, to));
}

static void reduce(Parity *p)
{
    FvVifPlanes planes = planes_of(p, p->variant);
    ptrdiff_t ref_stride, dis_stride; /* equal, since both outputs have the same width */
    size_t row = (size_t)(p->width / 2) * 2;
    uint16_t *ref = parity_output(p, "reduced ref", row, p->height / 2, 2, 64, &ref_stride);
    uint16_t *dis = parity_output(p, "reduced dis", row, p->height / 2, 2, 64, &dis_stride);
    void *scratch = parity_scratch(p, "scratch", fv_vif_scratch(p->width));
    double samples = (double)p->width * p->height;
    parity_work(p, samples, samples * (p->depth > 8 ? 5 : 3));
    PARITY_CALL(p, fv_vif_kernels(p->runner->isa)->reduce(&planes, 0, p->height / 2, ref, dis, ref_stride, scratch));
}

static const ParitySize sizes[] = {{16, 16},  {17, 17},  {31, 19},  {33, 16},  {63, 18},  {64, 21},  {100, 16},
                                   {111, 17}, {112, 16}, {113, 19}, {120, 16}, {121, 17}, {127, 16}, {128, 18},
                                   {129, 16}, {232, 17}, {233, 16}, {250, 33}, {257, 16}, {0, 0}};
static const ParitySize tall[] = {{40, 530}, {0, 0}};
static const ParitySize all_logs[] = {{32768, 1}, {0, 0}};
static const ParitySize whole[] = {{32, 16},   {96, 21},   {97, 18},   {224, 40},
                                   {192, 150}, {192, 151}, {224, 152}, {0, 0}};
static const int depths[] = {8, 9, 10, 12, 16, 0}, depth10[] = {10, 0}, depth16[] = {16, 0};
static const char *const scale0[] = {"scale 0", NULL}, *const scales[] = {"scale 0", "scale 1", "scale 2", "scale 3",
                                                                          NULL};

const ParityKernel parity_vif[] = {
    {.noun = "vif", .name = "sums", .body = sums, .sizes = sizes, .depths = depths, .variants = scale0},
    {.noun = "vif", .name = "sums16", .body = sums, .sizes = sizes, .depths = depth16, .variants = scales},
    {.noun = "vif",
     .name = "lower half",
     .body = lower_half,
     .sizes = sizes,
     .depths = depth16,
     .variants = scales,
     .fills = PARITY_RANDOM | PARITY_GRADIENT,
     .bench = {-1, 0}},
    {.noun = "vif",
     .name = "tall",
     .body = sums,
     .sizes = tall,
     .depths = depths,
     .variants = scale0,
     .bench = {-1, 0}},
    {.noun = "vif",
     .name = "near",
     .body = near,
     .sizes = whole,
     .depths = depth10,
     .variants = scale0,
     .fills = PARITY_RANDOM,
     .bench = {-1, 0}},
    {.noun = "vif", .name = "reduce", .body = reduce, .sizes = sizes, .depths = depths, .variants = scale0},
    {.noun = "vif",
     .name = "reduce16",
     .body = reduce,
     .sizes = sizes,
     .depths = depth16,
     .variants = (const char *const[]){"scale 0", "scale 1", "scale 2", NULL}},
    {.noun = "vif", .name = "logarithms", .body = logarithms, .sizes = all_logs, .depths = depth16},
    {0},
};
