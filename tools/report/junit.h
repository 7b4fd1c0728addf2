/* Writes gates as test cases of a JUnit file, which CI systems read. */
#pragma once

#include "fovea/fovea.h"
#include "table/gate.h"

/* Writes one case per gate. A run that ended early decides no gate, so each case is then an error. */
FvStatus junit_write(const char *path, FvSession *session, const Gates *gates, FvError *error);
