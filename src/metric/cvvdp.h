/* The displays of ColorVideoVDP. */
#pragma once

#include "feature/cvvdp.h"
#include "os/content.h"

typedef struct FvCvvdpDisplay {
    const char *name;
    int width, height;           /* pixels */
    double distance, diagonal;   /* viewing distance in m, diagonal in inches; 0: `ppd` is given instead */
    double ppd;                  /* pixels per degree; 0: computed from the members above */
    double peak, black, ambient; /* peak and black in cd/m2, ambient light in lx */
    FvCvvdpTransfer transfer;
    FvCvvdpPrimaries primaries;
} FvCvvdpDisplay;

/* "auto", then the names of the displays, then NULL. */
extern const char *const fv_cvvdp_displays[];

/* Returns the display with this name, which must not be "auto". */
const FvCvvdpDisplay *fv_cvvdp_display(const char *name);

/* A display from a file, with its name in the file. */
typedef struct FvCvvdpOwnDisplay {
    FvCvvdpDisplay display;
    char name[64];
} FvCvvdpOwnDisplay;

/*
 * Reads a display from a file in the format of ColorVideoVDP's display_models.json: the display `wanted`, or, if that
 * is NULL, the only one in the file. The message of FV_ERROR_USAGE lists the displays of the file.
 */
FvStatus fv_cvvdp_display_read(FvCvvdpOwnDisplay *own, const char *path, const FvContent *content, const char *wanted,
                               FvError *error);

/* Returns the pixels per degree at a viewing distance of `pixels` pixels, at least 2. */
double fv_cvvdp_ppd_at(double pixels);

/*
 * Returns the pixels per degree at a distance in m, or, if `distance` is 0, at the display's own distance. NAN if a
 * distance is given for a display without a size.
 */
double fv_cvvdp_ppd(const FvCvvdpDisplay *display, double distance);
