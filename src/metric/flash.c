/* Flashes of luminance and of saturated red: a pre-check, no certificate. docs/metrics/flash.md */
#include <limits.h>

#include "base/error.h"
#include "metric/check.h"
#include "os/memory.h"

#define OPTION_LIST(X)                                                                                               \
    X(FvFlashRule, feature.white, INT, FV_FLASH_WHITE)                                                               \
    X(FvFlashRule, feature.hlg_peak, INT, FV_PEAKS_HLG_PEAK)                                                         \
    X(FvFlashRule, step, INT, ("step", "st", 20, 1, 10000, "cd/m2", "least change that is a transition"))            \
    X(FvFlashRule, dark, INT, ("dark", "dk", 160, 1, 10000, "cd/m2", "the darker state lies below this"))            \
    X(FvFlashRule, area, INT, ("area", "ar", 250, 1, 1000, "1/1000", "least part of the picture that flashes"))
FV_OPTIONS(flash_options, OPTION_LIST);

#define LIST(side, of)                                                                                               \
    {"flash_transitions" side,                                                                                       \
     "",                                                                                                             \
     0,                                                                                                              \
     1000,                                                                                                           \
     FV_LOWER_IS_BETTER,                                                                                             \
     false,                                                                                                          \
     "changes between dark and bright in the last second; two are a flash" of},                                      \
    {                                                                                                                \
        "red_flash_transitions" side, "", 0, 1000, FV_LOWER_IS_BETTER, false,                                        \
            "changes of saturated red in the last second" of                                                         \
    }
static const FvOutputInfo outputs[] = FV_CHECK_OUTPUTS(LIST);

/*
 * The state after the frames before `next`. A score depends on all earlier frames, and frames are requested in order.
 */
typedef struct Flash {
    FvFlashes *side[FV_CHECK_SIDES];
    int64_t next;
} Flash;

static void forget(Flash *flash)
{
    for (int side = 0; side < FV_CHECK_SIDES; side++) {
        fv_flashes_close(flash->side[side]);
        flash->side[side] = NULL;
    }
    flash->next = 0;
}

static FvStatus init(FvMetricInstance *run, FvError *error)
{
    const bool has_cells = run->dis.width >= FV_CHECK_COLUMNS && run->dis.height >= FV_CHECK_ROWS;
    fv_check_present(run, has_cells ? (1u << FV_FLASH_KINDS) - 1 : 0);
    run->behind = INT_MAX;
    run->state = fv_alloc_zero(sizeof(Flash));
    return run->state ? FV_OK : fv_fail_memory(error, sizeof(Flash));
}

static FvStatus score(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values, FvError *error)
{
    Flash *flash = run->state;
    if (frame < flash->next || !flash->next)
        forget(flash);
    for (int side = 0; side < fv_check_sides(run) && !flash->next; side++)
        if (!(flash->side[side] = fv_flashes_open(run->options, fv_check_side(run, side))))
            return fv_fail_memory(error, 65536);
    for (; flash->next <= frame; flash->next++)
        for (int side = 0; side < fv_check_sides(run); side++) {
            const FvTerm *terms = fv_rows_at(rows, 0, flash->next);
            int transitions[FV_FLASH_KINDS] = {0};
            if (terms)
                fv_flashes_next(flash->side[side], terms + side * FV_FLASH_TERMS, transitions);
            for (int kind = 0; kind < FV_FLASH_KINDS; kind++)
                values[side * FV_FLASH_KINDS + kind] = transitions[kind];
        }
    return FV_OK;
}

static void close_metric(FvMetricInstance *run)
{
    if (run->state)
        forget(run->state);
    fv_free(run->state);
}

const FvMetric fv_metric_flash = {
    .info = {.name = "flash",
             .title = "Flashes, a pre-check",
             .citation = "WCAG 2.2, success criterion 2.3.1; ITU-R BT.1702",
             .outputs = outputs,
             .output_count = FV_CHECK_SIDES * FV_FLASH_KINDS},
    FV_METRIC_OPTIONS(flash_options, FvFlashRule),
    .feature = &fv_feature_flash,
    .init = init,
    .score = score,
    .close = close_metric,
};
