/* Compares texts, and finds parts of them. */
#pragma once

#include <stdbool.h>
#include <string.h>
#include <strings.h>

/* Returns whether the first `length` bytes of a text are the word. */
static inline bool fv_span_is(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && !strncmp(text, word, length);
}

static inline bool fv_ends_with(const char *text, const char *ending)
{
    const size_t length = strlen(text), end = strlen(ending);
    return length >= end && !strcmp(text + length - end, ending);
}

/* Returns whether a path ends with an extension such as ".yuv", in letters of any case. */
static inline bool fv_has_extension(const char *path, const char *extension)
{
    const size_t length = strlen(path), end = strlen(extension);
    return length > end && !strcasecmp(path + length - end, extension);
}

/*
 * Returns whether a value is this choice of an option. The choice "libav:FORMAT" stands for every value that begins
 * with "libav:" and continues.
 */
static inline bool fv_is_choice(const char *choice, const char *value)
{
    const char *colon = strchr(choice, ':');
    const size_t length = colon ? (size_t)(colon + 1 - choice) : 0;
    return !strcmp(choice, value) || (colon && !strncmp(choice, value, length) && value[length]);
}

/*
 * Returns whether a control character begins here. Those of C1 count because terminals obey them: U+009B equals ESC
 * [.
 */
static inline bool fv_is_control(const char *text)
{
    const unsigned char first = (unsigned char)text[0];
    return first < ' ' || first == 0x7f || (first == 0xc2 && (unsigned char)text[1] < 0xa0);
}
