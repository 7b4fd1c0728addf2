/* The headers that every cmocka file needs, in cmocka's order. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "fovea/fovea.h"

/* Fails the test unless the call fails with this status and a message that contains `words`. */
#define assert_fails(call, expected, words)                                                                          \
    do {                                                                                                             \
        FvError error_ = {0};                                                                                        \
        FvError *error = &error_;                                                                                    \
        assert_int_equal(call, expected);                                                                            \
        assert_int_equal(error_.status, expected);                                                                   \
        if (!strstr(error_.message, words))                                                                          \
            fail_msg("message lacks '%s': %s", words, error_.message);                                               \
    } while (0)

/* Fails the test with the call's message unless the call succeeds. */
#define assert_works(call)                                                                                           \
    do {                                                                                                             \
        FvError error_ = {0};                                                                                        \
        FvError *error = &error_;                                                                                    \
        if (call)                                                                                                    \
            fail_msg("%s: %s", #call, error_.message);                                                               \
    } while (0)

/* Ends a case that this build or machine cannot run. With skip() instead, cmocka would print "not ok" in TAP. */
#define LEAVE_OUT(why)                                                                                               \
    do {                                                                                                             \
        puts("# left out: " why);                                                                                    \
        return;                                                                                                      \
    } while (0)

/* Starts a session of one metric with a reference of the same format, and closes it. */
static inline FvStatus start_and_close(const char *metric, int width, int height, FvChroma chroma, int depth,
                                       FvError *error)
{
    FvFormat format = {.width = width, .height = height, .chroma = chroma, .depth = depth};
    FvSession *session;
    FvStatus status = fv_session_open(&session, &(FvSessionParams){.device = "cpu", .threads = 1}, error);
    if (!status)
        status = fv_session_add(session, metric, error);
    if (!status)
        status = fv_session_start(session, &format, &format, error);
    fv_session_close(&session);
    return status;
}
