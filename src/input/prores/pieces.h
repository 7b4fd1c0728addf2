/* Reads a large block of bytes of a regular file in pieces, with several threads. */
#pragma once

#include "input/stream.h"

typedef struct FvPieces FvPieces;

/* Opens the threads: `threads` at most, the caller's included; 0: a quarter of the processors. */
FvStatus fv_pieces_open(FvPieces **pieces, int threads, FvError *error);

/*
 * Reads `size` bytes at `position`; the stream's own position does not change. *got: the number of these bytes that
 * the file has. The time spent is added to the stream's.
 */
FvStatus fv_pieces_read(FvPieces *pieces, FvStream *stream, int64_t position, uint8_t *bytes, size_t size,
                        size_t *got, FvError *error);

void fv_pieces_close(FvPieces **pieces);
