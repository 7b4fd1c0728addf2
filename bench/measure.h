/* The measurements of fovea bench: each prints its results and returns the exit code, after a message. */
#pragma once

#include "plan.h"

int bench_cpu(const Plan *plan);
int bench_gpu(const Plan *plan);
int bench_stills(const Plan *plan);
int bench_files(const Plan *plan);
