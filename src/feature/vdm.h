/* The visual discrimination model as a feature. docs/metrics/vdm.md */
#pragma once

#include "feature/vdm_plan.h"

extern const FvMapInfo fv_vdm_maps[FV_VDM_MAPS];

extern const FvFeature fv_feature_vdm;
extern const struct FvGpuFeature fv_vdm_gpu;
