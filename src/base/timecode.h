/* SMPTE time codes (ST 12-1). */
#pragma once

#include <fovea/frame.h>

/*
 * Parses a time code such as "10:00:00:00" of a video of this rate; ';' or '.' before the frames means drop-frame.
 * The base of the result is 0 if the text is not a time code.
 */
FvTimecode fv_timecode_read(const char *text, int rate_num, int rate_den);

/*
 * Writes the time code `places` frames after `timecode`, or "" if the base is 0. After 24 hours it starts again at 0.
 */
void fv_timecode_write(const FvTimecode *timecode, int64_t places, char text[FV_TIMECODE_TEXT]);
