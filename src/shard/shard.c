/* Reads and writes shards: rows of terms in one file, and the record of what computed them in another. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/sha256.h"
#include "os/content.h"
#include "os/memory.h"
#include "os/output.h"
#include "path_names.h"
#include "shard/shard.h"

#define SIGNATURE "fovea shard 3\n"
#define MOST_HEAD 256                      /* maximum bytes of the text at the beginning of a shard */
#define TAIL (sizeof "sha256 \n" - 1 + 64) /* bytes of the line with the hash at the end of a shard */

/* ---- In memory ------------------------------------------------------------------------------------------------- */

void fv_shard_free(FvShard *shard)
{
    free(shard->terms);
    free(shard->skipped);
    fv_pair_signatures_free(&shard->pairs);
    fv_looks_free(&shard->looked);
    fv_record_free(&shard->record);
    *shard = (FvShard){.rows = 0};
}

FvStatus fv_shard_make(FvShard *shard, const FvSession *session, int64_t first, int64_t count, FvError *error)
{
    const FvRowTable *rows = &fv_session_scores(session)->rows;
    const size_t bytes = (size_t)count * (size_t)rows->width * sizeof(FvTerm);
    *shard = (FvShard){.rows = count, .terms = malloc(bytes + 1), .skipped = malloc((size_t)count + 1)};
    FvStatus status = shard->terms && shard->skipped ? FV_OK : fv_fail_memory(error, bytes);
    if (!status && count) {
        memcpy(shard->terms, rows->terms + first * rows->width, bytes);
        memcpy(shard->skipped, rows->skipped + first, (size_t)count * sizeof *shard->skipped);
    }
    if (!status)
        status = fv_record_make(&shard->record, session, error);
    if (status)
        fv_shard_free(shard);
    return status;
}

/* ---- Files ----------------------------------------------------------------------------------------------------- */

void fv_shard_path(char *path, size_t size, const char *folder, int shard, const char *ending)
{
    const size_t length = strlen(folder);
    snprintf(path, size, "%s%s%06d.%s", folder, length && fv_is_slash(folder[length - 1]) ? "" : "/", shard, ending);
}

static int print_head(char head[MOST_HEAD], const FvPlan *plan, int shard, int width, const FvShard *rows)
{
    return snprintf(head, MOST_HEAD,
                    SIGNATURE "numerics %d plan %s\nshard %d first %" PRId64 " frames %" PRId64
                              " terms %d signed %" PRId64 " looked %d\n",
                    fv_numerics_version(), plan->sha256, shard, plan->cuts[shard],
                    plan->cuts[shard + 1] - plan->cuts[shard], width, rows->pairs.count, rows->looked.count);
}

static void put_number(uint8_t *to, uint64_t number)
{
    for (int i = 0; i < 8; i++)
        to[i] = (uint8_t)(number >> 8 * i);
}

static uint64_t get_number(const uint8_t *from)
{
    uint64_t number = 0;
    for (int i = 0; i < 8; i++)
        number |= (uint64_t)from[i] << 8 * i;
    return number;
}

/* Returns the bits of a term of any type. */
static uint64_t term_bits(const FvTerm *term)
{
    uint64_t bits;
    memcpy(&bits, term, sizeof bits);
    return bits;
}

static size_t row_bytes(int width)
{
    return 1 + 8 * (size_t)width;
}

static size_t signed_bytes(int64_t pairs)
{
    return (size_t)pairs * FV_PAIR_SIGNATURE * sizeof(uint16_t);
}

static size_t look_bytes(int64_t looks)
{
    return (size_t)looks * sizeof(FvLook);
}

static uint8_t *print_shard(const FvPlan *plan, int shard, const FvShard *rows, int width, size_t *size)
{
    const int64_t pairs = rows->pairs.count;
    char head[MOST_HEAD], sha256[65];
    const size_t length = (size_t)print_head(head, plan, shard, width, rows);
    uint8_t *bytes = malloc(length + (size_t)rows->rows * row_bytes(width) + signed_bytes(pairs) +
                            look_bytes(rows->looked.count) + TAIL + 1);
    uint8_t *at = bytes;
    if (!bytes)
        return NULL;
    memcpy(at, head, length);
    at += length;
    for (int64_t i = 0; i < rows->rows; i++) {
        *at++ = rows->skipped[i];
        for (int t = 0; t < width; t++, at += 8)
            put_number(at, term_bits(&rows->terms[i * width + t]));
    }
    for (int64_t i = 0; i < pairs * FV_PAIR_SIGNATURE; i++) {
        *at++ = (uint8_t)rows->pairs.numbers[i];
        *at++ = (uint8_t)(rows->pairs.numbers[i] >> 8);
    }
    for (int i = 0; i < rows->looked.count; i++)
        for (size_t k = 0; k < FV_LOOK_NUMBERS; k++, at += 8)
            put_number(at, (uint64_t)((const int64_t *)&rows->looked.look[i])[k]);
    fv_sha256(bytes, (size_t)(at - bytes), sha256);
    at += snprintf((char *)at, TAIL + 1, "sha256 %s\n", sha256);
    *size = (size_t)(at - bytes);
    return bytes;
}

