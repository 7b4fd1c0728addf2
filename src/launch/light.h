/* The constants of light that kernels read, and the curve behind them. */
#pragma once

#include "cpu/light.h"
#include "gpu/launches.h"
#include "kernel/light.h"
#include "os/memory.h"

/* Where the curve lies: what it is at each step, and how much more at the next. Then what else a feature has. */
#define FV_LIGHT_CURVE_OFFSET FV_ROUND_UP(sizeof(FvLightConstants), 16)
#define FV_LIGHT_CONSTANT_BYTES FV_ROUND_UP(FV_LIGHT_CURVE_OFFSET + (FV_LIGHT_CURVE + 1) * 2 * sizeof(float), 16)

/* Fills FV_LIGHT_CONSTANT_BYTES. */
void fv_light_constants(const FvLight *light, void *memory);
