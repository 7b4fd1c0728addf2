/* Without the frame, longjmp() leaves the stack alone, also out of a handler of faults. */
#pragma once

#include_next <setjmp.h>

typedef jmp_buf sigjmp_buf;

#define sigsetjmp(place, save) _setjmp(place, NULL)
#define siglongjmp(place, value) longjmp(place, value)
