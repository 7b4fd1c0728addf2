/* The change of a score from one report to another: its size, its text, and the gate of 'fovea diff'. */
#pragma once

#include "fovea/fovea.h"
#include "table/gate.h"
#include "words.h"

/* Returns how much worse `now` is than `before`; for a score without a direction, how far they are apart. */
double change_loss(FvBetter better, double before, double now);

/* Prints a change with its sign and the score's number of decimals. Returns `text`. */
char *change_text(char text[FV_WORD_SIZE], const FvMeaning *meaning, double value);

/* Returns the word for a comparison in which so many scores or encodes became better and worse. */
const char *change_word(int better, int worse);

/* Parses a gate of --fail-if-worse. On failure, prints a message and returns FV_ERROR_USAGE. */
FvStatus change_gate(Gate *gate, const char *text);

/* Refuses a score of which neither higher nor lower is better: prints a message and returns FV_ERROR_USAGE. */
FvStatus change_judges(const char *text, FvBetter better);

/*
 * Returns whether a change passes the gate. If not, prints a message; `of` is the name of the encode, or NULL for
 * reports of one.
 */
bool change_passes(const Gate *gate, FvBetter better, double before, double now, const char *of);

/* The option that change_gate() parses. */
extern const char change_option[];
