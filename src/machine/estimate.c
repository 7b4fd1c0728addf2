#include "machine/estimate.h"

/* Measured on 16 processors of a Xeon with AVX-512 and an H200: docs/performance.md, "What auto takes". */
#define START 0.3             /* seconds for driver, context and first launch, and for closing them */
#define OPEN 0.2              /* the seconds of START for driver and context */
#define TEST 1.0              /* seconds of a feature's self-test on Vulkan, which compiles, */
#define TEST_COST 33e-6       /* and seconds more for each picosecond of its cost */
#define GPU_SPEED 75          /* speed of an H200 relative to one processor, with the slowest feature */
#define READ_SECONDS 0.17e-9  /* time in which one processor reads a byte */
#define HWDEC_SECONDS 0.12e-9 /* time in which all hardware decoders together decode a sample of luma */
#define CPU_BYTES 40e9        /* bytes a second that all processors together read and score */
#define GPU_BYTES 45e9        /* bytes a second that all processors together read and send */

static double larger(double a, double b)
{
    return a > b ? a : b;
}

void fv_workload_add(FvWorkload *workload, const FvFeature *feature, const FvKnown *known)
{
    workload->cost += feature->cost;
    if (!feature->gpu || (known->tested && !known->good)) {
        workload->host_cost += feature->cost;
        return;
    }
    workload->gpu_cost += feature->cost / (known->speed > 0 ? known->speed : GPU_SPEED);
    workload->untested += !known->tested;
    workload->untested_cost += known->tested ? 0 : feature->cost;
}

FvEstimate fv_estimate(const FvWorkload *workload)
{
    const double pairs = (double)workload->pairs, unit = workload->samples * 1e-12;
    const double read = workload->bytes * READ_SECONDS, decode = workload->samples * FV_DECODE_SECONDS;
    const double input[2] = {read + workload->videos * decode, read + (workload->videos - workload->hwdec) * decode};
    const double hwdec = workload->hwdec * workload->samples * HWDEC_SECONDS;
    const double cpu = larger((input[0] + workload->cost * unit) / workload->processors, workload->bytes / CPU_BYTES);
    const double gpu =
        larger(larger((input[1] + workload->host_cost * unit) / workload->processors, workload->bytes / GPU_BYTES),
               larger(hwdec, workload->gpu_cost * unit));
    const double start = START - (workload->open ? OPEN : 0) + (workload->hwdec ? FV_HWDEC_START : 0) +
                         workload->untested * TEST + workload->untested_cost * TEST_COST;
    return (FvEstimate){.cpu = pairs * cpu, .gpu = start + pairs * gpu};
}
