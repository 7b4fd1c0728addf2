#include "machine.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define GARBAGE 0xc3

typedef enum Kind { COPY, FILL, LAUNCH, AFTER } Kind;

typedef struct Command {
    Kind kind;
    uint64_t to, from;
    size_t bytes;
    uint32_t word, x, y, z;
    const char *kernel;
    uint8_t args[128];
    int other;
    uint64_t position;
} Command;

typedef struct Queue {
    Command *commands; /* commands with numbers [executed, count); the first one is at index 0 */
    uint64_t executed, count;
    size_t room;
} Queue;

typedef struct Block {
    uint64_t address;
    size_t bytes;
    bool mapped;
    struct Block *next;
} Block;

char machine_defect[256];
int machine_blocks;
bool machine_null;

/* Guards `blocks`, because threads of readers allocate memory too. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Guards `queues`, because threads of readers may lose the device. */
static pthread_mutex_t work = PTHREAD_MUTEX_INITIALIZER;
static Queue queues[MACHINE_QUEUES];
static Block *blocks;

void machine_object(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!*machine_defect)
        vsnprintf(machine_defect, sizeof machine_defect, format, args);
    va_end(args);
}

static void enter(uint64_t address, size_t bytes, bool mapped)
{
    Block *block = malloc(sizeof *block);
    if (!block)
        abort();
    *block = (Block){.address = address, .bytes = bytes, .mapped = mapped};
    pthread_mutex_lock(&lock);
    block->next = blocks;
    blocks = block;
    machine_blocks++;
    pthread_mutex_unlock(&lock);
}

void machine_lend(uint64_t address, size_t bytes)
{
    enter(address, bytes, false);
}

/* Allocates memory of zeros. For a null device, the system provides pages only when they are touched, so any batch
 * has enough memory. */
uint64_t machine_alloc(size_t bytes)
{
    const size_t whole = (bytes + 255) / 256 * 256;
    const bool mapped = machine_null;
    void *memory = mapped
                       ? mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                       : aligned_alloc(256, whole);
    if (!memory || memory == MAP_FAILED)
        abort();
    if (!mapped)
        memset(memory, GARBAGE, whole);
    enter((uint64_t)(uintptr_t)memory, whole, mapped);
    return (uint64_t)(uintptr_t)memory;
}

static bool overlaps(const Block *block, uint64_t address, size_t bytes)
{
    return address < block->address + block->bytes && address + bytes > block->address;
}

static void check_unused(const Block *block)
{
    pthread_mutex_lock(&work);
    for (int q = 0; q < MACHINE_QUEUES; q++)
        for (uint64_t i = 0; i < queues[q].count - queues[q].executed; i++) {
            const Command *c = &queues[q].commands[i];
            if ((c->kind == COPY && overlaps(block, c->from, c->bytes)) ||
                ((c->kind == COPY || c->kind == FILL) && overlaps(block, c->to, c->bytes)))
                machine_object("memory was freed that a command still uses");
        }
    pthread_mutex_unlock(&work);
}

/* Removes a block. Memory that the machine allocated is freed; the caller's memory is not. */
static void take_block(uint64_t address, bool owned)
{
    pthread_mutex_lock(&lock);
    Block **link = &blocks;
    while (*link && (*link)->address != address)
        link = &(*link)->next;
    Block *block = *link;
    if (block) {
        *link = block->next;
        machine_blocks--;
    }
    pthread_mutex_unlock(&lock);
    if (!block) {
        machine_object("memory was freed that there is not");
        return;
    }
    check_unused(block);
    if (owned && block->mapped)
        munmap((void *)(uintptr_t)address, block->bytes);
    else if (owned)
        free((void *)(uintptr_t)address);
    free(block);
}

void machine_return(uint64_t address)
{
    take_block(address, false);
}

void machine_free(uint64_t address)
{
    take_block(address, true);
}

