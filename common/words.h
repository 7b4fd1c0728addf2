/* Values, times and pools as people read them, on terminals and pages. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fovea/meaning.h>
#include <fovea/pool.h>

#define FV_WORD_SIZE 64

/*
 * The name of an output: its meaning's title, or its name where several outputs that are shown alike have one
 * meaning.
 */
const char *fv_word_title(const FvSession *session, int output);

/*
 * A value of an output without its unit: two or four decimals, four digits of a small one. `page`: with the signs of
 * print, U+2212 and U+221E. Returns text.
 */
char *fv_word_value(char text[FV_WORD_SIZE], const FvMeaning *meaning, double value, bool page);

/* The same with its unit. */
char *fv_word_score(char text[FV_WORD_SIZE], const FvMeaning *meaning, double value, bool page);

/* m:ss.mmm or h:mm:ss.mmm, with `decimals` of the seconds, 2 or 3; "" when the time is not known. Returns text. */
char *fv_word_time(char text[FV_WORD_SIZE], double seconds, int decimals);

/* A frame's SMPTE time code, where the distorted video has one, or else its time. Returns text. */
char *fv_word_moment(char text[FV_WORD_SIZE], const FvSession *session, int64_t number, int decimals);

/* "4.21 Mb/s", "640 kb/s": three digits. Returns text. */
char *fv_word_bit_rate(char text[FV_WORD_SIZE], double bits);

/* "H.264" of libav's "h264": what people call a codec, or else its name. */
const char *fv_word_codec(const char *name);

/* One sentence when another score of quality differs by two steps or more from the one that speaks for the clip. */
bool fv_word_disagreement(char *text, size_t size, const FvSession *session);

/* "mean", "worst 5 %": a pool by the name that people know. */
const char *fv_word_pool(FvPool pool, FvBetter better);

/* The pool of the worst 5 %. */
static inline FvPool fv_word_worst(FvBetter better)
{
    return better == FV_LOWER_IS_BETTER ? FV_POOL_P95 : FV_POOL_P5;
}

/* The pool of the worst frame. */
static inline FvPool fv_word_worst_frame(FvBetter better)
{
    return better == FV_LOWER_IS_BETTER ? FV_POOL_MAX : FV_POOL_MIN;
}

/*
 * Says how many frames an output in decibels finds equal, and what they count for in pooled values. Returns false,
 * and writes nothing, where no frame is or the output is not in decibels.
 */
bool fv_word_equal_frames(char *text, size_t size, const FvSession *session, int output);
