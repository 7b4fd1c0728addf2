/* Failures as programs read them: a code, and the file, frame and remedy that the sentence for people names. */
#pragma once

#include "json.h"

#define TOLD_BYTES 2304 /* of a message, with the name of the video that it concerns */

typedef struct Told {
    int failure; /* of failure.h; 0: nothing failed */
    char text[TOLD_BYTES];
} Told;

/* The values of --progress, which says who reads failures. NULL ends the list. */
extern const char *const told_styles[];

/* Words among which files are looked for: those of the process, or of one job. They must live on. */
void told_words(char *const *words, int count, bool of_job);

/* The members status, code, file, frame, `member` with the message, and remedy. What is not known is null. */
void told_write(FvJson *json, int status, const char *member, const Told *told);
