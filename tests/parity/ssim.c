/* Parity cases of SSIM: sums of the statistic, and reduced planes. */
#include "cpu/ssim.h"

#include "parity.h"

/* Returns a plane. `real`: its samples are floats, as at the smaller scales. */
static FvSsimPlane plane_of(Parity *p, const char *name, bool real)
{
    FvSsimPlane plane = {.width = p->width, .height = p->height, .bytes = p->depth > 8 ? 2 : 1};
    plane.unit = 1.0f / (float)(1 << (p->depth - 8));
    if (!real) {
        plane.data = parity_samples(p, name, p->width, p->height, &plane.stride);
        return plane;
    }
    float *rows = parity_input(p, name, (size_t)p->width * sizeof(float), p->height, &plane.stride);
    plane.data = rows;
    plane.bytes = 4;
    plane.unit = 1;
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++)
            rows[y * (plane.stride / 4) + x] =
                p->fill == PARITY_LOW ? 0.001f * parity_random_real(p, 0, 3) : parity_random_real(p, -9, 264);
    return plane;
}

static void sums(Parity *p)
{
    FvSsimPlane ref = plane_of(p, "ref", p->variant == 1), dis = plane_of(p, "dis", p->variant == 1);
    void *scratch = parity_scratch(p, "scratch", fv_ssim_scratch_bytes(p->width));
    int rows = p->height - 10, first = p->fill == PARITY_RANDOM ? 0 : (int)(parity_random(p) % (uint32_t)rows);
    FvSsimSums to;
    FvSsimStatistic statistic = {.c1 = 6.5f, .c2 = 58.5f, .unit = 0x1p40};
    if (p->variant == 2) {
        ptrdiff_t stride;
        uint32_t *weight = parity_input(p, "weight", (size_t)(p->width - 10 + 64) * 4, p->height - 10, &stride);
        for (ptrdiff_t i = 0; i < stride / 4 * (p->height - 10); i++)
            weight[i] = parity_random(p) & 0xffff;
        statistic.unit = 0x1p24;
        statistic.weight = weight;
        statistic.weight_stride = stride / 4;
    }
    double samples = 2. * p->width * p->height;
    parity_work(p, samples, samples * ref.bytes);
    PARITY_CALL(p, fv_ssim_kernels(p->runner->isa)->sums(&ref, &dis, first, rows - first, &statistic, scratch, &to));
    parity_value(p, "sums", &to, sizeof to);
}

static void halve(Parity *p)
{
    FvSsimPlane from = plane_of(p, "plane", p->variant == 1);
    void *scratch = parity_scratch(p, "scratch", fv_ssim_scratch_bytes(p->width));
    int rows = (p->height + 1) / 2, first = p->fill == PARITY_RANDOM ? 0 : (int)(parity_random(p) % (uint32_t)rows);
    ptrdiff_t stride;
    float *to = parity_output(p, "half", (size_t)((p->width + 1) / 2) * 4, rows - first, 4, 64, &stride);
    parity_work(p, (double)p->width * p->height, (double)p->width * p->height * (from.bytes + 1));
    PARITY_CALL(p, fv_ssim_kernels(p->runner->isa)->halve(&from, to, stride, first, rows - first, scratch));
}

static void shrink(Parity *p)
{
    static const int factors[] = {2, 3, 4, 7, 10};
    int factor = factors[p->variant];
    FvSsimPlane from = plane_of(p, "plane", false);
    void *scratch = parity_scratch(p, "scratch", fv_ssim_scratch_bytes(p->width));
    int width = p->width / factor + p->width % 2, rows = p->height / factor + p->height % 2;
    int first = p->fill == PARITY_RANDOM ? 0 : (int)(parity_random(p) % (uint32_t)rows);
    ptrdiff_t stride;
    float *to = parity_output(p, "shrunk", (size_t)width * 4, rows - first, 4, 64, &stride);
    parity_work(p, (double)p->width * p->height, (double)p->width * p->height * from.bytes);
    PARITY_CALL(p, fv_ssim_kernels(p->runner->isa)->shrink(&from, factor, to, stride, first, rows - first, scratch));
}

static const ParitySize sizes[] = {{11, 11}, {12, 16}, {25, 11},  {26, 13},  {41, 12},
                                   {74, 14}, {75, 23}, {266, 12}, {268, 11}, {0, 0}};
static const ParitySize plane_sizes[] = {{9, 9},   {31, 10}, {32, 17},  {33, 12}, {64, 9},
                                         {65, 14}, {67, 13}, {130, 11}, {255, 9}, {0, 0}};
static const ParitySize shrink_sizes[] = {{20, 20}, {31, 33}, {64, 21}, {65, 40}, {129, 37}, {0, 0}};
static const int depths[] = {8, 10, 16, 0};
static const char *const kinds[] = {"samples", "floats", NULL};
static const char *const sums_of[] = {"samples", "floats", "weighted samples", NULL};
static const char *const factors[] = {"by 2", "by 3", "by 4", "by 7", "by 10", NULL};

const ParityKernel parity_ssim[] = {
    {.noun = "ssim", .name = "sums", .body = sums, .sizes = sizes, .depths = depths, .variants = sums_of},
    {.noun = "ssim", .name = "halve", .body = halve, .sizes = plane_sizes, .depths = depths, .variants = kinds},
    {.noun = "ssim", .name = "shrink", .body = shrink, .sizes = shrink_sizes, .depths = depths, .variants = factors},
    {0},
};
