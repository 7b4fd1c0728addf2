/* The constants of linear light that kernels read, followed by the curve. */
#pragma once

#include "cpu/light.h"
#include "gpu/launches.h"
#include "kernel/light.h"
#include "os/memory.h"

/*
 * The offset in bytes of the curve: its value at each step, and the increase to the next step. The feature's other
 * constants follow the curve.
 */
#define FV_LIGHT_CURVE_OFFSET FV_ROUND_UP(sizeof(FvLightConstants), 16)
#define FV_LIGHT_CONSTANT_BYTES FV_ROUND_UP(FV_LIGHT_CURVE_OFFSET + (FV_LIGHT_CURVE + 1) * 2 * sizeof(float), 16)

/* Fills FV_LIGHT_CONSTANT_BYTES bytes. */
void fv_light_constants(const FvLight *light, void *memory);
