/*
 * Runs all kernels of fovea on this CPU, as the kernels of the machine of host memory. The threads of a workgroup run
 * in waves of $FOVEA_WAVES, 64 or 32: wave after wave and lane after lane, each up to the next barrier. Every second
 * workgroup runs them in reverse order. A kernel that relies on a wave running in lockstep, without a barrier, then
 * gives other results.
 */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "fail/machine.h"
#include "gpu/gpu.h"

#define MAX_THREADS FV_GPU_MAX_THREADS
#define STACK (256 << 10)
#define GARBAGE 0xc3

#define KERNEL(name)                                                                                                 \
    extern const FvKernel fv_kernel_##name;                                                                          \
    void fv_##name(const void *args);
#include "wave_list.h"
#undef KERNEL

static struct {
    const FvKernel *kernel;
    void (*run)(const void *args); /* runs one thread */
    long launches;
} kernels[] = {
#define KERNEL(name) {&fv_kernel_##name, fv_##name, 0},
#include "wave_list.h"
#undef KERNEL
};
#define KERNELS (sizeof kernels / sizeof *kernels)

extern char __start_fv_shared[], __stop_fv_shared[];

unsigned fv_wave_thread, fv_wave_group[3];
void fv_wave_barrier(void);

static struct {
    ucontext_t start;
    jmp_buf at; /* place where the thread continues */
    bool begun, done;
} threads[MAX_THREADS];
static jmp_buf scheduler;
static void (*run_thread)(const void *args);
static const void *arguments;

static void give_way(void)
{
    if (!_setjmp(threads[fv_wave_thread].at))
        _longjmp(scheduler, 1);
}

void fv_wave_barrier(void)
{
    give_way();
}

/* Runs the current thread's part of one workgroup after another. */
static void run_for_ever(void)
{
    for (;;) {
        run_thread(arguments);
        threads[fv_wave_thread].done = true;
        give_way();
    }
}

/* Runs a thread up to the next barrier or to its end. */
static void go_on(unsigned thread)
{
    fv_wave_thread = thread;
    if (_setjmp(scheduler))
        return;
    if (threads[thread].begun)
        _longjmp(threads[thread].at, 1);
    threads[thread].begun = true;
    void *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack == MAP_FAILED || getcontext(&threads[thread].start))
        abort();
    threads[thread].start.uc_stack.ss_sp = stack;
    threads[thread].start.uc_stack.ss_size = STACK;
    makecontext(&threads[thread].start, run_for_ever, 0);
    setcontext(&threads[thread].start);
}

static unsigned wave_size(void)
{
    const char *size = getenv("FOVEA_WAVES");
    return size ? (unsigned)atoi(size) : 64;
}

/* Runs all threads up to the next barrier. Returns the number of threads that have not ended. */
static unsigned run_waves(unsigned count, bool down)
{
    const unsigned size = wave_size(), waves = (count + size - 1) / size;
    unsigned left = 0;
    for (unsigned w = 0; w < waves; w++)
        for (unsigned l = 0; l < size; l++) {
            const unsigned wave = down ? waves - 1 - w : w, thread = wave * size + (down ? size - 1 - l : l);
            if (thread < count) {
                go_on(thread);
                left += !threads[thread].done;
            }
        }
    return left;
}

static void run_group(const FvKernel *kernel, bool down)
{
    for (unsigned i = 0; i < kernel->threads; i++)
        threads[i].done = false;
    unsigned left;
    while ((left = run_waves(kernel->threads, down)) == kernel->threads)
        ;
    if (left)
        machine_object("%u threads of %s wait at a barrier, and the others have ended", left, kernel->name);
}

static int find(const char *kernel)
{
    for (size_t i = 0; i < KERNELS; i++)
        if (!strcmp(kernels[i].kernel->name, kernel))
            return (int)i;
    return -1;
}

size_t machine_args_bytes(const char *kernel)
{
    const int i = find(kernel);
    return i < 0 ? 0 : kernels[i].kernel->args_bytes;
}

bool machine_kernel(const char *kernel, const void *args, uint32_t x, uint32_t y, uint32_t z)
{
    const int i = find(kernel);
    if (i < 0)
        return false;
    kernels[i].launches++;
    run_thread = kernels[i].run;
    arguments = args;
    memset(__start_fv_shared, GARBAGE, (size_t)(__stop_fv_shared - __start_fv_shared));
    for (uint32_t group = 0; group < x * y * z; group++) {
        fv_wave_group[0] = group % x;
        fv_wave_group[1] = group / x % y;
        fv_wave_group[2] = group / x / y;
        run_group(kernels[i].kernel, group % 2);
    }
    return true;
}

/* Fails the program if it broke a rule of the driver, or, with $FOVEA_WAVES_ALL set, if a kernel other than the one
 * that it names never ran. */
__attribute__((destructor)) static void judge(void)
{
    const char *elsewhere = getenv("FOVEA_WAVES_ALL");
    int never = 0;
    for (size_t i = 0; i < KERNELS && elsewhere; i++)
        if (!kernels[i].launches && strcmp(kernels[i].kernel->name, elsewhere))
            printf("# %s never ran\n", kernels[i].kernel->name), never++;
    if (*machine_defect)
        printf("# %s\n", machine_defect);
    fflush(stdout);
    if (never || *machine_defect)
        _exit(1);
}
