/* Gates as test cases of a JUnit file, which CI systems read. */
#pragma once

#include "fovea/fovea.h"
#include "result/gate.h"

/* One case for each gate. Frames of a run that ended early decide no gate, so each case is an error then. */
FvStatus junit_write(const char *path, const FvSession *session, const Gates *gates, FvError *error);
