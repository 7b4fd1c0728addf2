/* Passes no frame pointer, since otherwise longjmp() unwinds the stack, which would fail in a handler of faults. */
#pragma once

#include_next <setjmp.h>

typedef jmp_buf sigjmp_buf;

#define sigsetjmp(place, save) _setjmp(place, NULL)
#define siglongjmp(place, value) longjmp(place, value)
