/*
 * Compares the intermediate values of PSNR-HVS, on every instruction set, with hashes of the reference program's
 * values.
 */
#include <stdlib.h>
#include <string.h>

#include "arith/scalar.h"

#include "arith/psnr_hvs.h"
#include "clip/synth.h"
#include "cpu/psnr_hvs.h"
#include "tap/tap.h"

#define FNV_START 14695981039346656037u
enum { VARIANCES, COEFFICIENTS, THRESHOLDS, TERMS, HASHES };
static const char *const hash_names[] = {"variances", "coefficients", "thresholds", "terms"};

typedef struct Expected {
    SynthClip ref, dis;
    int plane, terms;
    float sum;
    uint64_t hash[HASHES];
} Expected;

/* Hashes 32-bit words, the lowest byte first. */
static void hash_words(uint64_t *hash, const void *words, int count)
{
    for (int i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, (const char *)words + 4 * i, 4);
        for (int byte = 0; byte < 4; byte++, word >>= 8)
            *hash = (*hash ^ (word & 255)) * 1099511628211u;
    }
}

static void hash_block(uint64_t hash[HASHES], const FvHvsBlock *block)
{
    hash_words(&hash[VARIANCES], block->block, 2);
    hash_words(&hash[VARIANCES], block->quadrant, 8);
    hash_words(&hash[VARIANCES], block->ratio, 2);
    hash_words(&hash[COEFFICIENTS], block->coefficient, 128);
    hash_words(&hash[THRESHOLDS], block->energy, 2);
    hash_words(&hash[THRESHOLDS], block->threshold, 2);
    hash_words(&hash[TERMS], block->addend, 64);
}

static bool parse(Expected *expected, const char *line)
{
    int width, height, chroma, depth;
    unsigned seed;
    unsigned long long hash[HASHES];
    char ref[8], dis[8];
    if (sscanf(line, "%d %d %d %d %u %7s %7s plane %d %f %d %llx %llx %llx %llx", &width, &height, &chroma, &depth,
               &seed, ref, dis, &expected->plane, &expected->sum, &expected->terms, &hash[0], &hash[1], &hash[2],
               &hash[3]) != 14)
        return false;
    for (int i = 0; i < HASHES; i++)
        expected->hash[i] = hash[i];
    expected->ref = (SynthClip){.width = width, .height = height, .depth = depth, .seed = seed};
    expected->ref.chroma = FV_CHROMA_420;
    if (chroma != 420)
        expected->ref.chroma = chroma == 444 ? FV_CHROMA_444 : FV_CHROMA_422;
    expected->dis = expected->ref;
    return synth_kind_parse(ref, &expected->ref.kind) && synth_kind_parse(dis, &expected->dis.kind);
}

static int blocks_along(int samples)
{
    return samples < 8 ? 0 : (samples - 8) / FV_HVS_STEP + 1;
}

static void check(Tap *tap, const Expected *expected, const FvFrame *ref, const FvFrame *dis, FvIsa isa)
{
    const SynthClip *clip = &expected->ref;
    bool half_width = expected->plane && clip->chroma != FV_CHROMA_444;
    bool half_height = expected->plane && clip->chroma == FV_CHROMA_420;
    int index = expected->plane;
    FvHvsPlane plane = {.ref = ref->data[index],
                        .dis = dis->data[index],
                        .ref_stride = ref->stride[index],
                        .dis_stride = dis->stride[index],
                        .index = index,
                        .depth = clip->depth,
                        .columns = blocks_along(clip->width >> half_width),
                        .rows = blocks_along(clip->height >> half_height)};
    const FvHvsKernels *kernels = fv_hvs_kernels(isa);
    FvHvsBlock *blocks = calloc(plane.columns + 1, sizeof *blocks);
    uint64_t hash[HASHES] = {FNV_START, FNV_START, FNV_START, FNV_START};
    for (int row = 0; row < plane.rows && blocks; row++) {
        kernels->trace(&plane, row, blocks);
        for (int column = 0; column < plane.columns; column++)
            hash_block(hash, &blocks[column]);
    }
    free(blocks);
    char name[160], why[160] = "";
    snprintf(name, sizeof name, "%s %dx%d chroma %d %d-bit %s plane %d", fv_isa_name(isa), clip->width, clip->height,
             clip->chroma, clip->depth, synth_kind_name(expected->dis.kind), index);
    for (int i = HASHES - 1; i >= 0; i--)
        if (hash[i] != expected->hash[i])
            snprintf(why, sizeof why, "the %s differ", hash_names[i]);
    float sum = kernels->sum(&plane, 0, plane.rows, 0);
    if (!*why && sum != expected->sum)
        snprintf(why, sizeof why, "the sum is %a, expected %a", sum, expected->sum);
    if (64 * plane.columns * plane.rows != expected->terms)
        snprintf(why, sizeof why, "%d terms, expected %d", 64 * plane.columns * plane.rows, expected->terms);
    tap_case(tap, !*why, name, why);
}

int main(int argc, char **argv)
{
    bool every_isa = argc == 3 && !strcmp(argv[2], "--every-isa");
    FILE *file = argc == 2 || every_isa ? fopen(argv[1], "r") : NULL;
    if (!file) {
        fprintf(stderr, "usage: test-psnr-hvs psnr_hvs_blocks.txt [--every-isa]\n");
        return 2;
    }
    Tap tap = {0};
    char line[512];
    FvIsa usable[FV_ISA_COUNT];
    int count = 0;
    for (FvIsa isa = 0; isa < FV_ISA_COUNT; isa++)
        if (fv_isa_usable(isa))
            usable[count++] = isa;
    for (int turn = 0; fgets(line, sizeof line, file); turn++) {
        Expected expected;
        if (*line == '#')
            continue;
        if (!parse(&expected, line)) {
            tap_case(&tap, false, line, "this line cannot be read");
            continue;
        }
        FvFrame *ref = synth_frame(&expected.ref, 0), *dis = synth_frame(&expected.dis, 0);
        for (int i = 0; i < count && ref && dis; i++)
            if (every_isa || i == turn % count)
                check(&tap, &expected, ref, dis, usable[i]);
        fv_frame_unref(&ref);
        fv_frame_unref(&dis);
    }
    fclose(file);
    return tap_done(&tap);
}
