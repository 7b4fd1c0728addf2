/* The kinds of events, with their limits and the origin of the limits: one table for help, documents and reports. */
#include <stdio.h>
#include <string.h>

#include "check/check.h"

/* clang-format off */
static const FvCheckInfo kinds[FV_CHECK_KINDS] = {
    [FV_CHECK_BLACK] = {"black", "Black", "black parts", "black", FV_SEVERITY_WARN,
        "98 % of luma within 10 % of the range above black, for 2 s", "pixel, share, time",
        "FFmpeg, blackdetect"},
    [FV_CHECK_FLAT] = {"flat", "One colour", "one-colour frames", "black", FV_SEVERITY_WARN,
        "the samples of each plane differ by 2 codes of 8 bits at most, and the frame is not black",
        "flat_spread, flat_time",
        "fovea's own"},
    [FV_CHECK_FREEZE] = {"freeze", "Freeze", "frozen parts", "freeze", FV_SEVERITY_WARN,
        "frames differ by a thousandth at most, no block by more than 2 codes, no part drifts by 3 codes, "
        "for 2 s",
        "noise, peak, drift, time", "FFmpeg, freezedetect; the limits of blocks and parts are fovea's own"},
    [FV_CHECK_CADENCE] = {"cadence", "Cadence", "cadence", "freeze", FV_SEVERITY_INFO,
        "repeats return with a period of 2 to 30 frames, three times and for 12 frames", "", "fovea's own"},
    [FV_CHECK_REPEAT] = {"repeat", "Repeats", "repeated frames", "freeze", FV_SEVERITY_INFO,
        "every sample equals the frame before, outside of freezes, cadences and black", "repeat_time", "exact"},
    [FV_CHECK_BARS] = {"bars", "Bars", "bars", "black", FV_SEVERITY_INFO,
        "rows and columns at the edges are black in all frames, or at least a fiftieth of the picture more is for "
        "1 s",
        "bars_time", "docs/scaling.md"},
    [FV_CHECK_ILLEGAL] = {"illegal", "Levels", "illegal levels", "levels", FV_SEVERITY_WARN,
        "more than 1 % of the picture has luma or R, G, B outside 5 to 246 of 8 bits", "illegal_share, illegal_time",
        "EBU R 103"},
    [FV_CHECK_LIGHT] = {"light", "Light levels", "light above the metadata", "light", FV_SEVERITY_WARN,
        "MaxCLL, MaxFALL or the peak of the mastering display is exceeded by more than 1 cd/m2", "hlg_peak",
        "CTA-861.3"},
    [FV_CHECK_GAMUT] = {"gamut", "Gamut", "colours outside the mastering display", "light", FV_SEVERITY_WARN,
        "more than 0.1 % of the picture lies outside the primaries of the mastering display", "", "fovea's own"},
    [FV_CHECK_FLASH] = {"flash", "Flashes", "flashes", "flash", FV_SEVERITY_FAIL,
        "more than 3 flashes in a second over a quarter of the picture", "step, dark, white, area",
        "WCAG 2.2, 2.3.1; ITU-R BT.1702"},
    [FV_CHECK_FLASH_EXTENDED] = {"flash_extended", "Long flashing", "long flashing", "flash", FV_SEVERITY_FAIL,
        "2 or 3 flashes in a second for 4 of 5 s", "step, dark, white, area", "electronicarts/IRIS"},
    [FV_CHECK_FIELDS] = {"fields", "Fields", "fields", "scan", FV_SEVERITY_WARN,
        "two thirds of the moving frames contradict the stated order of fields", "", "fovea's own"},
    [FV_CHECK_TELECINE] = {"telecine", "Telecine", "telecine", "scan", FV_SEVERITY_WARN,
        "2 of every 5 frames are combed, for 15 frames", "comb_pixels", "2:3 pulldown"},
    [FV_CHECK_COMB] = {"comb", "Combing", "combing", "scan", FV_SEVERITY_WARN,
        "a block of 16x16 has more than 80 combed pixels, and fields fit better than the frame",
        "comb_pixels, comb_time", "FFmpeg, fieldmatch"},
};
/* clang-format on */

static const char *const metrics[FV_EVENT_METRICS] = {"black", "freeze", "levels", "light", "flash", "scan"};

const char *fv_check_event_metric_name(FvCheckEventMetric metric)
{
    return metrics[metric];
}

FvCheckEventMetric fv_check_metric(FvCheckKind kind)
{
    int metric = 0;
    while (strcmp(metrics[metric], kinds[kind].metric))
        metric++;
    return metric;
}

int fv_check_count(void)
{
    return FV_CHECK_KINDS;
}

const FvCheckInfo *fv_check_info(int i)
{
    return i >= 0 && i < FV_CHECK_KINDS ? &kinds[i] : NULL;
}

int fv_check_find(const char *name)
{
    for (int i = 0; i < FV_CHECK_KINDS; i++)
        if (name && !strcmp(name, kinds[i].name))
            return i;
    return -1;
}

const char *fv_severity_name(FvSeverity severity)
{
    static const char *const names[] = {"info", "warn", "fail"};
    return (unsigned)severity < 3 ? names[severity] : NULL;
}
