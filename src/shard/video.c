/* Fills the videos of a plan: identifies their files, and copies their descriptions. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/sha256.h"
#include "input/source.h"
#include "json.h"
#include "os/file.h"
#include "os/memory.h"
#include "shard/plan.h"

#define PIECES 16        /* number of pieces that are hashed */
#define PIECE_BYTES 4096 /* bytes of a piece */

/* Hashes evenly spread pieces, including the first and the last bytes. */
static FvStatus hash_pieces(int fd, const char *path, int64_t bytes, char sha256[65], FvError *error)
{
    uint8_t *pieces = fv_alloc(PIECES * PIECE_BYTES);
    size_t filled = 0;
    FvStatus status = pieces ? FV_OK : fv_fail_memory(error, PIECES * PIECE_BYTES);
    const int64_t span = bytes > PIECE_BYTES ? bytes - PIECE_BYTES : 0;
    for (int i = 0; i < PIECES && !status; i++) {
        const int64_t place = span / (PIECES - 1) * i + span % (PIECES - 1) * i / (PIECES - 1);
        const ptrdiff_t got = fv_file_read_at(fd, pieces + filled, PIECE_BYTES, place);
        if (got < 0)
            status = fv_file_fail(error, FV_ERROR_INPUT, path, "read", errno);
        else
            filled += (size_t)got;
    }
    if (!status)
        fv_sha256(pieces, filled, sha256);
    fv_free(pieces);
    return status;
}

FvStatus fv_plan_identify(const char *path, int64_t *bytes, int64_t *modified, char sha256[65], FvError *error)
{
    FvFileFacts facts;
    const int fd = fv_file_open(path);
    if (fd < 0)
        return fv_file_fail(error, FV_ERROR_INPUT, path, "read", errno);
    FvStatus status = fv_file_facts(fd, &facts) ? FV_OK : fv_file_fail(error, FV_ERROR_INPUT, path, "read", errno);
    if (!status && facts.kind != FV_FILE_REGULAR)
        status = fv_fail(error, FV_ERROR_USAGE, "%s is not a regular file; shards must be able to seek", path);
    if (!status) {
        *bytes = facts.size;
        *modified = facts.modified;
        status = hash_pieces(fd, path, *bytes, sha256, error);
    }
    fv_file_close(fd);
    return status;
}

bool fv_plan_copy_text(char **to, const char *from)
{
    *to = from ? strdup(from) : NULL;
    return *to || !from;
}

bool fv_plan_own_rows(FvPlanVideo *video)
{
    bool good = true;
    for (int i = 0; i < FV_PARAM_COUNT; i++) {
        const FvParamRow *row = &fv_param_rows[i];
        if (row->kind != FV_VALUE_WORD || row->offset >= sizeof(FvSourceParams))
            continue;
        const char **text = (const char **)((char *)&video->given + row->offset);
        good &= fv_plan_copy_text(&video->words[i], *text);
        *text = video->words[i];
    }
    return good;
}

void fv_plan_own_texts(FvPlanVideo *video)
{
    video->info.path = video->name;
    video->info.reader = video->opened_by;
    video->info.container = video->container;
    video->info.codec = video->codec;
    video->info.mastering = video->mastering;
}

/* Copies a source's description into a video of a plan. */
static FvStatus set_info(FvPlanVideo *video, const FvSourceInfo *info, FvError *error)
{
    video->info = *info;
    if (!fv_plan_copy_text(&video->name, info->path) || !fv_plan_copy_text(&video->opened_by, info->reader) ||
        !fv_plan_copy_text(&video->container, info->container) || !fv_plan_copy_text(&video->codec, info->codec) ||
        !fv_plan_copy_text(&video->mastering, info->mastering))
        return fv_fail_memory(error, 256);
    fv_plan_own_texts(video);
    return FV_OK;
}

FvStatus fv_plan_set_video(FvPlanVideo *video, const FvSourceParams *params, const FvSource *source, FvError *error)
{
    char sha256[65];
    if (source->stream.waits || !strcmp(params->path, "-"))
        return fv_fail(error, FV_ERROR_USAGE, "%s is not a file with a name; shards must be able to open it and seek",
                       source->info.path);
    *video =
        (FvPlanVideo){.present = true, .given = *params, .tick_num = source->tick_num, .tick_den = source->tick_den};
    video->given.cancel = NULL;
    video->given.device = video->given.scored_on = NULL;
    FvStatus status = fv_plan_identify(params->path, &video->bytes, &video->modified, sha256, error);
    if (status)
        return status;
    if (!fv_plan_own_rows(video) || !fv_plan_copy_text(&video->path, params->path) ||
        !fv_plan_copy_text(&video->layout, params->raw_layout) || !fv_plan_copy_text(&video->sha256, sha256))
        return fv_fail_memory(error, strlen(params->path));
    if (!fv_json_is_text(params->path))
        return fv_fail(error, FV_ERROR_USAGE,
                       "%s: the name is not UTF-8, as plans are: rename the file, or link to it", params->path);
    return set_info(video, fv_source_info(source), error);
}

void fv_plan_free_video(FvPlanVideo *video)
{
    char *texts[] = {video->layout,    video->path,      video->sha256, video->name,
                     video->opened_by, video->container, video->codec,  video->mastering};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    for (int i = 0; i < FV_PARAM_COUNT; i++)
        free(video->words[i]);
    fv_index_free(&video->index);
}
