/* Messages of the library name its parameters in backticks, and the command's messages name options. */
#pragma once

#include <stddef.h>

/*
 * The message with each parameter that is an option: `align=map` becomes --align map, `reference.range=full`
 * becomes --range-ref full. Returns `text`, which is cut to `size`.
 */
const char *fv_remedy_spell(char *text, size_t size, const char *message);

/* Makes fv_remedy_spell() omit -ref and -dis from options, for commands that read one video. */
void fv_remedy_for_one_video(void);
