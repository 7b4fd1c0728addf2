/* Declarations shared by the files of the parity test's framework. */
#pragma once

#include <setjmp.h>

#include "parity.h"

#define PARITY_BUFFERS 32
#define PARITY_VALUES 32

typedef enum BufferKind { BUFFER_INPUT, BUFFER_OUTPUT, BUFFER_SCRATCH } BufferKind;

typedef struct ParityBuffer {
    const char *name;
    BufferKind kind;
    uint8_t *mapping; /* mapped memory, with an inaccessible page at each end */
    size_t mapped;
    uint8_t *data;
    size_t row_bytes, slack, stride;
    int rows, element;
} ParityBuffer;

/* A value that a body passed to parity_value(), or an output. */
typedef struct ParityResult {
    const char *name;
    uint8_t *bytes;
    size_t size;
    int element;
    size_t row_bytes;
} ParityResult;

typedef struct ParityRun {
    uint64_t random;
    bool at_start; /* buffers begin at the inaccessible page instead of ending there */
    uint8_t garbage;
    ParityBuffer buffer[PARITY_BUFFERS];
    int buffers;
    ParityResult result[PARITY_VALUES];
    int results;
    double samples, bytes; /* work of one call, from parity_work() */

    sigjmp_buf escape;
    char fault[256]; /* fault of the body itself; empty: none */

    int calls; /* number of calls for the benchmark; 0: one call, not measured */
    int left;
    double start, seconds;
} ParityRun;

/* A case of a kernel. */
typedef struct ParityCase {
    const ParityKernel *kernel;
    Parity p;
    char name[160];
} ParityCase;

/* Runs the body. Returns false, with run->fault, if it crashed, wrote outside of its outputs, or failed to set up. */
bool parity_run(const ParityCase *c, const ParityRunner *runner, uint64_t seed, ParityRun *run);
void parity_run_free(ParityRun *run);

/* Checks the canaries after the call, and turns the outputs into results. Returns false, with run->fault, if a canary
 * changed. */
bool parity_buffers_check(ParityRun *run);
void parity_buffers_protect(ParityRun *run);
void parity_buffers_free(ParityRun *run);
/* Describes which buffer an address is near. */
void parity_buffers_describe(const ParityRun *run, const void *address, char *text, size_t size);

void parity_add_result(ParityRun *run, const char *name, const void *bytes, size_t size, int element,
                       size_t row_bytes);

/* Lists the runners that this machine can run. The first one is scalar. */
int parity_runners(const ParityRunner **runners);

/* Calls `visit` for every case of every kernel or, with `bench`, for the case to measure of each depth and
 * variant. */
typedef void ParityVisit(void *opaque, ParityCase *c);
void parity_each_case(const ParitySelection *selection, bool bench, ParityVisit *visit, void *opaque);
