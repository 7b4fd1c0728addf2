/*
 * Parity: every kernel gives the same bits on every instruction set and device as in plain C, accesses no memory that
 * it should not, and the same cases are the benchmark of the kernels.
 *
 * Each family of kernels has a file parity/<family>.c with one table of ParityKernel, listed in list.c. A kernel is a
 * body that makes its inputs, makes its outputs, and calls the function under test for one runner:
 *
 *     static void sse8(Parity *p)
 *     {
 *         ptrdiff_t stride;
 *         const uint8_t *ref = parity_samples(p, "ref", p->width, p->height, &stride);
 *         const uint8_t *dis = parity_samples(p, "dis", p->width, p->height, &stride);
 *         uint64_t sum;
 *         parity_work(p, (double)p->width * p->height, 2. * p->width * p->height);
 *         PARITY_CALL(p, sum = fv_psnr_kernels(p->runner->isa)->sse8(ref, stride, dis, stride, p->width, p->height));
 *         parity_value(p, "sum", &sum, sizeof sum);
 *     }
 *
 * The framework runs the body for scalar C, keeps the outputs, runs it for every other runner with the same inputs,
 * and compares. Inputs and scratch memory end (or, in a second run, begin) at an inaccessible page, so reading beyond
 * the promised padding is a fault that is reported with the name of the buffer. Inputs are write-protected during the
 * call. Outputs have canaries before, after and between their rows. Scratch memory holds different garbage each time.
 */
#pragma once

#include "base/isa.h"

typedef struct ParityRunner {
    const char *name; /* "scalar", "avx2", ... */
    FvIsa isa;
} ParityRunner;

typedef enum ParityFill {
    PARITY_RANDOM = 1,   /* any values */
    PARITY_LOW = 2,      /* values from 0 to 3 */
    PARITY_HIGH = 4,     /* the greatest value and the three below */
    PARITY_EXTREMES = 8, /* the smallest or the greatest value, at random */
    PARITY_GRADIENT = 16 /* slow slopes with sparse steps of one */
} ParityFill;
#define PARITY_ALL_FILLS 31

typedef struct ParitySize {
    int width, height; /* width 0 ends a list */
} ParitySize;

/* One sample, odd sizes, and sizes one below and one above the capacity of vectors of 16, 32 and 64 bytes. */
extern const ParitySize parity_sizes[];

/* A run of a body for one runner. */
typedef struct Parity {
    int width, height, depth;
    ParityFill fill;
    int variant; /* index into the kernel's variants */
    const ParityRunner *runner;
    struct ParityRun *run; /* private to the framework */
} Parity;

typedef struct ParityKernel {
    const char *noun, *name; /* both NULL end a table */
    void (*body)(Parity *p);
    const ParitySize *sizes;     /* NULL: parity_sizes */
    const int *depths;           /* ends with 0; NULL: 8 */
    unsigned fills;              /* fills to test, an OR of ParityFill; 0: all */
    const char *const *variants; /* names of what else varies, ending with NULL; NULL: nothing varies */
    ParitySize bench;            /* size to measure; width 0: 1920x1080, -1: not measured */
} ParityKernel;

/* Returns samples of p->depth bits with values by p->fill: bytes for 8 bits, else 16-bit words. Rows are padded as in
 * FvFrame. */
void *parity_samples(Parity *p, const char *name, int width, int height, ptrdiff_t *stride);

/* Returns an input that the body fills before the call, padded like parity_samples(). */
void *parity_input(Parity *p, const char *name, size_t row_bytes, int rows, ptrdiff_t *stride);

/* Returns the input "curve", a rising FvLight.curve. Every runner reads the same table. */
const float (*parity_curve(Parity *p))[2];

/*
 * Returns an output. `slack` bytes after each row may be written. Messages about differences count in elements of
 * element_bytes (1, 2, 4, 8). If `stride` is NULL, the output is one row.
 */
void *parity_output(Parity *p, const char *name, size_t row_bytes, int rows, int element_bytes, size_t slack,
                    ptrdiff_t *stride);

/* Returns an output that the body fills before the call. */
void *parity_inout(Parity *p, const char *name, size_t row_bytes, int rows, int element_bytes, size_t slack,
                   ptrdiff_t *stride);

/* Returns working memory of exactly this size, 64-byte aligned. */
void *parity_scratch(Parity *p, const char *name, size_t bytes);

/* Adds a result outside the buffers, which is compared byte by byte. */
void parity_value(Parity *p, const char *name, const void *value, size_t bytes);

/* Return random numbers, the same sequence for every runner of a case. */
uint32_t parity_random(Parity *p);
float parity_random_real(Parity *p, float low, float high);

/* Sets the work of one call for the benchmark: samples processed, and bytes read and written. */
void parity_work(Parity *p, double samples, double bytes);

/* Runs the call under test, once per body. The benchmark repeats it. */
#define PARITY_CALL(p, ...)                                                                                          \
    for (parity_begin(p); parity_again(p);) {                                                                        \
        __VA_ARGS__;                                                                                                 \
    }
void parity_begin(Parity *p);
bool parity_again(Parity *p);

/* ---- Running the list --------------------------------------------------------------------------------------- */

/* All tables of list.c, ended by NULL. */
extern const ParityKernel *const parity_nouns[];

typedef struct ParitySelection {
    const char *filter; /* extended regular expression on the case's name, or NULL */
    const char *runner; /* only runner to test, and to compare with scalar; NULL: all */
    uint64_t seed;
    int share; /* above 1: the first case of each kernel, and about one in `share` of the others */
} ParitySelection;

bool parity_filter_good(const char *filter);

/* Prints one line per case. */
int parity_list(const ParitySelection *selection);

/* Runs the tests and prints TAP to standard output. Returns the exit status. */
int parity_test(const ParitySelection *selection);

typedef enum ParityStyle { PARITY_TEXT, PARITY_CSV, PARITY_JSON } ParityStyle;

/* Measures each kernel for each runner and prints a table, CSV, or a JSON array of objects. */
int parity_bench(const ParitySelection *selection, ParityStyle style, FILE *file);
