/* The man page, in the man macros of roff, from the same tables as the help. */
#ifndef MAN_H
#define MAN_H

#include <stdio.h>

void man_print(FILE *file);

#endif
