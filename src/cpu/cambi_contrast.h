/* The contrast stage of CAMBI for one instruction set; a part of FvCambiKernels. */
#pragma once

#include "base/isa.h"
#include "cpu/cambi_planes.h"

FvCambiSum FV_ISA_STRUCT(fv_cambi_contrast)(const FvCambiPicture *picture, void *frame, int s, int left, int columns,
                                            uint32_t *histogram, void *scratch);
uint64_t FV_ISA_STRUCT(fv_cambi_select)(const FvCambiScale *scale, void *frame, int bin, uint32_t *count);
size_t FV_ISA_STRUCT(fv_cambi_contrast_scratch)(const FvCambiPicture *picture);
