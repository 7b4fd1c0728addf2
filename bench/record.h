/*
 * Writes and compares records of speed. A record has a line for each figure: its frames per second, a tab, and its
 * name. The name contains the device's own name, so that figures of different devices are never compared.
 */
#pragma once

#define RECORD_LOSS 0.03 /* relative loss of speed from which on a figure is reported */

/*
 * Opens a record, and reads the record to compare with; either path may be NULL. On failure, prints a message.
 * Returns an exit code.
 */
int record_open(const char *write_to, const char *against);

/* Adds a figure. `what`: the metrics, the video, and how they were scored; `title`: the device. */
void record_add(const char *what, const char *title, double frames_per_second);

/*
 * Writes the record, and lists the figures that are slower than in the record to compare with. Returns EXIT_OK,
 * EXIT_GATE if a figure is slower or the record lacks all figures, or after a message another exit code.
 */
int record_close(void);
