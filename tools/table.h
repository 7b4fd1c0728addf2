/* The scores as a table for people. */
#ifndef TABLE_H
#define TABLE_H

#include <stdio.h>

#include "fovea/fovea.h"

void table_print(FILE *file, const FvSession *session);

#endif
