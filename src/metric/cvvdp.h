/* The displays of ColorVideoVDP. */
#pragma once

#include "feature/cvvdp.h"
#include "os/content.h"

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

/* A display of a file, with its name there. */
typedef struct FvCvvdpOwnDisplay {
    FvCvvdpDisplay display;
    char name[64];
} FvCvvdpOwnDisplay;

/*
 * Reads the display `wanted`, or, if that is NULL, the only one, of a file like ColorVideoVDP's display_models.json.
 * FV_ERROR_USAGE names the displays of the file.
 */
FvStatus fv_cvvdp_display_read(FvCvvdpOwnDisplay *own, const char *path, const FvContent *content, const char *wanted,
                               FvError *error);

/* Pixels per degree at a distance in pixels, 2 or more. */
double fv_cvvdp_ppd_at(double pixels);

/* Pixels per degree at a distance in m, or 0 for the display's own distance. NAN when a distance is given for a
 * display without a size. */
double fv_cvvdp_ppd(const FvCvvdpDisplay *display, double distance);
