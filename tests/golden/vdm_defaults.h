/* VDM's parameters with the defaults of its options. */
#pragma once

#define VDM_DEFAULTS                                                                                                 \
    .lw = 100, .lb = 0.1, .reflectance = 0.01, .distance_h = 3, .max_ppd = 160, .levels = 7, .optics = true,         \
    .csf_width = 10, .csf_gain = 0.6, .n = 2.4, .w = 0.4, .kappa = 2.5, .q = 2.4, .pool = 5
