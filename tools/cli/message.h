/* What the command says on standard error, as text or, for scripts, as one JSON object a line. */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "fovea/fovea.h"

/* Every later line on standard error becomes a JSON object. */
void message_as_json(bool json);
bool message_is_json(void);

/* From now on waiting for a reader of standard error ends with this request, and what is said after that is lost. */
void message_until(const FvCancel *cancel);

/* Standard error: a line appears at once when message_flush is called, and whole. */
FILE *message_file(void);
void message_flush(void);

/* "fovea: ..." and returns `status`, so that a caller reads `return complain(FV_ERROR_USAGE, ...)`. */
__attribute__((format(printf, 2, 3))) int complain(int status, const char *format, ...);

__attribute__((format(printf, 1, 2))) void warn(const char *format, ...);

#endif
