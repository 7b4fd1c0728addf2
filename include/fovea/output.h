/* Outputs: files that replace older ones once they are whole. */
#ifndef FOVEA_OUTPUT_H
#define FOVEA_OUTPUT_H

#include <fovea/source.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A file that appears under its name whole or not at all, and that never replaces an input. It is written next to
 * `path` as "<name>.<process>.<n>.tmp". Closing it flushes it to the disk, renames it and flushes its folder: after a
 * crash or power failure either the old file or the new one exists. Symbolic links are followed and stay links. A
 * file that replaces another gets its permissions; a new file gets permissions by the umask. A file that the caller
 * may not write is not replaced. Pipes, devices and open descriptors (/dev/stdout, /dev/fd/3) are written in place.
 * The caller handles SIGPIPE and SIGXFSZ: when they are ignored, the writes end with FV_ERROR_OUTPUT.
 */
typedef struct FvOutput FvOutput;

typedef struct FvOutputParams {
    const char *path;               /* "-" is standard output */
    const FvSource *const *sources; /* sources in use: the output cannot be one of their files, under any name or
                                       link. NULL entries are ignored */
    int source_count;               /* [0, 8] */
    const char *const *files; /* other files that are read: the output cannot be one of them, under any name or link.
                                 Names that exist no more are ignored */
    int file_count;           /* [0, 32] */
    const struct FvSession
        *session; /* or NULL: the output cannot be a file that was read for it: its videos, every image of a sequence,
                     files that its metrics' options name, the plan and the shards that it was merged from */
    const FvCancel *cancel; /* or NULL. A stop request ends waiting for the reader of a pipe: at once, or after 10
                               seconds for an output opened after the request, such as a last report */
} FvOutputParams;

/*
 * Waits for the reader of a named pipe. FV_ERROR_USAGE: the path names an input. FV_ERROR_OUTPUT: no file can be made
 * there. FV_ERROR_PARTIAL: a stop was requested first.
 */
FV_API FvStatus fv_output_open(FvOutput **output, const FvOutputParams *params, FvError *error);

/* Predicts the status of fv_output_open without opening or creating anything: a check before long work. */
FV_API FvStatus fv_output_check(const FvOutputParams *params, FvError *error);

/* The stream to write to. It remembers errors; closing the output reports them. */
FV_API FILE *fv_output_file(FvOutput *output);

/* The file appears under its name. On failure it is removed, and the older file stays. */
FV_API FvStatus fv_output_close(FvOutput **output, FvError *error);

/*
 * For output that is good but incomplete. It appears next to `path`, which is not touched, under an unused name:
 * film.partial.y4m, film.partial-2.y4m, ... Writes this name to `name`, or an empty one for an output written in
 * place. On failure the file is removed.
 */
FV_API FvStatus fv_output_keep(FvOutput **output, char *name, size_t size, FvError *error);

/* For unwanted output: no file appears, and the older file stays. */
FV_API void fv_output_discard(FvOutput **output);

#ifdef __cplusplus
}
#endif

#endif
