/* Writes failures for programs: a code, and the file, frame and remedy that the message for people names. */
#pragma once

#include "json.h"

#define TOLD_BYTES 2304 /* maximum bytes of a message, with the name of the video that it concerns */

typedef struct Told {
    int failure; /* code of failure.h; 0: no failure */
    char text[TOLD_BYTES];
} Told;

/* The values of --progress, which also sets the form of failures. NULL ends the list. */
extern const char *const told_styles[];

/*
 * Sets the words of the command line, or (`of_job`) of one job, among which told_write() looks for files. The words
 * must remain valid.
 */
void told_words(char *const *words, int count, bool of_job);

/* Writes the members status, code, file, frame, `member` with the message, and remedy. Unknown values are null. */
void told_write(FvJson *json, int status, const char *member, const Told *told);
