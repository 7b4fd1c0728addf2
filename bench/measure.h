/*
 * The measurements of fovea bench: each prints its results and returns an exit code; on failure it prints a message.
 */
#pragma once

#include "plan.h"

int bench_cpu(const Plan *plan);
int bench_gpu(const Plan *plan);
int bench_stills(const Plan *plan);
int bench_files(const Plan *plan);
