/* Macros for test cases that are named by the expression that they check. The program defines a Tap `tap`. */
#pragma once

#include <stdio.h>

#include "tap/tap.h"

#define CHECK(condition) tap_case(&tap, (condition), #condition, NULL)
#define RETURNS(call, expected)                                                                                      \
    do {                                                                                                             \
        char why_[64];                                                                                               \
        int got_ = (call);                                                                                           \
        snprintf(why_, sizeof why_, "it returned %d", got_);                                                         \
        tap_case(&tap, got_ == (expected), #call " = " #expected, why_);                                             \
    } while (0)
