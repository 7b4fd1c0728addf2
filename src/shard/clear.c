/* Deletes the files that a run of a plan left in a folder, and nothing else: each is known by its content. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "shard/shard.h"

#define LONGEST 4096

/* A link is not a file that a run made. */
static bool is_file(const char *path)
{
    struct stat info;
    return !lstat(path, &info) && S_ISREG(info.st_mode);
}

/* Whether a file has the first `size` bytes of `text`, or fewer of them. */
static bool begins(const char *path, const void *text, size_t size)
{
    uint8_t *bytes = NULL;
    size_t length = 0;
    FvError ignored;
    const bool same = is_file(path) && !fv_shard_bytes(path, size + 1, &bytes, &length, &ignored) && length <= size &&
                      !memcmp(bytes, text, length);
    free(bytes);
    return same;
}

static bool is_shard(const FvPlan *plan, const char *path, int number)
{
    FvShard rows;
    FvError ignored;
    int shard;
    bool foreign;
    if (!is_file(path) || fv_shard_read(plan, path, -1, &shard, &rows, &foreign, &ignored))
        return false;
    fv_shard_free(&rows);
    return shard == number;
}

static bool is_record(const char *path)
{
    FvError ignored;
    FvRecord record = {.requested = NULL};
    const bool good = is_file(path) && !fv_record_read(&record, path, &ignored);
    fv_record_free(&record);
    return good;
}

/* "plan.json.<process>.<n>.tmp" of "plan.json", from a process that was killed. */
static bool is_temporary(const char *name, const char *whole)
{
    const size_t length = strlen(whole);
    int process, number, end = 0;
    return !strncmp(name, whole, length) && sscanf(name + length, ".%9d.%9d.tmp%n", &process, &number, &end) == 2 &&
           end && !name[length + (size_t)end];
}

/* A shard is written alike each time, so that what was killed left the beginning of the whole one. */
static bool is_left(const FvPlan *plan, const char *text, const char *folder, const char *name)
{
    char path[LONGEST], whole[LONGEST];
    uint8_t *bytes = NULL;
    size_t size;
    FvError ignored;
    snprintf(path, sizeof path, "%.3000s/%.1000s", folder, name);
    if (is_temporary(name, "plan.json"))
        return begins(path, text, strlen(text));
    const long number = strspn(name, "0123456789") >= 6 ? strtol(name, NULL, 10) : -1;
    if (number < 0 || number >= plan->shards)
        return false;
    fv_shard_path(whole, sizeof whole, folder, (int)number, "run.json");
    if (is_temporary(name, strrchr(whole, '/') + 1))
        return begins(path, "", 0) || is_record(path);
    fv_shard_path(whole, sizeof whole, folder, (int)number, "shard");
    const bool left = is_temporary(name, strrchr(whole, '/') + 1) && is_shard(plan, whole, (int)number) &&
                      !fv_shard_bytes(whole, SIZE_MAX, &bytes, &size, &ignored) && begins(path, bytes, size);
    free(bytes);
    return left;
}

static void clear_left(const FvPlan *plan, const char *text, const char *folder)
{
    DIR *open = opendir(folder);
    for (const struct dirent *entry; open && (entry = readdir(open));)
        if (is_left(plan, text, folder, entry->d_name))
            unlinkat(dirfd(open), entry->d_name, 0);
    if (open)
        closedir(open);
}

FvStatus fv_plan_clear(const FvPlan *plan, const char *folder, FvError *error)
{
    char *text, sha256[65], path[LONGEST], record[LONGEST];
    FV_REQUIRE(error, plan);
    FV_REQUIRE(error, folder);
    FvStatus status = fv_plan_print(plan, &text, sha256, error);
    if (status)
        return status;
    clear_left(plan, text, folder);
    for (int i = 0; i < plan->shards; i++) {
        fv_shard_path(path, sizeof path, folder, i, "shard");
        fv_shard_path(record, sizeof record, folder, i, "run.json");
        if (is_shard(plan, path, i) && is_file(record)) {
            unlink(path);
            unlink(record);
        }
    }
    snprintf(path, sizeof path, "%.3000s/plan.json", folder);
    if (begins(path, text, strlen(text)))
        unlink(path);
    free(text);
    if (!rmdir(folder) || errno == ENOENT)
        return FV_OK;
    return fv_fail(error, FV_ERROR_OUTPUT, "%s: the folder is kept: %s", folder,
                   errno == ENOTEMPTY || errno == EEXIST ? "it contains other files" : strerror(errno));
}
