/* SMPTE time codes (ST 12-1). */
#pragma once

#include <fovea/frame.h>

/*
 * Of the text "10:00:00:00", or with ';' or '.' before the frames when numbers are dropped, of a video of this rate.
 * The base is 0 when the text is something else.
 */
FvTimecode fv_timecode_read(const char *text, int rate_num, int rate_den);

/* Of the frame that many places behind it. Without a base "". Days wrap. */
void fv_timecode_write(const FvTimecode *timecode, int64_t places, char text[FV_TIMECODE_TEXT]);
