/* A large block of bytes of a regular file, read in pieces by several threads. */
#pragma once

#include "input/stream.h"

typedef struct FvPieces FvPieces;

/* threads: at most, the caller's included; 0: as many as pay off. */
FvStatus fv_pieces_open(FvPieces **pieces, int threads, FvError *error);

/*
 * Reads `size` bytes from `position` of the stream, wherever the stream itself is read. *got: how many of them the
 * file has. The time counts as the stream's.
 */
FvStatus fv_pieces_read(FvPieces *pieces, FvStream *stream, int64_t position, uint8_t *bytes, size_t size,
                        size_t *got, FvError *error);

void fv_pieces_close(FvPieces **pieces);
