/* SMPTE time codes (ST 12-1). */
#pragma once

#include <fovea/frame.h>

/*
 * Reads a time code such as "10:00:00:00", with ';' or '.' before the frames when numbers are dropped, for a video of
 * this rate. The base is 0 if the text is no time code.
 */
FvTimecode fv_timecode_read(const char *text, int rate_num, int rate_den);

/* Writes the time code of the frame `places` frames after `timecode`; "" if its base is 0. Days wrap. */
void fv_timecode_write(const FvTimecode *timecode, int64_t places, char text[FV_TIMECODE_TEXT]);
