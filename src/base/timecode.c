#include "base/timecode.h"

#include <stdio.h>

#define MINUTES_A_DAY 1440

/*
 * Returns how many frame numbers drop-frame time codes skip at the beginning of every minute except each tenth: 2 at
 * 30 frames per second, 4 at 60.
 */
static int dropped(const FvTimecode *timecode)
{
    return timecode->drop ? timecode->base / 15 : 0;
}

static int64_t frames_of(const FvTimecode *timecode, int64_t minutes)
{
    return minutes * 60 * timecode->base - dropped(timecode) * (minutes - (minutes + 9) / 10);
}

FvTimecode fv_timecode_read(const char *text, int rate_num, int rate_den)
{
    const FvTimecode none = {0};
    FvTimecode made = {0};
    int hours, minutes, seconds, frames, end = 0;
    char mark;
    if (!text || rate_num <= 0 || rate_den <= 0 ||
        sscanf(text, "%2d:%2d:%2d%c%2d%n", &hours, &minutes, &seconds, &mark, &frames, &end) != 5 || text[end])
        return none;
    made.base = (int)(((int64_t)rate_num + rate_den / 2) / rate_den);
    made.drop = mark != ':' && made.base % 30 == 0 && rate_num % rate_den;
    const int minute = 60 * hours + minutes;
    const bool skipped = seconds == 0 && minute % 10 && frames < dropped(&made);
    if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59 || seconds < 0 || seconds > 59 || frames < 0 ||
        frames >= made.base || made.base > 120 || skipped || (mark != ':' && mark != ';' && mark != '.'))
        return none;
    /* The skipped numbers are those at the beginning of a minute's first second. */
    made.frame = frames_of(&made, minute) + seconds * made.base + frames - (minute % 10 ? dropped(&made) : 0);
    return made;
}

void fv_timecode_write(const FvTimecode *timecode, int64_t places, char text[FV_TIMECODE_TEXT])
{
    if (!timecode->base) {
        *text = '\0';
        return;
    }
    const int64_t day = frames_of(timecode, MINUTES_A_DAY), frame = ((timecode->frame + places) % day + day) % day;
    int64_t minute = frame / (60 * timecode->base);
    while (frames_of(timecode, minute + 1) <= frame)
        minute++;
    const int64_t rest = frame - frames_of(timecode, minute) + (minute % 10 ? dropped(timecode) : 0);
    const unsigned second = (unsigned)(rest / timecode->base), number = (unsigned)(rest % timecode->base);
    snprintf(text, FV_TIMECODE_TEXT, "%02u:%02u:%02u%c%02u", (unsigned)(minute / 60) % 24u,
             (unsigned)(minute % 60) % 60u, second % 60u, timecode->drop ? ';' : ':', number % 128u);
}
