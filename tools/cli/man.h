/* Prints the man page, in the man macros of roff, from the tables that also make the help. */
#pragma once

#include <stdio.h>

void man_print(FILE *file);
