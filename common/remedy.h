/* Converts the library's messages, which name parameters in backticks, to the command's, which name options. */
#pragma once

#include <stddef.h>

/*
 * Writes the message with options in place of parameters: `align=map` becomes --align map, `reference.range=full`
 * becomes --range-ref full. Returns `text`, which is cut to `size` bytes.
 */
const char *fv_remedy_spell(char *text, size_t size, const char *message);

/* Makes fv_remedy_spell() omit -ref and -dis from options, for commands that read one video. */
void fv_remedy_for_one_video(void);
