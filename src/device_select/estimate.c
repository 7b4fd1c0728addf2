#include "device_select/estimate.h"

/* Measured on 16 processors of a Xeon with AVX-512 and an H200: docs/performance.md, "What auto takes". */
#define START 0.3             /* seconds to open driver and context, for the first launch, and to close them */
#define CLOSE 0.1             /* the part of START that closes driver and context */
#define OPEN 0.2              /* the part of START that opens driver and context */
#define TEST 1.0              /* seconds of a feature's self-test on Vulkan, which also compiles the kernels */
#define TEST_COST 33e-6       /* additional seconds of a self-test for each picosecond of the feature's cost */
#define GPU_SPEED 75          /* speed of an H200 relative to one processor, for the slowest feature */
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

void fv_estimate_add(FvEstimateParams *params, const FvFeature *feature, const FvKnown *known)
{
    const double cost = known->shown[0] > 0 ? known->shown[0] : feature->cost;
    params->cost += cost;
    if (!feature->gpu || (known->tested && !known->good)) {
        params->host_cost += cost;
        return;
    }
    params->gpu_cost += fv_gpu_cost(feature, known);
    params->untested += !known->tested;
    params->untested_cost += known->tested ? 0 : feature->cost;
}

/* Returns the processor seconds to read and decode a pair if hardware decoders decode `hardware` of its videos. */
static double input_of(const FvEstimateParams *params, int hardware)
{
    return params->bytes * READ_SECONDS + (params->videos - hardware) * params->samples * FV_DECODE_SECONDS;
}

FvEstimate fv_estimate(const FvEstimateParams *params)
{
    const double pairs = (double)params->pairs, unit = params->samples * 1e-12;
    const double *arrival = params->arrival, *shown = params->start;
    const double input[2] = {params->work > 0 ? params->work : input_of(params, 0), input_of(params, params->hwdec)};
    const double hwdec = params->hwdec * params->samples * HWDEC_SECONDS;
    const double cpu = larger((input[0] + params->cost * unit) / params->processors,
                              arrival[0] > 0 ? arrival[0] : params->bytes / CPU_BYTES);
    const double comes = larger(larger(input[1] / params->processors, hwdec), params->bytes / GPU_BYTES);
    const double host = (input[1] + params->host_cost * unit) / params->processors;
    const double gpu = larger(larger(arrival[1] > 0 ? arrival[1] : comes, params->host_cost > 0 ? host : 0),
                              params->gpu_cost * unit);
    const double cold = shown[1] > 0 ? shown[1] + CLOSE : START + (params->hwdec ? FV_HWDEC_START : 0);
    const double start =
        larger(cold - (params->open ? OPEN : 0), 0) + params->untested * TEST + params->untested_cost * TEST_COST;
    return (FvEstimate){.cpu = shown[0] + pairs * cpu, .gpu = start + pairs * gpu};
}
