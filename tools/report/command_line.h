/* The text of the running command, for pages that say how to get them again. */
#pragma once

/*
 * Returns the running command as a shell reads it, which the caller frees. Files are named without their folders.
 * NULL: out of memory.
 */
char *command_line(void);
