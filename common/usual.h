/* The sentence that names the default metrics for people. */
#pragma once

/* The metrics that fv_session_add_default() and fv_session_add_rgb_metrics() add to a run that names none. */
#define FV_USUAL_METRICS                                                                                             \
    "vmaf, psnr and psnr_hvs; of PQ and HLG cvvdp and pu_psnr in place of vmaf; of RGB pictures also those that "    \
    "take RGB"
