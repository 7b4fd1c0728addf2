#include "feature/display.h"

#include <math.h>
#include <string.h>

#include "arith/transfer.h"

const char *const fv_display_transfers[] = {"auto", "pq", "hlg", "bt1886", "srgb", NULL};

typedef enum Transfer { PQ, HLG, BT1886, SRGB } Transfer;

typedef struct Display {
    Transfer transfer;
    double peak, black, beta; /* beta: the black lift of HLG */
    FvBt1886 bt1886;
} Display;

static Display display_of(const FvDisplayOptions *o)
{
    Display display = {.peak = o->peak, .black = o->black};
    while (strcmp(fv_display_transfers[display.transfer + 1], o->light.transfer))
        display.transfer++;
    if (display.transfer == HLG)
        display.beta = sqrt(3 * fv_d_pow(o->black / o->peak, 1 / fv_hlg_gamma(o->peak)));
    display.bt1886 = fv_bt1886(fv_d_pow, o->peak, o->black);
    return display;
}

/* Returns the light of a component in [0, 1]: in cd/m2, but for HLG scene light. */
static double light_of(const void *context, double v)
{
    const Display *d = context;
    double light = 0;
    switch (d->transfer) {
    case PQ:
        light = 10000 * fv_pq(fv_d_pow, v);
        return light < d->black ? d->black : light > d->peak ? d->peak : light;
    case HLG:
        return fv_hlg((1 - d->beta) * v + d->beta);
    case BT1886:
        return fv_bt1886_light(d->bt1886, v);
    case SRGB:
        break;
    }
    return d->black + (d->peak - d->black) * fv_srgb(v);
}

FvDisplayOptions fv_display_settled(const FvDisplayOptions *given)
{
    FvDisplayOptions display = *given;
    if (!strcmp(display.light.transfer, "auto"))
        display.light.transfer = "bt1886";
    const bool pq = !strcmp(display.light.transfer, "pq"), hdr = pq || !strcmp(display.light.transfer, "hlg");
    if (!strcmp(display.light.primaries, "auto"))
        display.light.primaries = hdr ? "bt2020" : "bt709";
    if (display.peak == FV_DISPLAY_OF_TRANSFER)
        display.peak = pq ? 10000 : hdr ? 1000 : 100;
    if (display.black == FV_DISPLAY_OF_TRANSFER)
        display.black = hdr ? 0 : 0.1;
    return display;
}

FvStatus fv_display_open(FvLight *light, const FvFormat *format, const FvDisplayOptions *options, FvError *error)
{
    const Display display = display_of(options);
    return fv_light_open_curve(light, format, &options->light, light_of, &display, error);
}

double fv_display_gamma(const FvDisplayOptions *options)
{
    return strcmp(options->light.transfer, "hlg") ? 0 : fv_hlg_gamma(options->peak);
}
