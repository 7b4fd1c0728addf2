/* Facts of files, among them their identity. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

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
