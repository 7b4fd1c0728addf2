/* Turns Ctrl-C and similar signals into an orderly stop. */
#pragma once

#include "fovea/fovea.h"

/*
 * Makes SIGINT, SIGTERM and SIGHUP (unless it is ignored, as under nohup) trigger the returned stop request, each
 * time they arrive. If memory is exhausted, prints a message and returns NULL.
 */
const FvCancel *stop_on_signals(void);
