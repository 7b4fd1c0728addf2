/*
 * Tests the file of speeds: stored speeds are found, follow measurements, stay bounded, and are ignored if damaged.
 */
#include "unit.h"

#include <inttypes.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cache.h"
#include "device_select/speeds.h"
#include "gpu/cache.h"

static const FvFormat small = {.width = 640, .height = 360, .depth = 8},
                      large = {.width = 3840, .height = 2160, .depth = 8},
                      deep = {.width = 640, .height = 360, .depth = 10},
                      middle = {.width = 2560, .height = 1440, .depth = 8};

static void show(const char *what, const char *where, const FvFormat *format, double value, double weight)
{
    FvSpeeds speeds;
    FvSpeed speed = {.value = value, .weight = weight};
    snprintf(speed.what, sizeof speed.what, "%s", what);
    snprintf(speed.where, sizeof speed.where, "%s", where);
    if (format) {
        speed.width = format->width;
        speed.height = format->height;
        speed.depth = format->depth;
    }
    fv_speeds_read(&speeds);
    fv_speeds_show(&speeds, &speed);
    fv_speeds_keep(&speeds);
    fv_speeds_free(&speeds);
}

/* Checks a stored speed. value: 0 means that none is stored. */
static void expect(const char *what, const char *where, const FvFormat *format, double value)
{
    FvSpeeds speeds;
    fv_speeds_read(&speeds);
    assert_false(speeds.damaged);
    const FvSpeed *speed = fv_speeds_find(&speeds, what, where, format);
    assert_int_equal(speed != NULL, value > 0);
    if (speed)
        assert_true(speed->value > value * 0.999 && speed->value < value * 1.001);
    fv_speeds_free(&speeds);
}

static void test_kept(void **state)
{
    expect("adm", "cpu", &small, 0);
    show("adm", "cpu", &small, 2e-9, 1);
    show("adm", "cpu", &large, 3e-9, 1);
    show("start", "a GPU\n, 4\tthreads", NULL, 0.25, 1);
    expect("adm", "cpu", &small, 2e-9);
    expect("adm", "cpu", &large, 3e-9);
    expect("adm", "cpu", &middle, 3e-9); /* found for the nearest frame size */
    expect("adm", "cpu", &deep, 0);
    expect("vif", "cpu", &small, 0);
    expect("adm", "cuda", &small, 0);
    expect("start", "a GPU , 4 threads", NULL, 0.25);
    show("adm", "cpu", &small, 4e-9, 1);
    expect("adm", "cpu", &small, 3e-9);
    for (int i = 0; i < 40; i++) /* the speed follows the new measurements */
        show("adm", "cpu", &small, 8e-9, 1);
    expect("adm", "cpu", &small, 8e-9);
    show("adm", "cpu", &small, -1, 1);
    show("adm", "cpu", &small, 1e-9, 0);
    show("adm", "cpu", &small, 1e9, 1);
    expect("adm", "cpu", &small, 8e-9);
    show("start", "slow", NULL, 12, 1e9);
    show("start", "slowest", NULL, 1000, 1);
    show("start", "slowest", NULL, 1000, 3);
    show("adm", "fast", &large, 1e-13, 1);
    expect("start", "slow", NULL, 12);
    expect("start", "slowest", NULL, 1000);
    expect("adm", "fast", &large, 1e-13);
}

static void test_latest(void **state)
{
    FvSpeeds speeds;
    show("start", "one, here", NULL, 1, 1);
    show("start", "two, here", NULL, 1, 1);
    show("start", "one, here", NULL, 1, 1);
    show("start", "three, there", NULL, 1, 1);
    show("start", "cpu, here", NULL, 1, 1);
    fv_speeds_read(&speeds);
    assert_string_equal(fv_speeds_latest(&speeds, ", here"), "one, here");
    assert_null(fv_speeds_latest(&speeds, ", nowhere"));
    fv_speeds_free(&speeds);
}

static void test_bounded(void **state)
{
    FvSpeeds speeds;
    char name[16];
    fv_speeds_read(&speeds);
    for (int i = 0; i < 2 * FV_SPEEDS; i++) {
        FvSpeed speed = {.width = 16, .height = 16, .depth = 8, .value = 1e-9, .weight = 1};
        snprintf(speed.what, sizeof speed.what, "%d", i);
        memset(speed.where, 'x', sizeof speed.where - 1);
        fv_speeds_show(&speeds, &speed);
    }
    fv_speeds_keep(&speeds);
    fv_speeds_free(&speeds);
    fv_speeds_read(&speeds);
    assert_false(speeds.damaged);
    assert_int_equal(speeds.count, FV_SPEEDS);
    snprintf(name, sizeof name, "%d", FV_SPEEDS);
    assert_string_equal(speeds.item[0].what, name); /* the oldest entries are dropped */
    fv_speeds_free(&speeds);
}

static void count_line(void *opaque, const char *line)
{
    ++*(int *)opaque;
    assert_true(strlen(line) > 0);
}

