/* Statuses and messages of calls that can fail. */
#ifndef FOVEA_ERROR_H
#define FOVEA_ERROR_H

#include <fovea/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The values 2 to 7 are also the exit codes of the command `fovea`. */
typedef enum FvStatus {
    FV_OK = 0,
    FV_END = 1,           /* not an error: there is no further frame or result */
    FV_ERROR_USAGE = 2,   /* an argument, option or metric name is wrong */
    FV_ERROR_INPUT = 3,   /* a file or frame cannot be read, or two inputs do not fit each other */
    FV_ERROR_DEVICE = 4,  /* a processor, driver or its memory failed */
    FV_ERROR_PARTIAL = 5, /* stopped on request, or some frames were scored before a later one failed */
    FV_ERROR_OUTPUT = 6,  /* a report or picture could not be written */
    FV_ERROR_MEMORY = 7,  /* host memory ran out */
} FvStatus;

typedef struct FvError {
    FvStatus status;
    char message[1024]; /* one sentence for people: what failed, where (file, frame, option), and the remedy */
} FvError;

/*
 * A remedy stands in backticks, under the name that Python and, with hyphens, the command give the parameter:
 * `align=map` is FV_ALIGN_BY_CONTENT, `ignore_rate` sets this member of FvScoreParams, and `reference.range=full` is
 * FvSourceParams.tags of the reference. The decisions of a session are written in the same way.
 */

/*
 * The candidate with the smallest edit distance to `word`, or NULL when none is close: for "did you mean" in messages
 * about unknown names.
 */
FV_API const char *fv_nearest(const char *word, const char *const *candidates, int count);

#ifdef __cplusplus
}
#endif

#endif
