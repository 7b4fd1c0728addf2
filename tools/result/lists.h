/* The scores of each frame as other programs print them. docs/loops.md */
#pragma once

#include <stdio.h>

#include "fovea/fovea.h"

typedef enum ListFormat { LIST_NONE, LIST_FFVSHIP, LIST_TURBO_METRICS } ListFormat;

/* Errors stay in the file. */
void list_write(FILE *file, const FvSession *session, ListFormat format);
