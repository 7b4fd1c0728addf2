/* Parity cases of the depth check: the OR of all samples. */
#include "cpu/depth.h"

#include "parity.h"

static void join(Parity *p)
{
    ptrdiff_t stride;
    const uint8_t *words = parity_samples(p, "words", p->width, p->height, &stride);
    const double count = (double)p->width * p->height;
    unsigned all = 0;
    parity_work(p, count, count * 2);
    PARITY_CALL(p, all = fv_depth_kernels(p->runner->isa)->join(words, stride, p->width, p->height));
    parity_value(p, "all", &all, sizeof all);
}

/* A single word has a bit that the others lack, at any position. */
static void join_one(Parity *p)
{
    ptrdiff_t stride;
    uint8_t *row = (uint8_t *)parity_samples(p, "words", p->width, p->height, &stride) + (p->height - 1) * stride;
    const FvDepthKernels *kernels = fv_depth_kernels(p->runner->isa);
    unsigned missed = 0;
    for (int x = 0; x < p->width; x++) {
        uint16_t *word = (uint16_t *)row + x;
        const uint16_t kept = *word;
        *word = 0x8000;
        missed += !(kernels->join(row, stride, p->width, 1) & 0x8000);
        *word = kept;
    }
    parity_value(p, "missed", &missed, sizeof missed);
}

static const int depths[] = {10, 15, 0};

const ParityKernel parity_depth[] = {
    {.noun = "depth", .name = "join", .body = join, .depths = depths},
    {.noun = "depth", .name = "join one", .body = join_one, .depths = depths, .bench = {-1, 0}},
    {0},
};
