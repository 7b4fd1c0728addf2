/*
 * Outputs: files that replace older files only once they are complete. A program that writes one:
 *
 *     FvError error = {0};
 *     FvOutput *output = NULL;
 *     FvStatus status = fv_output_open(&output, &(FvOutputParams){.path = "scores.txt"}, &error);
 *     if (!status) {
 *         fprintf(fv_output_file(output), "94.3\n");
 *         status = fv_output_close(&output, &error);
 *     }
 */
#ifndef FOVEA_OUTPUT_H
#define FOVEA_OUTPUT_H

#include <fovea/source.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * An output: a file that appears under its name complete or not at all, and that never replaces an input. It is
 * written next to `path` as "<name>.<process>.<n>.tmp". Closing it flushes it to the disk, renames it and flushes its
 * folder: after a crash or power failure either the old file or the new one exists. Symbolic links are followed and
 * stay links. A file that replaces another gets its permissions; a new file gets the permissions that the umask
 * leaves. A file that the caller may not write is not replaced. Pipes, devices and open descriptors (/dev/stdout,
 * /dev/fd/3) are written in place. The caller is responsible for SIGPIPE and SIGXFSZ: if the process ignores them,
 * writes that they would end fail with FV_ERROR_OUTPUT.
 */
typedef struct FvOutput FvOutput;

typedef struct FvOutputParams {
    const char *path;               /* "-" is standard output */
    const FvSource *const *sources; /* sources in use; the output must not be one of their files, under any name or
                                       link. NULL entries are ignored */
    int source_count;               /* number of sources, [0, 8] */
    const char *const *files; /* other files that are read; the output must not be one of them, under any name or
                                 link. Names of missing files are ignored */
    int file_count;           /* number of files, [0, 32] */
    /*
     * The output must not be a file that this session used: its videos, every image of a sequence, files that its
     * metrics' options name, the plan and the shards that it was merged from. NULL: no session.
     */
    const struct FvSession *session;
    const FvCancel *cancel; /* or NULL. A stop request ends the wait for the reader of a pipe: at once, or after 10
                               seconds for an output opened after the request, such as a last report */
} FvOutputParams;

/*
 * Opens an output, which the caller closes, keeps or discards. Waits for the reader of a named pipe. FV_ERROR_USAGE:
 * the path is empty or names an input, or a count is out of its range. FV_ERROR_OUTPUT: no file can be made there.
 * FV_ERROR_PARTIAL: a stop was requested first.
 */
FV_API FvStatus fv_output_open(FvOutput **output, const FvOutputParams *params, FvError *error);

/*
 * Checks as fv_output_open() does whether an output can be opened, without creating a file or waiting for a reader. A
 * device is opened and closed. Use it before long work.
 */
FV_API FvStatus fv_output_check(const FvOutputParams *params, FvError *error);

/*
 * Returns the stream to write to, which belongs to the output. It remembers errors; closing the output reports them.
 */
FV_API FILE *fv_output_file(FvOutput *output);

/*
 * Closes the output; the file then has its name. On failure the new file is removed, and an older file stays.
 * FV_ERROR_OUTPUT: a write failed, or the name has become that of an input. FV_ERROR_PARTIAL: a stop request ended
 * the wait for the reader of a pipe. FV_OK for a pointer to NULL.
 */
FV_API FvStatus fv_output_close(FvOutput **output, FvError *error);

/*
 * Closes an output that is valid but incomplete. The file appears next to `path`, which is not changed, under an
 * unused name: film.partial.y4m, film.partial-2.y4m, ... Writes this name to `name`, or "" for an output that was
 * written in place. If `path` is a symbolic link, the file appears next to its target. On failure the file is
 * removed. FV_ERROR_USAGE: `name` has no room. FV_ERROR_OUTPUT: a write failed, or `name` has not enough room.
 */
FV_API FvStatus fv_output_keep_partial(FvOutput **output, char *name, size_t size, FvError *error);

/* Closes an unwanted output: no file appears, and an older file stays. */
FV_API void fv_output_discard(FvOutput **output);

#ifdef __cplusplus
}
#endif

#endif
