/* Parity cases of PU21: light to perceptually uniform units, and sums of squared differences. */
#include "cpu/pu21.h"

#include "parity.h"

static void encode(Parity *p)
{
    static const FvPuEncoding encodings[] = {
        {{0.2627f, 0.678f, 0.0593f},
         0,
         10000,
         {0.353487901f, 0.3734658629f, 8.277049286e-05f, 0.9062562627f, 0.09150303166f, 0.9099517204f, 596.3148142f}},
        {{0.2126729f, 0.7151522f, 0.072175f},
         1.2f,
         1000,
         {816.885024f, 1479.463946f, 0.001253215609f, 0.9329636822f, 0.06746643971f, 1.573435413f, 419.6006374f}}};
    const float most = p->variant ? 1 : 10000;
    const float *light[3];
    ptrdiff_t bytes;
    for (int i = 0; i < 3; i++) {
        float *row = parity_input(p, "light", (size_t)p->width * sizeof *row, 1, &bytes);
        for (int x = 0; x < p->width; x++)
            row[x] = x % 3 ? parity_random_real(p, 0, most) : parity_random_real(p, 0, most / 1e6f);
        light[i] = row;
    }
    float *to = parity_output(p, "units", (size_t)p->width * sizeof *to, 1, sizeof *to, 64, &bytes);
    parity_work(p, p->width, p->width * 16.);
    PARITY_CALL(p, fv_pu_kernels(p->runner->isa)->encode(&encodings[p->variant], light, p->width, to));
}

static void squares(Parity *p)
{
    const float *picture[2];
    ptrdiff_t bytes;
    uint64_t sum = 0;
    for (int i = 0; i < 2; i++) {
        float *row = parity_input(p, "units", (size_t)p->width * sizeof *row, 1, &bytes);
        for (int x = 0; x < p->width; x++)
            row[x] = p->variant ? (float)(i * (1023 - 0x1p-14)) : (float)(parity_random(p) & 0xffffff) * 0x1p-14f;
        picture[i] = row;
    }
    parity_work(p, p->width, p->width * 8.);
    PARITY_CALL(p, sum = fv_pu_kernels(p->runner->isa)->squares(picture[0], picture[1], p->width));
    parity_value(p, "sum", &sum, sizeof sum);
}

static const ParitySize sizes[] = {{1, 1}, {7, 1}, {16, 1}, {33, 1}, {100, 1}, {1024, 1}, {0, 0}};
static const char *const encodings[] = {"cd/m2", "hlg", NULL};
static const char *const pictures[] = {"random", "far apart", NULL};

const ParityKernel parity_pu21[] = {
    {.noun = "pu21", .name = "encode", .body = encode, .sizes = sizes, .fills = PARITY_RANDOM, .variants = encodings},
    {.noun = "pu21",
     .name = "squares",
     .body = squares,
     .sizes = sizes,
     .fills = PARITY_RANDOM,
     .variants = pictures},
    {0},
};
