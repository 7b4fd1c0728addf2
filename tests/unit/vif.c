/* VIF's logarithm: the lines of the GPUs give every entry of the table. */
#include "unit.h"

#include "feature/vif.h"

#include "arith/scalar.h"

#include "arith/vif.h"

static void test_lines(void **state)
{
    (void)state;
    static uint16_t logs[FV_VIF_TABLE];
    uint32_t lines[FV_VIF_LINES];
    fv_vif_log_table(logs);
    fv_vif_log_lines(logs, lines);
    for (int i = 0; i < FV_VIF_LOGS; i++) {
        double number = FV_VIF_LOGS + i + 0.75;
        fv_word high = fv_high_word(number);
        assert_int_equal(fv_vif_log_index(high), i);
        assert_int_equal(fv_vif_line_log(lines[fv_vif_line_index(high)], high), logs[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines)};
    return cmocka_run_group_tests_name("vif", tests, NULL, NULL);
}
