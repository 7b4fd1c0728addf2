/* Builds and parses the text of a metric with its options, "name=option=value:option=value". */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * Appends `from` to `text`, of whose `size` bytes *used are in use. quote: put a backslash before characters that are
 * special between options. false: it does not fit completely.
 */
bool fv_option_append(char *text, size_t size, size_t *used, const char *from, bool quote);

/*
 * Returns the length of `text` before the first character of `stops` that is outside quotes and has no backslash
 * before it.
 */
size_t fv_option_span(const char *text, const char *stops);
