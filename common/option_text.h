/* The text of a metric and its options, "name=option=value:option=value", put together and taken apart. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * Appends `from` to `text`, which has `size` bytes, of which *used are taken. quote: marks that mean something
 * between options get a backslash. false: not all of it fits.
 */
bool fv_option_append(char *text, size_t size, size_t *used, const char *from, bool quote);

/*
 * Returns the length of `text` before the first bare character of `stops`: one without a backslash before it, outside
 * of quotes.
 */
size_t fv_option_span(const char *text, const char *stops);
