/* Parity cases of CIEDE2000: sums of differences of some rows. */
#include "cpu/ciede.h"

#include "parity.h"

static void sum(Parity *p)
{
    FvCiedePictures pictures = {.width = p->width,
                                .height = p->height,
                                .across = p->variant == 0 ? 1 : 2,
                                .down = p->variant == 1 || p->variant == 3 ? 2 : 1,
                                .depth = p->depth,
                                .peer_layout = p->variant == 3};
    for (int plane = 0; plane < 3; plane++) {
        int width = plane && pictures.across == 2 ? (p->width + 1) / 2 : p->width;
        int height = plane && pictures.down == 2 ? (p->height + 1) / 2 : p->height;
        ptrdiff_t *stride[2] = {&pictures.stride[0][plane], &pictures.stride[1][plane]};
        pictures.data[0][plane] =
            parity_samples(p, plane ? "chroma of ref" : "luma of ref", width, height, stride[0]);
        /* Half of the clips differ in chroma only, since kernels skip vectors of equal pixels. */
        if (plane == 0 && p->fill == PARITY_LOW) {
            pictures.data[1][0] = pictures.data[0][0];
            *stride[1] = *stride[0];
        } else {
            pictures.data[1][plane] =
                parity_samples(p, plane ? "chroma of dis" : "luma of dis", width, height, stride[1]);
        }
    }
    void *scratch = parity_scratch(p, "scratch", fv_ciede_scratch_bytes(p->width));
    int first = p->fill == PARITY_RANDOM ? 0 : (int)(parity_random(p) % (uint32_t)p->height);
    int64_t total = 0;
    double samples = (double)p->width * p->height;
    parity_work(p, samples, samples * (p->depth > 8 ? 4 : 2));
    PARITY_CALL(p,
                total = fv_ciede_kernels(p->runner->isa)->sum(&pictures, first, p->height - first, 0x1p36, scratch));
    parity_value(p, "sum", &total, sizeof total);
}

static const ParitySize sizes[] = {{2, 2},  {3, 3},  {15, 4}, {16, 2},  {17, 5},
                                   {32, 4}, {33, 6}, {64, 2}, {101, 4}, {0, 0}};
static const int depths[] = {8, 10, 16, 0};
static const char *const variants[] = {"4:4:4", "4:2:0", "4:2:2", "4:2:0 as in libvmaf", NULL};

const ParityKernel parity_ciede[] = {
    {.noun = "ciede", .name = "sum", .body = sum, .sizes = sizes, .depths = depths, .variants = variants},
    {0},
};
