/* VIF of VMAF: what its feature's parts share. */
#ifndef FV_METRIC_VIF_H
#define FV_METRIC_VIF_H

#include <stdint.h>

#define FV_VIF_TABLE 32769 /* entries of the table of logarithms, one of them unused */

/*
 * logs[i] = 2048 * log2(1 + i / 2^15), rounded as libvmaf does, for i below 2^15. Does not depend on the C library.
 */
void fv_vif_log_table(uint16_t *logs);

#endif
