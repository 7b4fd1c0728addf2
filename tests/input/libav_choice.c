/* Tests the choice among the releases of FFmpeg that a build supports, and the message if none can be opened. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "input/libav/choice.h"

#define NEVER 64 /* value of `libraries`: opening the release runs out of memory */

static int libraries[10]; /* number of each release's three libraries that can be opened, or NEVER */
static char asked[8];     /* the numbers of the releases that were tried, in order */

static FvStatus open_release(int ffmpeg, int *opened, FvError *error)
{
    const size_t length = strlen(asked);
    snprintf(asked + length, sizeof asked - length, "%d", ffmpeg);
    *opened = libraries[ffmpeg];
    if (libraries[ffmpeg] == NEVER)
        return fv_fail(error, FV_ERROR_MEMORY, "no memory for FFmpeg %d", ffmpeg);
    return *opened == 3 ? FV_OK : fv_fail(error, FV_ERROR_INPUT, "FFmpeg %d lacks library %d", ffmpeg, *opened);
}

#define RELEASE(number)                                                                                              \
    static FvStatus open_##number(int *opened, FvError *error)                                                       \
    {                                                                                                                \
        return open_release(number, opened, error);                                                                  \
    }                                                                                                                \
    static const FvLibavRelease release_##number = {.ffmpeg = number, .open = open_##number};
RELEASE(5)
RELEASE(7)
RELEASE(9)

static const FvLibavRelease *const all[] = {&release_7, &release_9, &release_5, NULL};

/* Chooses among the releases 5, 7 and 9, each with the given number of libraries that can be opened. */
static const FvLibavRelease *choose(int of_5, int of_7, int of_9, FvError *error)
{
    const FvLibavRelease *chosen = NULL;
    libraries[5] = of_5;
    libraries[7] = of_7;
    libraries[9] = of_9;
    *asked = 0;
    *error = (FvError){0};
    const FvStatus status = fv_libav_choose(&chosen, all, error);
    assert_int_equal(status, error->status);
    assert_true(!chosen == !!status);
    return chosen;
}

static void which_release_is_chosen(void **state)
{
    FvError error;
    assert_ptr_equal(choose(3, 3, 3, &error), &release_9);
    assert_string_equal(asked, "9");
    assert_ptr_equal(choose(3, 3, 2, &error), &release_7);
    assert_string_equal(asked, "97");
    assert_ptr_equal(choose(3, 0, 1, &error), &release_5);
    assert_string_equal(asked, "975");
}

static void the_nearest_is_named(void **state)
{
    static const int counts[][4] = {{0, 0, 0, 9}, {1, 0, 0, 5}, {1, 2, 1, 7}, {2, 1, 2, 9}};
    FvError error;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        char text[64];
        assert_null(choose(counts[i][0], counts[i][1], counts[i][2], &error));
        snprintf(text, sizeof text, "cannot be opened: FFmpeg %d lacks", counts[i][3]);
        assert_int_equal(error.status, FV_ERROR_INPUT);
        assert_memory_equal(error.message, text, strlen(text));
        assert_non_null(strstr(error.message, "; install the libraries of FFmpeg 9, 7 or 5"));
    }
}

static void one_or_two_are_listed(void **state)
{
    const FvLibavRelease *chosen, *const one[] = {&release_5, NULL}, *const two[] = {&release_5, &release_9, NULL};
    FvError error;
    memset(libraries, 0, sizeof libraries);
    fv_libav_choose(&chosen, one, &error);
    assert_non_null(strstr(error.message, "of FFmpeg 5"));
    fv_libav_choose(&chosen, two, &error);
    assert_non_null(strstr(error.message, "of FFmpeg 9 or 5"));
}

/* When memory runs out, no older release is tried, since it would run out, too. */
static void a_lack_of_memory_ends_the_search(void **state)
{
    FvError error;
    assert_null(choose(3, NEVER, 0, &error));
    assert_string_equal(asked, "97");
    assert_int_equal(error.status, FV_ERROR_MEMORY);
    assert_string_equal(error.message, "cannot be opened: no memory for FFmpeg 7");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(which_release_is_chosen),
        cmocka_unit_test(the_nearest_is_named),
        cmocka_unit_test(one_or_two_are_listed),
        cmocka_unit_test(a_lack_of_memory_ends_the_search),
    };
    return cmocka_run_group_tests_name("libav_choice", tests, NULL, NULL);
}