static void check_inside(uint64_t address, size_t bytes)
{
    pthread_mutex_lock(&lock);
    const Block *block = blocks;
    while (block && !(address >= block->address && address + bytes <= block->address + block->bytes))
        block = block->next;
    pthread_mutex_unlock(&lock);
    if (!block)
        machine_object("a command reaches beyond memory");
}

static void append(int queue, const Command *command)
{
    pthread_mutex_lock(&work);
    Queue *q = &queues[queue];
    const size_t used = q->count - q->executed;
    if (used == q->room) {
        q->room = q->room ? 2 * q->room : 64;
        q->commands = realloc(q->commands, q->room * sizeof *q->commands);
        if (!q->commands)
            abort();
    }
    q->commands[used] = *command;
    q->count++;
    pthread_mutex_unlock(&work);
}

void machine_copy(int queue, uint64_t to, uint64_t from, size_t bytes)
{
    check_inside(to, bytes);
    check_inside(from, bytes);
    append(queue, &(Command){.kind = COPY, .to = to, .from = from, .bytes = bytes});
}

void machine_fill(int queue, uint64_t to, size_t bytes, uint32_t word)
{
    if (to % 4 || bytes % 4)
        machine_object("a fill is not of whole words");
    check_inside(to, bytes);
    append(queue, &(Command){.kind = FILL, .to = to, .bytes = bytes, .word = word});
}

void machine_launch(int queue, const char *kernel, const void *args, size_t args_bytes, uint32_t x, uint32_t y,
                    uint32_t z)
{
    Command command = {.kind = LAUNCH, .kernel = kernel, .x = x, .y = y, .z = z};
    if (args_bytes > sizeof command.args)
        abort();
    memcpy(command.args, args, args_bytes);
    append(queue, &command);
}

void machine_after(int queue, int other, uint64_t position)
{
    append(queue, &(Command){.kind = AFTER, .other = other, .position = position});
}

uint64_t machine_position(int queue)
{
    return queues[queue].count;
}

static void run(int queue, uint64_t position);

static void execute(const Command *c)
{
    switch (c->kind) {
    case COPY:
        memcpy((void *)(uintptr_t)c->to, (const void *)(uintptr_t)c->from, c->bytes);
        break;
    case FILL:
        for (size_t i = 0; i < c->bytes / 4; i++)
            ((uint32_t *)(uintptr_t)c->to)[i] = c->word;
        break;
    case LAUNCH:
        if (!machine_null && !machine_kernel(c->kernel, c->args, c->x, c->y, c->z))
            machine_object("there is no kernel %s", c->kernel);
        break;
    case AFTER:
        run(c->other, c->position);
    }
}

static void run(int queue, uint64_t position)
{
    Queue *q = &queues[queue];
    while (q->executed < position && q->executed < q->count) {
        const Command command = q->commands[0];
        q->executed++;
        memmove(q->commands, q->commands + 1, (size_t)(q->count - q->executed) * sizeof *q->commands);
        execute(&command);
    }
}

bool machine_run(int queue, uint64_t position)
{
    pthread_mutex_lock(&work);
    run(queue, position);
    const bool done = queues[queue].executed >= position;
    pthread_mutex_unlock(&work);
    return done;
}

void machine_drop(int queue, uint64_t position)
{
    Queue *q = &queues[queue];
    pthread_mutex_lock(&work);
    if (q->count > position)
        q->count = position > q->executed ? position : q->executed;
    pthread_mutex_unlock(&work);
}

void machine_lose(void)
{
    for (int q = 0; q < MACHINE_QUEUES; q++)
        machine_drop(q, 0);
}

void machine_reset(bool null)
{
    machine_null = null;
    for (int q = 0; q < MACHINE_QUEUES; q++) {
        free(queues[q].commands);
        queues[q] = (Queue){0};
    }
    while (blocks)
        machine_free(blocks->address);
    *machine_defect = '\0';
}
