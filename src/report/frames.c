/* Formats the frames of long reports in several threads. */
#include <stdlib.h>

#include "float_mode.h"
#include "os/locale.h"
#include "os/workers.h"
#include "report/report.h"
#include "text.h"

#define BLOCK 256 /* number of frames that a thread formats at a time */

/* The text of some frames. NULL: memory ran out. */
typedef struct Block {
    char *text;
    size_t size;
} Block;

/* Blocks that the threads format at the same time. */
typedef struct Round {
    const FvSession *session;
    FvFrameWriter *write;
    const void *opaque;
    int64_t first; /* the first frame of block 0 */
    Block *block;
} Round;

static void write_block(FILE *file, const Round *round, int i)
{
    const int64_t first = round->first + (int64_t)i * BLOCK, frames = fv_session_frames(round->session);
    round->write(file, round->session, first, first + BLOCK < frames ? first + BLOCK : frames, round->opaque);
}

static void format_block(void *opaque, int i, int worker)
{
    FV_FLOAT_MODE;
    const Round *round = opaque;
    Block *block = &round->block[i];
    FvLocale before;
    FILE *file = fv_locale_enter(&before) ? fv_text_open(&block->text, &block->size) : NULL;
    if (file)
        write_block(file, round, i);
    fv_text_close(file, &block->text);
    fv_locale_leave(before);
}

/* Writes the blocks in their order. The calling thread formats those that have no text. */
static void write_round(FILE *file, Round *round, int blocks)
{
    for (int i = 0; i < blocks; i++) {
        Block *block = &round->block[i];
        if (block->text)
            fwrite(block->text, 1, block->size, file);
        else
            write_block(file, round, i);
        free(block->text);
        *block = (Block){NULL, 0};
    }
}

void fv_report_frames(FILE *file, const FvSession *session, FvFrameWriter *write, const void *opaque)
{
    const int64_t frames = fv_session_frames(session), whole = frames / BLOCK;
    const int asked = fv_session_devices(session)->threads, threads = whole < asked ? (int)whole : asked;
    Round round = {session, write, opaque, 0, threads > 1 ? calloc((size_t)threads, sizeof *round.block) : NULL};
    FvWorkers *workers = NULL;
    if (!round.block || fv_workers_open(&workers, threads, NULL))
        write(file, session, 0, frames, opaque);
    while (workers && round.first < frames) {
        const int64_t left = (frames - round.first + BLOCK - 1) / BLOCK;
        const int blocks = left < threads ? (int)left : threads;
        fv_workers_run(workers, blocks, format_block, &round);
        write_round(file, &round, blocks);
        round.first += (int64_t)blocks * BLOCK;
    }
    fv_workers_close(&workers);
    free(round.block);
}
