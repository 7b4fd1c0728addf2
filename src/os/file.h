/* Input files: opening, and reading at a position. */
#pragma once

#include "fovea/fovea.h"

#include "file_facts.h"

/* Returns whether the path is a symbolic link, which need not lead to a file. */
bool fv_file_is_link(const char *path);

bool fv_file_exists(const char *path);

/*
 * Fails with "<name>: cannot be <done>: <reason>", where `reason` is an errno. Returns `status`, or FV_ERROR_MEMORY
 * if the system lacks memory or file descriptors.
 */
FvStatus fv_file_fail(FvError *error, FvStatus status, const char *name, const char *done, int reason);

/*
 * Opens a file for reading. Returns a descriptor, or -1 with errno. A named pipe opens at once; reading it waits for
 * its writer.
 */
int fv_file_open(const char *path);

/* Opens standard input as a separate descriptor. Returns it, or -1 with errno. */
int fv_file_open_standard(void);

/* Returns the position of the next byte to read in a regular file; negative with errno. */
int64_t fv_file_position(int fd);

/* Tells the system that the file will be read from its beginning to its end. */
void fv_file_read_in_order(int fd, FvFileKind kind);

/* Reads `size` bytes from `position`, or fewer at the end of the file. Returns their number, or -1 with errno. */
ptrdiff_t fv_file_read_at(int fd, void *bytes, size_t size, int64_t position);

/* Memory that receives a part of what is read. */
typedef struct FvFilePart {
    void *bytes;
    size_t size;
} FvFilePart;

#define FV_FILE_NEXT (-1)

/*
 * Reads with one system call at most the bytes of `count` parts, at most 1024 parts, from `position`, or with
 * FV_FILE_NEXT from the end of the previous such call. Returns 0 at the end; -1 with errno.
 */
ptrdiff_t fv_file_read_parts(int fd, const FvFilePart *parts, int count, int64_t position);

void fv_file_close(int fd);

void fv_file_remove(const char *path);

/* Writes two parts to a file. Other processes see the old or the complete new file. Failures are not reported. */
void fv_file_keep(const char *path, const FvFilePart parts[2]);