/* A byte changed anywhere, or a cut anywhere, makes the file damaged. */
static void test_damaged(void **state)
{
    char text[400];
    unlink(cache_path);
    show("adm", "cpu", &small, 2e-9, 1);
    show("vif", "cpu", &small, 2e-9, 1);
    FILE *file = fopen(cache_path, "rb");
    const size_t bytes = fread(text, 1, sizeof text, file);
    fclose(file);
    assert_true(bytes > 60 && bytes < sizeof text);
    for (size_t at = 0; at < 2 * bytes - 1; at++) {
        FvSpeeds speeds;
        int lines = 0;
        char damaged[400];
        memcpy(damaged, text, bytes);
        damaged[at % bytes] ^= at < bytes ? 1 : 0;
        file = fopen(cache_path, "wb");
        fwrite(damaged, at < bytes ? bytes : at - bytes + 1, 1, file);
        fclose(file);
        fv_speeds_read(&speeds);
        if (!speeds.damaged || speeds.count)
            fail_msg("damage %zu is not seen", at);
        fv_speeds_free(&speeds);
        assert_fails(fv_speeds_list(count_line, &lines, error), FV_ERROR_INPUT, "delete it");
        assert_int_equal(lines, 0);
    }
    show("adm", "cpu", &large, 2e-9, 1); /* a damaged file is replaced */
    expect("adm", "cpu", &large, 2e-9);
    expect("vif", "cpu", &small, 0);
    int lines = 0;
    assert_works(fv_speeds_list(count_line, &lines, error));
    assert_int_equal(lines, 1);
    assert_works(fv_speeds_clear(error));
    assert_works(fv_speeds_clear(error));
    expect("adm", "cpu", &large, 0);
}

static void write_speeds(const char *head, const char *lines)
{
    FILE *file = fopen(cache_path, "wb");
    fprintf(file, "%s %016" PRIx64 "\n%s", head, fv_gpu_hash(FV_GPU_HASH, lines, strlen(lines)), lines);
    fclose(file);
}

/* Lines that no run writes are damage, even with a valid hash. */
static void test_extremes(void **state)
{
    static const char *const lines[] = {
        "1000000000000000001 1000 16 16 8 adm\tcpu\n",
        "9999999999999999999 1000 16 16 8 adm\tcpu\n",
        "99999999999999999999 1000 16 16 8 adm\tcpu\n",
        "-1 1000 16 16 8 adm\tcpu\n",
        "0 1000 16 16 8 adm\tcpu\n",
        "1000 4001 16 16 8 adm\tcpu\n",
        "1000 -1 16 16 8 adm\tcpu\n",
        "1000 0 16 16 8 adm\tcpu\n",
        "1000 1000 0 16 8 adm\tcpu\n",
        "1000 1000 16 16 0 adm\tcpu\n",
        "1000 1000 16 -16 8 adm\tcpu\n",
        "1000 1000 16 16 8 adm cpu\n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        FvSpeeds speeds;
        write_speeds("fovea-speeds-2", lines[i]);
        fv_speeds_read(&speeds);
        if (!speeds.damaged || speeds.count)
            fail_msg("this line counts: %s", lines[i]);
        fv_speeds_free(&speeds);
    }
    write_speeds("fovea-speeds-2", "1000000000000000000 4000 0 0 0 start\tcpu\n");
    expect("start", "cpu", NULL, 1000);
    write_speeds("fovea-speeds-1", "1000000000000000000 4000 0 0 0 start\tcpu\n"); /* older files had other units */
    expect("start", "cpu", NULL, 0);
    show("start", "cpu", NULL, 2, 1);
    expect("start", "cpu", NULL, 2);
}

/* A pipe in place of the file is ignored, and no process waits for a writer of the pipe. */
static void test_pipe(void **state)
{
    unlink(cache_path);
    assert_int_equal(mkfifo(cache_path, 0600), 0);
    show("adm", "cpu", &small, 2e-9, 1);
    expect("adm", "cpu", &small, 0);
    assert_int_equal(unlink(cache_path), 0);
}

/* While two processes write their speeds, a third one always reads a complete file. */
static void test_processes(void **state)
{
    pid_t child[2];
    for (int i = 0; i < 2; i++)
        if (!(child[i] = fork())) {
            for (int k = 0; k < 100; k++)
                show(i ? "adm" : "vif", "cpu", &small, 2e-9, 1);
            _exit(0);
        }
    for (int k = 0; k < 100; k++) {
        FvSpeeds speeds;
        fv_speeds_read(&speeds);
        assert_false(speeds.damaged);
        fv_speeds_free(&speeds);
    }
    for (int i = 0; i < 2; i++)
        assert_int_equal(waitpid(child[i], NULL, 0), child[i]);
}

static int set_up(void **state)
{
    return cache_open("speeds");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kept),     cmocka_unit_test(test_latest),
                                       cmocka_unit_test(test_bounded),  cmocka_unit_test(test_damaged),
                                       cmocka_unit_test(test_extremes), cmocka_unit_test(test_pipe),
                                       cmocka_unit_test(test_processes)};
    return cmocka_run_group_tests(tests, set_up, cache_close);
}
