/* Tests among which GPUs "auto" divides a run: equal ones, unusable ones, software, and the length of the run. */
#include "unit.h"

#include "fovea/fovea.h"
#include "scoring/several.h"

#define LONG 1e12
#define SHORT 1e11

static const FvDeviceInfo all[] = {
    {.name = "cpu", .title = "Xeon", .usable = true},
    {.name = "cuda:0", .title = "H200", .usable = true},
    {.name = "cuda:1", .title = "H200", .usable = true},
    {.name = "cuda:2", .title = "GT 710", .usable = true},
    {.name = "vulkan:0", .title = "H200", .usable = true},
    {.name = "vulkan:1", .title = "H200", .usable = true},
    {.name = "vulkan:2", .title = "llvmpipe", .usable = true, .software = true},
    {.name = "vulkan:3", .title = "llvmpipe", .usable = true, .software = true},
    {.name = "cuda:3", .title = "H200", .usable = false, .lacks = "no memory is left"},
};

/* The linker takes this instead of the command's: a run of unknown length. */
int64_t scoring_expects(const Opened *opened)
{
    return -1;
}

static void test_choices(void **state)
{
    static const struct {
        const char *devices; /* their places in `all` */
        double samples;
        const char *list;
    } rows[] = {
        {"012", LONG, "cuda:0,cuda:1"},
        {"012", SHORT, ""},
        {"01", LONG, ""},
        {"013", LONG, ""},
        {"0312", LONG, ""},
        {"0123", LONG, "cuda:0,cuda:1"},
        {"045", LONG, "vulkan:0,vulkan:1"},
        {"014", LONG, ""},
        {"01245", LONG, "cuda:0,cuda:1"},
        {"067", LONG, ""},
        {"018", LONG, ""},
        {"812", LONG, "cuda:0,cuda:1"},
        {"0", LONG, ""},
        {"", LONG, ""},
        {"045", SHORT, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const FvDeviceInfo *devices[8];
        char list[64];
        int count = 0;
        for (const char *at = rows[i].devices; *at; at++)
            devices[count++] = &all[*at - '0'];
        assert_int_equal(several_choose(list, sizeof list, devices, count, rows[i].samples), *rows[i].list != '\0');
        assert_string_equal(list, rows[i].list);
    }
}

static void test_a_list_that_is_full(void **state)
{
    const FvDeviceInfo *const devices[] = {&all[1], &all[2], &all[1]};
    char list[sizeof "cuda:0,cuda:1"];
    assert_true(several_choose(list, sizeof list, devices, 3, LONG));
    assert_string_equal(list, "cuda:0,cuda:1");
}

static void test_an_unknown_length(void **state)
{
    char list[64];
    assert_false(several_find(list, sizeof list, &(Opened){.run.session.device = "auto"}));
    assert_string_equal(list, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_choices), cmocka_unit_test(test_a_list_that_is_full),
                                       cmocka_unit_test(test_an_unknown_length)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