FvStatus fv_shard_check_output(const FvGuard *read, int shard, const char *folder, FvError *error)
{
    static const char *const endings[] = {"run.json", "shard"};
    FvStatus status = FV_OK;
    for (int i = 0; i < 2 && !status; i++) {
        char path[4096];
        fv_shard_path(path, sizeof path, folder, shard, endings[i]);
        status = fv_output_check_guarded(path, read, error);
    }
    return status;
}

FvStatus fv_shard_write(const FvPlan *plan, int shard, const FvShard *rows, const FvSession *session,
                        const char *folder, FvError *error)
{
    const FvGuard *guard = &fv_session_facts(session)->read;
    const FvCancel *cancel = fv_session_params(session)->cancel;
    const int width = fv_session_terms(session);
    char path[4096];
    FvOutput *output;
    char *record, sha256[65];
    size_t size = 0;
    uint8_t *bytes = print_shard(plan, shard, rows, width, &size);
    if (!bytes)
        return fv_fail_memory(error, (size_t)rows->rows * row_bytes(width));
    fv_shard_path(path, sizeof path, folder, shard, "run.json");
    FvStatus status = fv_record_print(&rows->record, (double)time(NULL), &record, sha256, error);
    if (!status)
        status = fv_output_open_guarded(&output, path, guard, cancel, error);
    if (!status) {
        fputs(record, fv_output_file(output));
        status = fv_output_close(&output, error);
    }
    free(record);
    fv_shard_path(path, sizeof path, folder, shard, "shard");
    if (!status)
        status = fv_output_open_guarded(&output, path, guard, cancel, error);
    if (!status) {
        fwrite(bytes, 1, size, fv_output_file(output));
        status = fv_output_close(&output, error);
    }
    free(bytes);
    return status;
}

/* ---- Reading --------------------------------------------------------------------------------------------------- */

typedef struct Head {
    int numerics, shard, width, looks, length;
    char plan[65];
    int64_t first, frames, pairs;
} Head;

static bool parse_head(Head *head, const uint8_t *bytes)
{
    return sscanf((const char *)bytes,
                  SIGNATURE "numerics %9d plan %64[0-9a-f]\nshard %9d first %18" SCNd64 " frames %18" SCNd64
                            " terms %9d signed %18" SCNd64 " looked %9d%n",
                  &head->numerics, head->plan, &head->shard, &head->first, &head->frames, &head->width, &head->pairs,
                  &head->looks, &head->length) == 8 &&
           bytes[head->length++] == '\n';
}

static FvStatus check_head(const Head *head, const FvPlan *plan, const char *path, int width, FvError *error)
{
    if (head->numerics != fv_numerics_version())
        return fv_fail(
            error, FV_ERROR_INPUT,
            "%s was computed with numerics version %d, and this fovea has version %d: compute it again with "
            "this one, or merge with that one",
            path, head->numerics, fv_numerics_version());
    if (strcmp(head->plan, plan->sha256))
        return fv_fail(
            error, FV_ERROR_INPUT,
            "%s belongs to another plan (%.12s..., this one is %.12s...); remove it from the folder, or merge it "
            "with its own plan",
            path, head->plan, plan->sha256);
    FvStatus status = fv_plan_check_shard(plan, head->shard, error);
    if (status)
        return fv_fail(error, FV_ERROR_INPUT,
                       "%s is shard %d, but the plan has only %d; remove the file from the folder", path, head->shard,
                       plan->shards);
    if (head->first != plan->cuts[head->shard] || head->frames != plan->cuts[head->shard + 1] - head->first ||
        (width >= 0 && head->width != width) || head->width < 0 || head->width > FV_SHARD_MOST_TERMS ||
        (head->pairs && head->pairs != head->frames) || head->looks < 0 || head->looks > fv_looks_most(head->frames))
        return fv_fail(error, FV_ERROR_INPUT, "%s: shard %d does not have the frames and terms that the plan says",
                       path, head->shard);
    return FV_OK;
}

static FvStatus fail_damaged(const char *path, FvError *error)
{
    return fv_fail(error, FV_FAIL_CUT_SHORT,
                   "%s is damaged or cut off: copy it again, or compute the shard again with 'fovea run'", path);
}

static FvStatus take_signatures(FvPairSignatures *pairs, const Head *head, const uint8_t *from, FvError *error)
{
    const size_t bytes = signed_bytes(head->pairs);
    pairs->numbers = malloc(bytes + 1);
    if (!pairs->numbers)
        return fv_fail_memory(error, bytes);
    pairs->first = head->first;
    pairs->count = pairs->room = head->pairs;
    for (int64_t i = 0; i < head->pairs * FV_PAIR_SIGNATURE; i++, from += 2)
        pairs->numbers[i] = (uint16_t)(from[0] | from[1] << 8);
    return FV_OK;
}

