/* Parity cases of ProRes: entropy decoding of strings, and inverse transform of slices. */
#include "cpu/prores.h"

#include <string.h>

#include "arith/scalar.h"
#include "codec/prores/maker.h"
#include "parity.h"

#include "arith/prores.h"

enum { STRINGS = 6 };

/* "plain" strings resemble those of real frames, "long" ones have levels of up to 16 bits, and "broken" ones wrong
 * bits. */
static const char *const string_kinds[] = {"plain", "long", "broken", NULL};
enum { PLAIN, LONG, BROKEN };

static void entropy(Parity *p)
{
    FvProresMaker maker = {.random = parity_random(p) | 1};
    size_t start[STRINGS + 1];
    int log2[STRINGS];
    for (int i = 0; i < STRINGS; i++) {
        start[i] = maker.used;
        log2[i] = 1 + (int)(fv_prores_maker_random(&maker) % 5);
        if (p->width == 32)
            log2[i] = i < 2 ? 5 : 4;
        fv_prores_maker_string(&maker, log2[i], p->height, p->variant == PLAIN ? 12 : 40000);
    }
    start[STRINGS] = maker.used;
    uint8_t *bytes = parity_input(p, "strings", maker.used, 1, NULL);
    memcpy(bytes, maker.bytes, maker.used);
    for (int i = 0; p->variant == BROKEN && i < 8; i++)
        bytes[fv_prores_maker_random(&maker) % maker.used] ^= (uint8_t)(1 << fv_prores_maker_random(&maker) % 8);
    int16_t *coefficients = parity_scratch(p, "coefficients", sizeof(int16_t) * STRINGS * FV_PRORES_STRING_WORDS);
    FvProresString strings[STRINGS];
    const FvProresKernels *kernels = fv_prores_kernels(p->runner->isa);
    parity_work(p, (double)maker.used, (double)maker.used);
    PARITY_CALL(p, memset(coefficients, 0, sizeof(int16_t) * STRINGS * FV_PRORES_STRING_WORDS);
                for (int i = 0; i < STRINGS; i++) strings[i] =
                    (FvProresString){.data = bytes + start[i],
                                     .end = bytes + maker.used,
                                     .bits = 8 * (int)(start[i + 1] - start[i]),
                                     .log2_blocks = log2[i],
                                     .coefficients = coefficients + (size_t)i * FV_PRORES_STRING_WORDS};
                kernels->entropy(strings, STRINGS));
    for (int i = 0; i < STRINGS; i++) {
        parity_value(p, "damaged", &strings[i].damaged, sizeof strings[i].damaged);
        if (!strings[i].damaged) {
            parity_value(p, "position", &strings[i].position, sizeof strings[i].position);
            parity_value(p, "coefficients", strings[i].coefficients, (size_t)128 << log2[i]);
        }
    }
    fv_prores_maker_free(&maker);
}

/* Tests the inverse transform. The case's width is the number of blocks of the slice, and its height the number of
 * rows to store. */
static void transform(Parity *p)
{
    int plane = p->variant, log2 = plane ? 1 : 2;
    while (1 << log2 < p->width)
        log2++;
    size_t words = 64 << log2;
    int16_t *coefficients = parity_scratch(p, "coefficients", 2 * FV_PRORES_STRING_WORDS);
    uint8_t *quantiser = parity_input(p, "quantiser", 64, 1, NULL);
    int last = (int)(parity_random(p) % 64), greatest = parity_random(p) % 2 ? 32768 : 64;
    int scale = fv_prores_scale((int)(parity_random(p) % 256));
    bool rich = parity_random(p) % 2;
    memset(coefficients, 0, 2 * words);
    for (int i = 0; i < 64; i++)
        quantiser[i] = (uint8_t)(rich ? parity_random(p) : 4 + parity_random(p) % 8);
    for (size_t i = 0; i < words; i++)
        if ((int)(i >> log2) <= last && parity_random(p) % 4 == 0)
            coefficients[i] = (int16_t)((int)(parity_random(p) % (2 * (uint32_t)greatest)) - greatest);
    ptrdiff_t stride;
    size_t row_bytes = (size_t)8 << log2;
    uint8_t *to = parity_output(p, "samples", row_bytes, p->height, 2, 0, &stride);
    FvProresBlocks blocks = {.coefficients = coefficients,
                             .log2_blocks = log2,
                             .last = last,
                             .quantiser = quantiser,
                             .scale = scale,
                             .scan = fv_prores_scan_index + 64 * (parity_random(p) % 2),
                             .depth = p->depth,
                             .plane = plane,
                             .to = to,
                             .stride = stride,
                             .rows = p->height};
    parity_work(p, (double)words, 4. * (double)words);
    PARITY_CALL(p, fv_prores_kernels(p->runner->isa)->transform(&blocks));
}

static const int depths[] = {10, 12, 0};
static const ParitySize string_sizes[] = {{1, 1}, {1, 3}, {2, 8}, {3, 20}, {32, 30}, {5, 60}, {0, 0}};
static const ParitySize slice_sizes[] = {{2, 16}, {4, 16}, {8, 16}, {16, 16}, {32, 16},
                                         {32, 9}, {16, 8}, {8, 3},  {4, 1},   {0, 0}};
static const char *const planes[] = {"luma", "cb", NULL};

const ParityKernel parity_prores[] = {
    {.noun = "prores",
     .name = "entropy",
     .body = entropy,
     .sizes = string_sizes,
     .fills = PARITY_RANDOM,
     .variants = string_kinds,
     .bench = {32, 30}},
    {.noun = "prores",
     .name = "transform",
     .body = transform,
     .sizes = slice_sizes,
     .depths = depths,
     .fills = PARITY_RANDOM | PARITY_LOW | PARITY_HIGH | PARITY_EXTREMES,
     .variants = planes,
     .bench = {32, 16}},
    {0},
};
