/* The displays of ColorVideoVDP. */
#pragma once

#include "feature/cvvdp.h"

typedef struct FvCvvdpDisplay {
    const char *name;
    int width, height;           /* px */
    double distance, diagonal;   /* m, inches; 0: ppd is known instead */
    double ppd;                  /* 0: it follows from them */
    double peak, black, ambient; /* cd/m2, cd/m2, lx */
    FvCvvdpTransfer transfer;
    FvCvvdpPrimaries primaries;
} FvCvvdpDisplay;

/* "auto", then the names of the displays, then NULL. */
extern const char *const fv_cvvdp_displays[];

/* The display with one of these names except "auto". */
const FvCvvdpDisplay *fv_cvvdp_display(const char *name);

/* Pixels per degree at a distance in m, or 0 for the display's own distance. NAN when a distance is given for a
 * display without a size. */
double fv_cvvdp_ppd(const FvCvvdpDisplay *display, double distance);
