/* The man page, in the man macros of roff, from the same tables as the help. */
#pragma once

#include <stdio.h>

void man_print(FILE *file);
