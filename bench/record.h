/*
 * Records of speed: a line for each figure, its frames a second and its name, behind a tab. The name has the device's
 * own name, so that figures of different devices are never compared.
 */
#pragma once

#define RECORD_LOSS 0.03 /* loss against the speed in the record from which on it is reported */

/* Reads the record to compare with; either path may be NULL. An exit code, after a message. */
int record_open(const char *write_to, const char *against);

/* A figure was measured: `what` are the metrics, the video, and how they were scored, on the device `title`. */
void record_add(const char *what, const char *title, double frames_per_second);

/*
 * Writes the record, and lists what is slower than the one to compare with. EXIT_OK, EXIT_GATE when something is, or
 * another exit code after a message; EXIT_GATE also when no figure is in the record.
 */
int record_close(void);
