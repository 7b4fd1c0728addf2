#include "auto_device.h"

/* Measured on 16 processors of a Xeon with AVX-512 and an H200: docs/performance.md, "What auto takes". */
#define START 0.3            /* seconds: driver, context and first launch, and closing them */
#define GPU_SPEED 75         /* the least by which a GPU is faster than one processor, of all features */
#define READ_SECONDS 0.17e-9 /* of one processor for a byte */
#define DECODE_SECONDS 10e-9 /* of one processor for a sample of luma */
#define CHIP_SECONDS 0.12e-9 /* of all decoders of a GPU for a sample of luma */
#define CPU_BYTES 40e9       /* a second, read and scored by all processors together */
#define GPU_BYTES 45e9       /* a second, read and sent by all processors together */

static double larger(double a, double b)
{
    return a > b ? a : b;
}

FvEstimate fv_estimate(const FvWorkload *workload)
{
    const double pairs = (double)workload->pairs;
    const double score = workload->samples * workload->cost * 1e-12;
    const double read = workload->bytes * READ_SECONDS, decode = workload->samples * DECODE_SECONDS;
    const double input[2] = {read + workload->videos * decode, read + (workload->videos - workload->chip) * decode};
    const double chip = workload->chip * workload->samples * CHIP_SECONDS;
    const double cpu = larger((input[0] + score) / workload->processors, workload->bytes / CPU_BYTES);
    const double gpu =
        larger(larger(input[1] / workload->processors, workload->bytes / GPU_BYTES), larger(chip, score / GPU_SPEED));
    return (FvEstimate){.cpu = pairs * cpu, .gpu = START + pairs * gpu};
}
