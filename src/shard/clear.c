/*
 * Deletes the files that a run of a plan left in a folder, and nothing else: it recognises each file by its content.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "os/content.h"
#include "os/folder.h"
#include "path_names.h"
#include "shard/shard.h"

#define LONGEST 4096

/* Returns whether the path is a regular file. A run makes no links. */
static bool is_file(const char *path)
{
    FvFileFacts facts;
    return !fv_file_is_link(path) && fv_file_facts_of(path, &facts) && facts.kind == FV_FILE_REGULAR;
}

/*
 * A folder that is being cleared. A file that cannot be read for lack of memory is kept, and is not reported as a
 * file of another program.
 */
typedef struct Clearing {
    const FvPlan *plan;
    const char *folder, *text; /* (`folder`) path; (`text`) text of plan.json */
    bool lacks;                /* memory ran out, so a file could not be examined */
} Clearing;

static bool is_good(Clearing *clearing, FvStatus status)
{
    clearing->lacks |= status == FV_ERROR_MEMORY;
    return !status;
}

/* Returns whether the content of a file is a beginning of the first `size` bytes of `text`, or all of them. */
static bool begins(Clearing *clearing, const char *path, const void *text, size_t size)
{
    FvContent content = {.bytes = NULL};
    FvError error;
    const bool same = is_file(path) && is_good(clearing, fv_content_read(&content, path, path, size + 1, &error)) &&
                      content.size <= size && !memcmp(content.bytes, text, content.size);
    free(content.bytes);
    return same;
}

static bool is_shard(Clearing *clearing, const char *path, int number)
{
    FvShard rows;
    FvError error;
    int shard;
    bool foreign;
    if (!is_file(path) ||
        !is_good(clearing, fv_shard_read(clearing->plan, path, -1, &shard, &rows, &foreign, &error)))
        return false;
    fv_shard_free(&rows);
    return shard == number;
}

static bool is_record(Clearing *clearing, const char *path)
{
    FvError error;
    FvRecord record = {.requested = NULL};
    const bool good = is_file(path) && is_good(clearing, fv_record_read(&record, path, &error));
    fv_record_free(&record);
    return good;
}

/* Returns whether a name is "plan.json.<process>.<n>.tmp" for "plan.json", left by a process that was killed. */
static bool is_temporary(const char *name, const char *whole)
{
    const size_t length = strlen(whole);
    int process, number, end = 0;
    return !strncmp(name, whole, length) && sscanf(name + length, ".%9d.%9d.tmp%n", &process, &number, &end) == 2 &&
           end && !name[length + (size_t)end];
}

/*
 * Returns whether a file was left by a killed process. A shard always has the same bytes, so the content of such a
 * file is a beginning of the complete shard.
 */
static bool is_left(Clearing *clearing, const char *path, const char *name)
{
    char whole[LONGEST];
    FvContent content = {.bytes = NULL};
    FvError error;
    if (is_temporary(name, "plan.json"))
        return begins(clearing, path, clearing->text, strlen(clearing->text));
    const long number = strspn(name, "0123456789") >= 6 ? strtol(name, NULL, 10) : -1;
    if (number < 0 || number >= clearing->plan->shards)
        return false;
    fv_shard_path(whole, sizeof whole, clearing->folder, (int)number, "run.json");
    if (is_temporary(name, fv_last_slash(whole) + 1))
        return begins(clearing, path, "", 0) || is_record(clearing, path);
    fv_shard_path(whole, sizeof whole, clearing->folder, (int)number, "shard");
    const bool left = is_temporary(name, fv_last_slash(whole) + 1) && is_shard(clearing, whole, (int)number) &&
                      is_good(clearing, fv_content_read(&content, whole, whole, SIZE_MAX - 1, &error)) &&
                      begins(clearing, path, content.bytes, content.size);
    free(content.bytes);
    return left;
}

static void clear_left(Clearing *clearing)
{
    FvFolder *listing = fv_folder_open(clearing->folder);
    clearing->lacks |= !listing && errno != ENOENT;
    for (const char *name; (name = fv_folder_next(listing));) {
        char path[LONGEST];
        snprintf(path, sizeof path, "%.3000s/%.1000s", clearing->folder, name);
        if (is_left(clearing, path, name))
            fv_file_remove(path);
    }
    fv_folder_close(listing);
}

FvStatus fv_plan_clear(const FvPlan *plan, const char *folder, FvError *error)
{
    FV_FLOAT_MODE;
    char *text, sha256[65], path[LONGEST], record[LONGEST];
    FV_REQUIRE(error, plan);
    FV_REQUIRE(error, folder);
    FvStatus status = fv_plan_print(plan, &text, sha256, error);
    if (status)
        return status;
    Clearing clearing = {.plan = plan, .folder = folder, .text = text};
    clear_left(&clearing);
    for (int i = 0; i < plan->shards; i++) {
        fv_shard_path(path, sizeof path, folder, i, "shard");
        fv_shard_path(record, sizeof record, folder, i, "run.json");
        if (is_shard(&clearing, path, i) && is_file(record)) {
            fv_file_remove(path);
            fv_file_remove(record);
        }
    }
    snprintf(path, sizeof path, "%.3000s/plan.json", folder);
    if (begins(&clearing, path, text, strlen(text)))
        fv_file_remove(path);
    free(text);
    if (fv_folder_remove(folder) || errno == ENOENT)
        return FV_OK;
    if (clearing.lacks)
        return fv_fail(error, FV_ERROR_MEMORY,
                       "%s: the folder is kept: out of memory to look at its files; remove the folder", folder);
    return fv_fail(error, FV_ERROR_OUTPUT, "%s: the folder is kept: %s", folder,
                   errno == ENOTEMPTY || errno == EEXIST ? "it contains other files" : strerror(errno));
}
