/* The displays of ColorVideoVDP, with the names and values of its display_models.json (version 0.5.6). */
#include "metric/cvvdp.h"

#include <math.h>
#include <string.h>

#define INCH 0.0254
#define COUNT 17

/* clang-format off */
static const FvCvvdpDisplay displays[COUNT] = {
    {"standard_4k", 3840, 2160, 0.7472, 30, 0, 200, 200 / 1000.0, 250, FV_CVVDP_SRGB, FV_CVVDP_BT709},
    {"standard_fhd", 1920, 1080, 0.6, 24, 0, 200, 200 / 1000.0, 250, FV_CVVDP_SRGB, FV_CVVDP_BT709},
    {"standard_hdr_pq", 3840, 2160, 0.7472, 30, 0, 1500, 1500 / 1e6, 10, FV_CVVDP_PQ, FV_CVVDP_BT2020},
    {"standard_hdr_hlg", 3840, 2160, 0.7472, 30, 0, 1500, 1500 / 1e6, 10, FV_CVVDP_HLG, FV_CVVDP_BT2020},
    {"standard_hmd", 1440, 1600, 0, 0, 13.153262507309297, 100, 0.1, 0, FV_CVVDP_SRGB, FV_CVVDP_BT709},
    {"standard_phone", 2400, 1080, 0.4, 6, 0, 500, 0.05, 250, FV_CVVDP_SRGB, FV_CVVDP_BT709},
    {"sdr_4k_30", 3840, 2160, 0.6, 30, 0, 100, 100 / 1000.0, 250, FV_CVVDP_SRGB, FV_CVVDP_BT709},
    {"sdr_fhd_24", 1920, 1080, 0.6, 24, 0, 100, 100 / 1000.0, 250, FV_CVVDP_SRGB, FV_CVVDP_BT709},
    {"htc_vive_pro", 1440, 1600, 0, 0, 13.153262507309297, 133.3, 0.1, 0, FV_CVVDP_SRGB, FV_CVVDP_BT709},
    {"iphone_12_pro", 2532, 1170, 20 * INCH, 6.1, 0, 825, 0.0004, 250, FV_CVVDP_SRGB, FV_CVVDP_BT709},
    {"iphone_14_pro", 2532, 1170, 20 * INCH, 6.1, 0, 1025, 0.0004, 250, FV_CVVDP_SRGB, FV_CVVDP_BT709},
    {"iphone_14_pro_hdr", 2532, 1170, 20 * INCH, 6.1, 0, 1590, 0.0004, 10, FV_CVVDP_HLG, FV_CVVDP_BT2020},
    {"ipad_pro_12_9", 2732, 2048, 20 * INCH, 12.9, 0, 600, 0.37, 250, FV_CVVDP_SRGB, FV_CVVDP_BT709},
    {"macbook_pro_16", 3072, 1920, 25 * INCH, 16, 0, 500, 0.37, 250, FV_CVVDP_SRGB, FV_CVVDP_BT709},
    {"lg_oled_2017_sdr", 3840, 2160, 101 * INCH, 64.5, 0, 272, 0.014, 100, FV_CVVDP_SRGB, FV_CVVDP_BT709},
    {"lg_oled_2017_hdr", 3840, 2160, 101 * INCH, 64.5, 0, 754, 0.038, 100, FV_CVVDP_SRGB, FV_CVVDP_BT709},
    {"eizo_CG3146", 4096, 2160, 0.73406, 31.063, 0, 300, 300 / 3000.0, 0, FV_CVVDP_SRGB, FV_CVVDP_BT709},
};
/* clang-format on */

const char *const fv_cvvdp_displays[COUNT + 2] = {
    "auto",
    "standard_4k",
    "standard_fhd",
    "standard_hdr_pq",
    "standard_hdr_hlg",
    "standard_hmd",
    "standard_phone",
    "sdr_4k_30",
    "sdr_fhd_24",
    "htc_vive_pro",
    "iphone_12_pro",
    "iphone_14_pro",
    "iphone_14_pro_hdr",
    "ipad_pro_12_9",
    "macbook_pro_16",
    "lg_oled_2017_sdr",
    "lg_oled_2017_hdr",
    "eizo_CG3146",
    NULL,
};

const FvCvvdpDisplay *fv_cvvdp_display(const char *name)
{
    int i = 0;
    while (strcmp(displays[i].name, name))
        i++;
    return &displays[i];
}

/* Returns the arc tangent of x in [0, 0.25]. */
static double arc(double x)
{
    double z = x * x, p = 0;
    for (int k = 27; k >= 1; k -= 2)
        p = 1.0 / k - p * z;
    return x * p;
}

double fv_cvvdp_ppd_at(double pixels)
{
    return 1 / (2 * arc(0.5 / pixels) * 57.29577951308232);
}

double fv_cvvdp_ppd(const FvCvvdpDisplay *display, double distance)
{
    if (display->ppd > 0)
        return distance > 0 ? NAN : display->ppd;
    double ratio = (double)display->width / display->height, diagonal = display->diagonal * INCH;
    double height = sqrt(diagonal * diagonal / (1 + ratio * ratio));
    double metres = distance > 0 ? distance : display->distance;
    return 1 / (2 * arc(0.5 * (ratio * height) / display->width / metres) * 57.29577951308232);
}
