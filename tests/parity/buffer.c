/* Makes buffers between inaccessible pages, with canaries around the writable parts. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "os/memory.h"
#include "picture/frame.h"
#include "run.h"

#define CANARY 0xa5
#define MARGIN 256 /* bytes of canary before and after an output */

static void fail_setup(ParityRun *run, const char *what)
{
    snprintf(run->fault, sizeof run->fault, "the test itself: %s", what);
    siglongjmp(run->escape, 1);
}

/* Adds a buffer of `bytes` usable bytes, 64-byte aligned, that begins or ends (up to that alignment) at an
 * inaccessible page. */
static ParityBuffer *add_buffer(Parity *p, const char *name, BufferKind kind, size_t bytes)
{
    ParityRun *run = p->run;
    if (run->buffers == PARITY_BUFFERS)
        fail_setup(run, "too many buffers");
    size_t page = sysconf(_SC_PAGESIZE), inside = FV_ROUND_UP(bytes, page);
    uint8_t *mapping = mmap(NULL, inside + 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED)
        fail_setup(run, "no memory");
    mprotect(mapping, page, PROT_NONE);
    mprotect(mapping + page + inside, page, PROT_NONE);
    memset(mapping + page, run->garbage, inside);
    ParityBuffer *buffer = &run->buffer[run->buffers++];
    *buffer = (ParityBuffer){.name = name,
                             .kind = kind,
                             .mapping = mapping,
                             .mapped = inside + 2 * page,
                             .data = mapping + page + (run->at_start ? 0 : inside - FV_ROUND_UP(bytes, FV_ALIGN))};
    return buffer;
}

void *parity_input(Parity *p, const char *name, size_t row_bytes, int rows, ptrdiff_t *stride)
{
    size_t step = FV_ROUND_UP(row_bytes + FV_ROW_PADDING, FV_ALIGN);
    ParityBuffer *buffer = add_buffer(p, name, BUFFER_INPUT, step * (rows - 1) + row_bytes + FV_ROW_PADDING);
    buffer->row_bytes = row_bytes;
    buffer->rows = rows;
    buffer->stride = step;
    if (stride)
        *stride = (ptrdiff_t)step;
    return buffer->data;
}

const float (*parity_curve(Parity *p))[2]
{
    ptrdiff_t stride;
    float(*table)[2] = parity_input(p, "curve", 4097 * sizeof *table, 1, &stride);
    for (int i = 0; i < 4097; i++) {
        float v = (float)i / 4096, next = (float)(i < 4096 ? i + 1 : i) / 4096;
        table[i][0] = v * v;
        table[i][1] = next * next - v * v;
    }
    return table;
}

static uint32_t sample(Parity *p, uint32_t max, int x, int y)
{
    uint32_t r = parity_random(p);
    switch (p->fill) {
    case PARITY_LOW:
        return r & 3;
    case PARITY_HIGH:
        return max - (r & 3);
    case PARITY_EXTREMES:
        return r & 1 ? max : 0;
    case PARITY_GRADIENT:
        return ((uint32_t)(x + 2 * y) / 5 + (r % 61 == 0)) & max;
    default:
        return r & max;
    }
}

void *parity_samples(Parity *p, const char *name, int width, int height, ptrdiff_t *stride)
{
    ptrdiff_t step;
    int bytes = p->depth > 8 ? 2 : 1;
    uint8_t *data = parity_input(p, name, (size_t)width * bytes, height, &step);
    uint32_t max = (1u << p->depth) - 1;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            if (bytes == 1)
                data[y * step + x] = (uint8_t)sample(p, max, x, y);
            else
                ((uint16_t *)(data + y * step))[x] = (uint16_t)sample(p, max, x, y);
    if (stride)
        *stride = step;
    return data;
}

