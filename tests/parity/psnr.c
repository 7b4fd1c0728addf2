/* Parity cases of PSNR: sums of squared differences. */
#include "cpu/psnr.h"

#include "parity.h"

static void sse(Parity *p)
{
    ptrdiff_t ref_stride, dis_stride;
    const uint8_t *ref = parity_samples(p, "ref", p->width, p->height, &ref_stride);
    const uint8_t *dis = parity_samples(p, "dis", p->width, p->height, &dis_stride);
    const FvPsnrKernels *kernels = fv_psnr_kernels(p->runner->isa);
    double samples = (double)p->width * p->height;
    uint64_t sum = 0;
    parity_work(p, samples, samples * (p->depth > 8 ? 4 : 2));
    PARITY_CALL(p, sum = (p->depth > 8 ? kernels->sse16 : kernels->sse8)(ref, ref_stride, dis, dis_stride, p->width,
                                                                         p->height));
    parity_value(p, "sum", &sum, sizeof sum);
}

static const int depths8[] = {8, 0}, depths16[] = {10, 12, 16, 0};
/* In wide rows, 32-bit partial sums overflow if the kernel does not empty them in time. */
static const ParitySize wide[] = {{32768, 1}, {32767, 2}, {0, 0}};

const ParityKernel parity_psnr[] = {
    {.noun = "psnr", .name = "sse8", .body = sse, .depths = depths8},
    {.noun = "psnr", .name = "sse16", .body = sse, .depths = depths16},
    {.noun = "psnr",
     .name = "sse8 wide",
     .body = sse,
     .depths = depths8,
     .sizes = wide,
     .fills = PARITY_EXTREMES,
     .bench = {-1, 0}},
    {.noun = "psnr",
     .name = "sse16 wide",
     .body = sse,
     .depths = depths16,
     .sizes = wide,
     .fills = PARITY_EXTREMES,
     .bench = {-1, 0}},
    {0},
};
