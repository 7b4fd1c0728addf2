/* The status and the message of a call that can fail. */
#ifndef FOVEA_ERROR_H
#define FOVEA_ERROR_H

#include <fovea/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The statuses that calls return. The values 2 to 7 are also the exit codes of the command `fovea`. */
typedef enum FvStatus {
    FV_OK = 0,
    FV_END = 1,           /* not an error: there is no further frame or result */
    FV_ERROR_USAGE = 2,   /* an argument, option or metric name is wrong */
    FV_ERROR_INPUT = 3,   /* a file or frame cannot be read, or the two inputs cannot be compared */
    FV_ERROR_DEVICE = 4,  /* a device or its driver failed, or its memory ran out */
    FV_ERROR_PARTIAL = 5, /* stopped on request, or some frames were scored before a later one failed */
    FV_ERROR_OUTPUT = 6,  /* a report or picture could not be written */
    FV_ERROR_MEMORY = 7,  /* host memory ran out */
} FvStatus;

typedef struct FvError {
    FvStatus status;
    char message[1024]; /* one sentence for people: what failed, where (file, frame, option), and the remedy */
} FvError;

/*
 * Returns the stable word by which programs recognize a failure, such as "rate-mismatch"; "" for FV_OK, FV_END and
 * NULL. docs/stability.md lists all codes; most failures have the general code of their status. The code is stored in
 * `message` after the end of the text, so a copy of the structure keeps it.
 */
FV_API const char *fv_error_code(const FvError *error);

/*
 * A remedy is in backticks and uses Python's name of the parameter; the command writes hyphens for its underscores.
 * `align=map` means FV_ALIGN_BY_CONTENT, `ignore_rate` means the member of FvScoreParams, and `reference.range=full`
 * means the range in FvSourceParams.tags of the reference. The decisions of a session are written in the same way.
 */

/*
 * Returns the candidate nearest to `word`; NULL: none is near. A short candidate that contains a word of three
 * letters or more is nearest. Otherwise the smallest edit distance decides. Messages about unknown names use it for
 * "did you mean".
 */
FV_API const char *fv_nearest(const char *word, const char *const *candidates, int count);

#ifdef __cplusplus
}
#endif

#endif
