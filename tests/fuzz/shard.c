/*
 * Reads any bytes as the files of a shard. The result must be a refusal whose message names the file, or a merged
 * report. Bits of the first byte choose what the target corrects first: 1, the lines that name the plan; 2, the hash
 * at the end; 4, the record's hash. The next two bytes are the length of the record, which follows; the rest is the
 * shard.
 */
#include "fuzz.h"
#include "taken.h"

#include <unistd.h>

#include "base/sha256.h"
#include "shard/shard.h"

#define FRAMES 4
#define MOST_HEAD 256

static char folder[] = "/tmp/fovea-fuzz-shard-XXXXXX", video[64], shard_path[64], record_path[64];
static FvPlan *plan;

static void close_plan(void)
{
    fv_plan_close(&plan);
    unlink(video);
    unlink(shard_path);
    unlink(record_path);
    rmdir(folder);
}

static FILE *create(const char *path)
{
    FILE *file = fopen(path, "wb");
    require(file != NULL, "a file cannot be made");
    return file;
}

/* Makes the plan of two shards of a clip, which all inputs share. */
static void open_plan(void)
{
    FvError error = {0};
    FvSession *session = NULL;
    FvSource *source[2] = {NULL, NULL};
    require(mkdtemp(folder) != NULL, "no folder");
    snprintf(video, sizeof video, "%s/clip.y4m", folder);
    snprintf(shard_path, sizeof shard_path, "%s/000000.shard", folder);
    snprintf(record_path, sizeof record_path, "%s/000000.run.json", folder);
    FILE *file = create(video);
    fputs("YUV4MPEG2 W8 H8 F25:1 Cmono\n", file);
    for (int frame = 0; frame < FRAMES; frame++)
        fprintf(file, "FRAME\n%064d", frame);
    require(!fclose(file), "the clip cannot be written");
    const FvSourceParams params = {.path = video, .reader = "y4m"};
    const FvScoreParams score = {0};
    for (int side = 0; side < 2; side++)
        require(!fv_source_open(&source[side], &params, &error), error.message);
    require(!fv_session_open(&session, &(FvSessionParams){.device = "cpu", .isa = "scalar", .threads = 1}, &error) &&
                !fv_session_add(session, "psnr", &error) &&
                !fv_plan_make(&plan,
                              &(FvPlanParams){.session = session,
                                              .reference = source[0],
                                              .distorted = source[1],
                                              .reference_params = &params,
                                              .distorted_params = &params,
                                              .score = &score,
                                              .shards = 2},
                              &error),
            error.message);
    for (int side = 0; side < 2; side++)
        fv_source_close(&source[side]);
    fv_session_close(&session);
    atexit(close_plan);
}

static void write_record(unsigned right, const uint8_t *bytes, size_t size)
{
    FvError error = {0};
    FvRecord record;
    char *text = NULL, sha256[65];
    if (right & 4 && !fv_record_parse(&record, "record", (const char *)bytes, size, true, &error)) {
        require(!fv_record_print(&record, 1, &text, sha256, &error), "a record cannot be printed");
        fv_record_free(&record);
    }
    FILE *file = create(record_path);
    fwrite(text ? (const void *)text : bytes, 1, text ? strlen(text) : size, file);
    free(text);
    require(!fclose(file), "the record cannot be written");
}

static void write_shard(unsigned right, const uint8_t *bytes, size_t size)
{
    char head[MOST_HEAD] = "", sha256[65];
    if (right & 1)
        snprintf(head, sizeof head, "fovea shard 3\nnumerics %d plan %s\n", fv_numerics_version(), plan->sha256);
    const size_t length = strlen(head);
    uint8_t *whole = malloc(length + size + 1);
    require(whole != NULL, "no memory");
    memcpy(whole, head, length);
    memcpy(whole + length, bytes, size);
    FILE *file = create(shard_path);
    fwrite(whole, 1, length + size, file);
    if (right & 2) {
        fv_sha256(whole, length + size, sha256);
        fprintf(file, "sha256 %s\n", sha256);
    }
    require(!fclose(file), "the shard cannot be written");
    free(whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    FvError error = {0};
    FvSession *session;
    if (!plan)
        open_plan();
    const unsigned right = size ? bytes[0] : 0;
    size_t record = size > 2 ? (size_t)bytes[1] << 8 | bytes[2] : 0;
    const size_t left = size > 3 ? size - 3 : 0;
    record = record < left ? record : left;
    write_record(right, bytes + size - left, record);
    write_shard(right, bytes + size - left + record, left - record);
    FvStatus status = fv_plan_merge(
        &session, plan,
        &(FvMergeParams){.paths = (const char *const[]){shard_path}, .count = 1, .allow_missing = true}, &error);
    require(status != FV_OK, "half of the shards is a whole report");
    require(error.status == status && *error.message, "an error without a message");
    if (status == FV_ERROR_PARTIAL)
        require(session && !fv_report_write(session, "/dev/null", FV_REPORT_JSON, &error), "there is no report");
    else
        require(!session && (status == FV_ERROR_MEMORY || strstr(error.message, folder)), "refused without a name");
    fv_session_close(&session);
    return 0;
}
