#include "device_select/estimate.h"

/* Measured on 16 processors of a Xeon with AVX-512 and an H200: docs/performance.md, "What auto takes". */
#define START 0.3             /* seconds to open driver and context, for the first launch, and to close them */
#define CLOSE 0.1             /* the part of START for closing */
#define OPEN 0.2              /* the part of START for opening driver and context */
#define TEST 1.0              /* seconds of a feature's self-test on Vulkan, which also compiles the kernels */
#define TEST_COST 33e-6       /* additional seconds of a self-test for each picosecond of the feature's cost */
#define GPU_SPEED 75          /* speed of an H200 relative to one processor, with the slowest feature */
#define READ_SECONDS 0.17e-9  /* seconds in which one processor reads a byte */
#define HWDEC_SECONDS 0.12e-9 /* seconds in which all hardware decoders together decode a luma sample */
#define CPU_BYTES 40e9        /* bytes per second that all processors together read and score */
#define GPU_BYTES 45e9        /* bytes per second that all processors together read and upload */

static double larger(double a, double b)
{
    return a > b ? a : b;
}

double fv_gpu_cost(const FvFeature *feature, const FvKnown *known)
{
    return known->shown[1] > 0 ? known->shown[1] : feature->cost / (known->speed > 0 ? known->speed : GPU_SPEED);
}

void fv_workload_add(FvWorkload *workload, const FvFeature *feature, const FvKnown *known)
{
    const double cost = known->shown[0] > 0 ? known->shown[0] : feature->cost;
    workload->cost += cost;
    if (!feature->gpu || (known->tested && !known->good)) {
        workload->host_cost += cost;
        return;
    }
    workload->gpu_cost += fv_gpu_cost(feature, known);
    workload->untested += !known->tested;
    workload->untested_cost += known->tested ? 0 : feature->cost;
}

/* Returns the processor seconds to read and decode a pair if hardware decoders decode `hardware` of its videos. */
static double input_of(const FvWorkload *workload, int hardware)
{
    return workload->bytes * READ_SECONDS + (workload->videos - hardware) * workload->samples * FV_DECODE_SECONDS;
}

FvEstimate fv_estimate(const FvWorkload *workload)
{
    const double pairs = (double)workload->pairs, unit = workload->samples * 1e-12;
    const double *arrival = workload->arrival, *shown = workload->start;
    const double input[2] = {workload->work > 0 ? workload->work : input_of(workload, 0),
                             input_of(workload, workload->hwdec)};
    const double hwdec = workload->hwdec * workload->samples * HWDEC_SECONDS;
    const double cpu = larger((input[0] + workload->cost * unit) / workload->processors,
                              arrival[0] > 0 ? arrival[0] : workload->bytes / CPU_BYTES);
    const double comes = larger(larger(input[1] / workload->processors, hwdec), workload->bytes / GPU_BYTES);
    const double host = (input[1] + workload->host_cost * unit) / workload->processors;
    const double gpu = larger(larger(arrival[1] > 0 ? arrival[1] : comes, workload->host_cost > 0 ? host : 0),
                              workload->gpu_cost * unit);
    const double cold = shown[1] > 0 ? shown[1] + CLOSE : START + (workload->hwdec ? FV_HWDEC_START : 0);
    const double start = larger(cold - (workload->open ? OPEN : 0), 0) + workload->untested * TEST +
                         workload->untested_cost * TEST_COST;
    return (FvEstimate){.cpu = shown[0] + pairs * cpu, .gpu = start + pairs * gpu};
}
