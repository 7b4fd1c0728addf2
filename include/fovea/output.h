/* Outputs: files that take the place of older ones when they are whole. */
#ifndef FOVEA_OUTPUT_H
#define FOVEA_OUTPUT_H

#include <fovea/source.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A file that appears under its name whole or not at all, and that is never one of the inputs. It is written beside
 * `path` as "<name>.<process>.<n>.tmp"; when it is closed it is flushed to the disk, renamed, and its folder is
 * flushed, so that after a crash or power failure either the old file or the new one is there. Symbolic links are
 * followed to the file they name, and stay. A file that replaces another gets its permissions; a new one gets those
 * that the umask leaves. A file that the caller may not write is not replaced. Pipes, devices and open descriptors
 * (/dev/stdout, /dev/fd/3) are written in place. SIGPIPE and SIGXFSZ are left to the caller: when they are ignored,
 * they become FV_ERROR_OUTPUT.
 */
typedef struct FvOutput FvOutput;

typedef struct FvOutputParams {
    const char *path;               /* "-" is standard output */
    const FvSource *const *sources; /* what is read meanwhile: the output cannot be one of them, under any name or
                                       link. NULL entries are left out */
    int source_count;               /* [0, 8] */
    const struct FvSession
        *session;           /* or NULL: its videos and the files that options of its metrics name are guarded, too */
    const FvCancel *cancel; /* or NULL. Once requested, waiting for the reader of a pipe ends: at once, or, when the
                               output was opened after the request, as for a last report, after 10 seconds */
} FvOutputParams;

/*
 * FV_ERROR_USAGE when the path is that of a file which is read, FV_ERROR_OUTPUT when no file can be made there,
 * FV_ERROR_PARTIAL when a stop was requested first. Waits for the reader of a named pipe.
 */
FV_API FvStatus fv_output_open(FvOutput **output, const FvOutputParams *params, FvError *error);

/* The same answers, as far as they can be known without opening or making anything: to be asked before long work. */
FV_API FvStatus fv_output_check(const FvOutputParams *params, FvError *error);

/* Where to write. Errors stay in the stream: closing the output reports them. */
FV_API FILE *fv_output_file(FvOutput *output);

/* The file appears under its name. On failure nothing of it is left, and what was there before stays. */
FV_API FvStatus fv_output_close(FvOutput **output, FvError *error);

/*
 * For output that is good but not whole. It appears beside `path`, which is not touched, under a name that is not in
 * use: film.partial.y4m, film.partial-2.y4m, ... The name is written to `name`; it is empty for what was written in
 * place. On failure nothing is left.
 */
FV_API FvStatus fv_output_keep(FvOutput **output, char *name, size_t size, FvError *error);

/* For output that is not wanted after all: nothing appears, and what was there before stays. */
FV_API void fv_output_discard(FvOutput **output);

#ifdef __cplusplus
}
#endif

#endif