/* Reads looks at pairs, and refuses as damaged any value that no look at a pair of these frames can have. */
static FvStatus take_looks(FvLooks *looked, const Head *head, const uint8_t *from, const char *path, FvError *error)
{
    for (int i = 0; i < head->looks; i++) {
        FvLook *look = fv_looks_next(looked, error);
        if (!look)
            return FV_ERROR_MEMORY;
        for (size_t k = 0; k < FV_LOOK_NUMBERS; k++, from += 8)
            ((int64_t *)look)[k] = (int64_t)get_number(from);
        if (!fv_look_is_whole(look) || look->number < head->first || look->number >= head->first + head->frames ||
            (i && look->number <= look[-1].number))
            return fail_damaged(path, error);
        looked->count++;
    }
    return FV_OK;
}

static FvStatus take_rows(FvShard *rows, const Head *head, const uint8_t *from, const char *path, FvError *error)
{
    const size_t count = (size_t)head->frames * (size_t)head->width;
    rows->rows = head->frames;
    rows->terms = malloc(count * sizeof *rows->terms + 1);
    rows->skipped = malloc((size_t)head->frames + 1);
    if (!rows->terms || !rows->skipped)
        return fv_fail_memory(error, count * sizeof *rows->terms);
    for (int64_t i = 0; i < head->frames; i++) {
        if (*from > 1)
            return fail_damaged(path, error);
        rows->skipped[i] = *from++;
        for (int t = 0; t < head->width; t++, from += 8) {
            const uint64_t bits = get_number(from);
            memcpy(&rows->terms[i * head->width + t], &bits, sizeof bits);
        }
    }
    FvStatus status = take_signatures(&rows->pairs, head, from, error);
    return status ? status : take_looks(&rows->looked, head, from + signed_bytes(head->pairs), path, error);
}

static FvStatus parse_shard(const FvPlan *plan, const char *path, int width, const uint8_t *bytes, size_t size,
                            int *shard, FvShard *rows, bool *foreign, FvError *error)
{
    Head head;
    const size_t begins = size < sizeof SIGNATURE - 1 ? size : sizeof SIGNATURE - 1;
    *foreign = memcmp(bytes, SIGNATURE, begins) != 0;
    if (*foreign)
        return fv_fail(error, FV_ERROR_INPUT, "%s is not a shard of fovea", path);
    if (!parse_head(&head, bytes))
        return fail_damaged(path, error);
    FvStatus status = check_head(&head, plan, path, width, error);
    *foreign = status != FV_OK;
    if (status)
        return status;
    width = head.width;
    char sha256[65], tail[TAIL + 1];
    const size_t body = (size_t)head.length + (size_t)head.frames * row_bytes(width) + signed_bytes(head.pairs) +
                        look_bytes(head.looks);
    if (size != body + TAIL)
        return fail_damaged(path, error);
    fv_sha256(bytes, body, sha256);
    snprintf(tail, sizeof tail, "sha256 %s\n", sha256);
    if (memcmp(bytes + body, tail, TAIL))
        return fail_damaged(path, error);
    *shard = head.shard;
    return take_rows(rows, &head, bytes + head.length, path, error);
}

void fv_shard_record_path(char *record, size_t size, const char *path)
{
    const size_t length = strlen(path), ending = strlen(".shard");
    const bool ends = length > ending && !strcmp(path + length - ending, ".shard");
    snprintf(record, size, "%.*s.run.json", (int)(ends ? length - ending : length), path);
}

FvStatus fv_shard_read(const FvPlan *plan, const char *path, int width, int *shard, FvShard *rows, bool *foreign,
                       FvError *error)
{
    char record[4096];
    FvContent content;
    size_t most = 0;
    *rows = (FvShard){.rows = 0};
    *foreign = false;
    for (int i = 0; i < plan->shards; i++) {
        const size_t frames = (size_t)(plan->cuts[i + 1] - plan->cuts[i]);
        most = frames > most ? frames : most;
    }
    const int widest = width < 0 ? FV_SHARD_MOST_TERMS : width;
    FvStatus status = fv_content_read(&content, path, path,
                                      most * (row_bytes(widest) + signed_bytes(1)) +
                                          look_bytes(fv_looks_most((int64_t)most)) + MOST_HEAD + TAIL,
                                      error);
    if (!status)
        status = parse_shard(plan, path, width, content.bytes, content.size, shard, rows, foreign, error);
    free(content.bytes);
    fv_shard_record_path(record, sizeof record, path);
    if (!status)
        status = fv_record_read(&rows->record, record, error);
    if (status)
        fv_shard_free(rows);
    return status;
}
