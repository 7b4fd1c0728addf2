/*
 * Sets the floating-point mode in which scores are defined, whatever mode the calling thread has: rounding to
 * nearest, subnormal numbers kept, no exception raised as a signal.
 */
#pragma once

#ifdef __x86_64__

/* Two modes: SSE computes everything, but glibc's printf and strtod read the rounding mode of the x87 unit. */
typedef struct FvFloatMode {
    unsigned sse;
    unsigned short x87;
} FvFloatMode;

static inline FvFloatMode fv_float_mode_enter(void)
{
    const unsigned usual = 0x1f80, flags = 0x3f; /* flags: bits of exceptions that occurred, kept as they are */
    const unsigned short usual_x87 = 0x37f;
    FvFloatMode before = {.sse = __builtin_ia32_stmxcsr()};
    __asm__ volatile("fnstcw %0" : "+m"(before.x87)); /* "+", not "=": MemorySanitizer ignores what assembly writes */
    if ((before.sse & ~flags) != usual)
        __builtin_ia32_ldmxcsr(usual | (before.sse & flags));
    if (before.x87 != usual_x87)
        __asm__ volatile("fldcw %0" : : "m"(usual_x87));
    return before;
}

/* Restores the mode and the exception flags. */
static inline void fv_float_mode_leave(const FvFloatMode *before)
{
    unsigned short x87 = 0;
    __asm__ volatile("fnstcw %0" : "+m"(x87));
    if (__builtin_ia32_stmxcsr() != before->sse)
        __builtin_ia32_ldmxcsr(before->sse);
    if (x87 != before->x87)
        __asm__ volatile("fldcw %0" : : "m"(before->x87));
}

#else

#include <fenv.h>

typedef fenv_t FvFloatMode;

static inline FvFloatMode fv_float_mode_enter(void)
{
    FvFloatMode before;
    fegetenv(&before);
    fesetenv(FE_DFL_ENV);
    return before;
}

static inline void fv_float_mode_leave(const FvFloatMode *before)
{
    fesetenv(before);
}

#endif

/* The first statement of every public function that computes. The mode lasts until the function returns. */
#define FV_FLOAT_MODE                                                                                                \
    const FvFloatMode float_mode_ __attribute__((cleanup(fv_float_mode_leave), unused)) = fv_float_mode_enter()
