/* Formats values, times and pools for people, on terminals and pages. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fovea/meaning.h>
#include <fovea/pool.h>

#define FV_WORD_SIZE 64

/*
 * Returns the name of an output: its meaning's title, or its own name if several outputs of the same rank have one
 * meaning.
 */
const char *fv_word_title(const FvSession *session, int output);

/*
 * Writes a value of an output without its unit: two or four decimals, or four digits of a small value. `page`: uses
 * the typographic signs U+2212 and U+221E. Returns text.
 */
char *fv_word_value(char text[FV_WORD_SIZE], const FvMeaning *meaning, double value, bool page);

/* Writes a value of an output with its unit. Returns text. */
char *fv_word_score(char text[FV_WORD_SIZE], const FvMeaning *meaning, double value, bool page);

/*
 * Writes a time as m:ss.mmm or h:mm:ss.mmm, with `decimals` (2 or 3) of the seconds; "" if the time is unknown.
 * Returns text.
 */
char *fv_word_time(char text[FV_WORD_SIZE], double seconds, int decimals);

/* Writes a frame's SMPTE time code if the distorted video has one, else its time. Returns text. */
char *fv_word_moment(char text[FV_WORD_SIZE], const FvSession *session, int64_t number, int decimals);

/* Writes a bit rate with three digits: "4.21 Mb/s", "640 kb/s". Returns text. */
char *fv_word_bit_rate(char text[FV_WORD_SIZE], double bits);

/* Returns the common name of a codec, "H.264" for libav's "h264"; libav's name if no other is known. */
const char *fv_word_codec(const char *name);

/*
 * Writes a sentence if the words of the main score and of another quality score are two grades or more apart. False:
 * no such score.
 */
bool fv_word_disagreement(char *text, size_t size, const FvSession *session);

/*
 * Returns the length of the clip in seconds, by the frame rate, or by the times of the frames where the two differ by
 * more than a frame. step: distance between the numbers of scored frames. 0: the frame rate is unknown.
 */
double fv_word_length(const FvSession *session, int64_t step);

/* Returns the usual name of a pool: "mean", "worst 5 %". */
const char *fv_word_pool(FvPool pool, FvBetter better);

/*
 * Returns the words for the cause of a bad segment. *fault: the cause is a fault of the frames, which `fovea check`
 * looks for in one video.
 */
const char *fv_word_cause(const char *cause, bool *fault);

/* Returns the pool that is the worst 5 %. */
static inline FvPool fv_word_worst(FvBetter better)
{
    return better == FV_LOWER_IS_BETTER ? FV_POOL_P95 : FV_POOL_P5;
}

/* Returns the pool that is the worst frame. */
static inline FvPool fv_word_worst_frame(FvBetter better)
{
    return better == FV_LOWER_IS_BETTER ? FV_POOL_MAX : FV_POOL_MIN;
}

/*
 * Writes how many frames an output in decibels finds equal, and which value they have in pooled values. Returns false
 * and writes nothing if no frame is equal or the output is not in decibels.
 */
bool fv_word_equal_frames(char *text, size_t size, const FvSession *session, int output);
