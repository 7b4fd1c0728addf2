#include "input/prores/pieces.h"

#include "base/error.h"
#include "clock.h"
#include "os/memory.h"
#include "os/processors.h"
#include "os/thread.h"
#include "os/workers.h"

/* bytes per piece: about what one thread copies while another wakes up */
#define PIECE ((size_t)512 << 10)
#define MOST_THREADS 4 /* maximum number of threads of one source */

struct FvPieces {
    FvWorkers *workers;
};

typedef struct Reading {
    const FvStream *stream;
    int64_t position;
    uint8_t *bytes;
    size_t size;
    FvMutex lock;
    size_t got; /* number of bytes read from the beginning on without a gap */
    FvStatus status;
    FvError error;
} Reading;

/*
 * Returns the number of threads, by default a quarter of the processors: two sources are read while other threads
 * decode and score.
 */
static int choose_threads(int asked)
{
    const int threads = asked ? asked : fv_processors() / 4;
    return threads < 1 ? 1 : threads < MOST_THREADS ? threads : MOST_THREADS;
}

FvStatus fv_pieces_open(FvPieces **pieces, int threads, FvError *error)
{
    FvPieces *p = *pieces = fv_alloc_zero(sizeof *p);
    if (!p)
        return fv_fail_memory(error, sizeof *p);
    FvStatus status = fv_workers_open(&p->workers, choose_threads(threads), error);
    if (status)
        fv_pieces_close(pieces);
    return status;
}

static void read_piece(void *opaque, int i, int worker)
{
    Reading *reading = opaque;
    const size_t first = (size_t)i * PIECE, left = reading->size - first, bytes = left < PIECE ? left : PIECE;
    size_t length = 0;
    FvError error = {0};
    FvStatus status = fv_stream_read_at(reading->stream, reading->position + (int64_t)first, reading->bytes + first,
                                        (ptrdiff_t)bytes, bytes, 1, &length, &error);
    if (!status && length == bytes)
        return;
    fv_lock(&reading->lock);
    if (first + length < reading->got) {
        reading->got = first + length;
        reading->status = status;
        reading->error = error;
    }
    fv_unlock(&reading->lock);
}

FvStatus fv_pieces_read(FvPieces *pieces, FvStream *stream, int64_t position, uint8_t *bytes, size_t size,
                        size_t *got, FvError *error)
{
    Reading reading = {
        .stream = stream, .position = position, .bytes = bytes, .size = size, .lock = FV_MUTEX, .got = size};
    const double started = fv_seconds();
    fv_workers_run(pieces->workers, (int)((size + PIECE - 1) / PIECE), read_piece, &reading);
    stream->seconds += fv_seconds() - started;
    fv_mutex_close(&reading.lock);
    *got = reading.got;
    if (reading.status && error)
        *error = reading.error;
    return reading.status;
}

void fv_pieces_close(FvPieces **pieces)
{
    if (*pieces)
        fv_workers_close(&(*pieces)->workers);
    fv_free(*pieces);
    *pieces = NULL;
}
