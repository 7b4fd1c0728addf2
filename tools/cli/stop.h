/* Ctrl-C and its relatives end the work in order. */
#pragma once

#include "fovea/fovea.h"

/*
 * From now on SIGINT, SIGTERM and SIGHUP (unless it is ignored, as under nohup) make the request that is returned,
 * however often they come. NULL after a message when there is no memory for it.
 */
const FvCancel *stop_on_signals(void);
