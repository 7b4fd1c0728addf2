/* Parity cases of VMAF's motion: sums of the magnitudes of a blurred difference. */
#include "cpu/motion.h"

#include "parity.h"

static void sad(Parity *p)
{
    FvMotionPlanes planes = {.width = p->width, .height = p->height, .depth = p->depth};
    planes.older = parity_samples(p, "older", p->width, p->height, &planes.older_stride);
    planes.newer = parity_samples(p, "newer", p->width, p->height, &planes.newer_stride);
    void *scratch = parity_scratch(p, "scratch", fv_motion_scratch(p->width));
    /* Variant 0 takes all rows, variant 1 the lower half, whose blur still reads the rows above it. */
    int first = p->variant ? p->height / 2 : 0;
    double samples = (double)p->width * (p->height - first);
    uint64_t sum = 0;
    parity_work(p, samples, samples * (p->depth > 8 ? 4 : 2));
    PARITY_CALL(p, sum = fv_motion_kernels(p->runner->isa)->sad(&planes, first, p->height - first, scratch));
    parity_value(p, "sum", &sum, sizeof sum);
}

static void still(Parity *p)
{
    FvMotionPlanes planes = {.width = p->width, .height = p->height, .depth = p->depth};
    planes.older = planes.newer = parity_samples(p, "frame", p->width, p->height, &planes.older_stride);
    planes.newer_stride = planes.older_stride;
    void *scratch = parity_scratch(p, "scratch", fv_motion_scratch(p->width));
    uint64_t sum = 1;
    PARITY_CALL(p, sum = fv_motion_kernels(p->runner->isa)->sad(&planes, 0, p->height, scratch));
    parity_value(p, "sum", &sum, sizeof sum);
}

static const ParitySize sizes[] = {{3, 3},   {4, 5},  {5, 4},   {7, 11},  {8, 3},   {9, 6},   {15, 7},
                                   {16, 16}, {17, 5}, {31, 9},  {32, 8},  {33, 4},  {63, 10}, {64, 13},
                                   {65, 5},  {66, 6}, {127, 4}, {128, 7}, {129, 3}, {0, 0}};
static const int depths[] = {8, 9, 10, 12, 14, 15, 16, 0};
static const char *const parts[] = {"all rows", "lower half", NULL};
/* A row of full swings has the greatest sum that its width allows. */
static const ParitySize wide[] = {{32768, 3}, {0, 0}};

const ParityKernel parity_motion[] = {
    {.noun = "motion", .name = "sad", .body = sad, .sizes = sizes, .depths = depths, .variants = parts},
    {.noun = "motion", .name = "sad still", .body = still, .sizes = sizes, .depths = depths, .bench = {-1, 0}},
    {.noun = "motion",
     .name = "sad wide",
     .body = sad,
     .sizes = wide,
     .depths = depths,
     .fills = PARITY_EXTREMES,
     .bench = {-1, 0}},
    {0},
};
