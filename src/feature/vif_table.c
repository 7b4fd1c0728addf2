/* The table of VIF's logarithms. */
#include "feature/vif.h"

#include "arith/scalar.h"

#include "arith/log2.h"
#include "arith/vif.h"

/*
 * libvmaf computes the logarithm in binary32. For these entries, 2048 times that logarithm is a whole number plus a
 * half, which is rounded up, although the exact value is a little smaller.
 */
static const uint16_t rounded_up[] = {33108, 33209, 34457, 34492, 34844, 35764, 36399, 37398, 38620, 39319,
                                      43418, 44159, 45494, 45772, 45834, 46443, 48961, 50887, 51146, 51633,
                                      53104, 53266, 53519, 54765, 55081, 56230, 56727, 58087, 58146, 59985,
                                      60168, 61340, 61966, 62134, 62408, 64360, 64469, 64841};

void fv_vif_log_table(uint16_t *logs)
{
    for (int i = 0; i < FV_VIF_LOGS; i++)
        logs[i] = (uint16_t)(2048 * (fv_log2(FV_VIF_LOGS + i) - 15) + 0.5);
    for (size_t i = 0; i < sizeof rounded_up / sizeof *rounded_up; i++)
        logs[rounded_up[i] - FV_VIF_LOGS]++;
    logs[FV_VIF_LOGS] = 0; /* vector kernels read two entries at once */
}

enum { ENTRIES = FV_VIF_LOGS / FV_VIF_LINES, PLACES = 12 };

/* Returns the line segment with this slope whose integer parts are `logs`, or 0 if there is none. */
static uint32_t line_of(const uint16_t *logs, int slope)
{
    int least = 0, most = 1 << 23;
    for (int i = 0; i < ENTRIES; i++) {
        int value = (logs[i] << PLACES) - slope * i, last = value + (1 << PLACES) - 1;
        least = value > least ? value : least;
        most = last < most ? last : most;
    }
    return least > most ? 0 : (uint32_t)slope << 23 | (uint32_t)least;
}

void fv_vif_log_lines(const uint16_t *logs, uint32_t *lines)
{
    for (int i = 0; i < FV_VIF_LINES; i++, logs += ENTRIES) {
        int near = ((logs[ENTRIES - 1] - logs[0]) << PLACES) / (ENTRIES - 1), reach = 1 << PLACES >> 6;
        lines[i] = 0;
        for (int slope = near > reach ? near - reach : 1; slope < near + reach && slope < 512 && !lines[i]; slope++)
            lines[i] = line_of(logs, slope);
    }
}