void *parity_inout(Parity *p, const char *name, size_t row_bytes, int rows, int element_bytes, size_t slack,
                   ptrdiff_t *stride)
{
    size_t step = FV_ROUND_UP(row_bytes + FV_ROW_PADDING, FV_ALIGN);
    size_t last = FV_ROUND_UP(row_bytes + slack, FV_ALIGN);
    ParityBuffer *buffer = add_buffer(p, name, BUFFER_OUTPUT, step * (rows - 1) + last + 2 * MARGIN);
    memset(buffer->data, CANARY, step * (rows - 1) + last + 2 * MARGIN);
    buffer->data += MARGIN;
    buffer->row_bytes = row_bytes;
    buffer->rows = rows;
    buffer->stride = step;
    buffer->element = element_bytes;
    buffer->slack = slack;
    if (stride)
        *stride = (ptrdiff_t)step;
    return buffer->data;
}

void *parity_output(Parity *p, const char *name, size_t row_bytes, int rows, int element_bytes, size_t slack,
                    ptrdiff_t *stride)
{
    uint8_t *data = parity_inout(p, name, row_bytes, rows, element_bytes, slack, stride);
    const ParityBuffer *buffer = &p->run->buffer[p->run->buffers - 1];
    for (int y = 0; y < rows; y++)
        memset(data + y * buffer->stride, p->run->garbage, row_bytes);
    return data;
}

void *parity_scratch(Parity *p, const char *name, size_t bytes)
{
    return add_buffer(p, name, BUFFER_SCRATCH, bytes)->data;
}

void parity_buffers_protect(ParityRun *run)
{
    size_t page = sysconf(_SC_PAGESIZE);
    for (int i = 0; i < run->buffers; i++)
        if (run->buffer[i].kind == BUFFER_INPUT)
            mprotect(run->buffer[i].mapping + page, run->buffer[i].mapped - 2 * page, PROT_READ);
}

/* Returns whether [from, to) still has canaries. If not, describes the place. */
static bool intact(ParityRun *run, const ParityBuffer *buffer, const uint8_t *from, const uint8_t *to)
{
    for (const uint8_t *at = from; at < to; at++)
        if (*at != CANARY) {
            snprintf(run->fault, sizeof run->fault,
                     "wrote outside of '%s': %td bytes from its start; %d rows of %zu bytes, stride %zu",
                     buffer->name, at - buffer->data, buffer->rows, buffer->row_bytes, buffer->stride);
            return false;
        }
    return true;
}

bool parity_buffers_check(ParityRun *run)
{
    for (int i = 0; i < run->buffers; i++) {
        const ParityBuffer *buffer = &run->buffer[i];
        if (buffer->kind != BUFFER_OUTPUT)
            continue;
        const uint8_t *row = buffer->data;
        if (!intact(run, buffer, row - MARGIN, row))
            return false;
        uint8_t *packed = malloc(buffer->row_bytes * buffer->rows);
        for (int y = 0; y < buffer->rows; y++, row += buffer->stride) {
            const uint8_t *end = row + buffer->row_bytes;
            const uint8_t *next = y + 1 < buffer->rows
                                      ? row + buffer->stride
                                      : row + FV_ROUND_UP(buffer->row_bytes + buffer->slack, FV_ALIGN) + MARGIN;
            if (!intact(run, buffer, end + buffer->slack, next)) {
                free(packed);
                return false;
            }
            memcpy(packed + y * buffer->row_bytes, row, buffer->row_bytes);
        }
        parity_add_result(run, buffer->name, packed, buffer->row_bytes * buffer->rows, buffer->element,
                          buffer->row_bytes);
        free(packed);
    }
    return true;
}

void parity_buffers_describe(const ParityRun *run, const void *address, char *text, size_t size)
{
    const uint8_t *at = address;
    for (int i = 0; i < run->buffers; i++) {
        const ParityBuffer *buffer = &run->buffer[i];
        if (at >= buffer->mapping && at < buffer->mapping + buffer->mapped) {
            snprintf(text, size, "%td bytes from the start of '%s' (%d rows of %zu bytes, stride %zu)",
                     at - buffer->data, buffer->name, buffer->rows, buffer->row_bytes, buffer->stride);
            return;
        }
    }
    snprintf(text, size, "at %p", address);
}

void parity_buffers_free(ParityRun *run)
{
    for (int i = 0; i < run->buffers; i++)
        munmap(run->buffer[i].mapping, run->buffer[i].mapped);
    run->buffers = 0;
}
