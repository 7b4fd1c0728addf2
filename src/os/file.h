/* Input files: opening, reading at a position, identity. */
#pragma once

#include "fovea/fovea.h"

/*
 * The identity of a file, whatever name or link it was opened by. `known` is false for devices without content
 * (terminals, /dev/null) and for sockets, which have no identity.
 */
typedef struct FvFileId {
    bool known;
    uint64_t device, number;
} FvFileId;

static inline bool fv_file_same(FvFileId a, FvFileId b)
{
    return a.known && b.known && a.device == b.device && a.number == b.number;
}

typedef enum FvFileKind {
    FV_FILE_ABSENT,
    FV_FILE_OTHER,
    FV_FILE_REGULAR,
    FV_FILE_FOLDER,
    FV_FILE_PIPE,
    FV_FILE_DISK
} FvFileKind;

typedef struct FvFileFacts {
    FvFileKind kind;
    FvFileId id;
    unsigned permissions; /* the nine permission bits of POSIX; 0 on Windows */
    int64_t size;         /* bytes of a regular file */
    int64_t modified;     /* time of the last modification, in nanoseconds since 1970 */
} FvFileFacts;

/*
 * Get the facts of an open file, or of the file that a name leads to, following links. False with errno, and zeroed
 * facts.
 */
bool fv_file_facts(int fd, FvFileFacts *facts);
bool fv_file_facts_of(const char *path, FvFileFacts *facts);

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
