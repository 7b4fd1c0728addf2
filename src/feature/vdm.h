/* The visual discrimination model as a feature. docs/metrics/vdm.md */
#ifndef FV_FEATURE_VDM_H
#define FV_FEATURE_VDM_H

#include "feature/vdm_plan.h"

extern const FvMapInfo fv_vdm_maps[FV_VDM_MAPS];

extern const FvFeature fv_feature_vdm;
extern const struct FvGpuFeature fv_vdm_gpu;

#endif
