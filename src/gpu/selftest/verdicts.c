#include "gpu/selftest/verdicts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gpu/cache.h"
#include "gpu/launches.h"

/* A line of the file: "fovea-2", the keys of subject and device, the speed in hundredths, and "ok" or the reason. */
#define LINE "fovea-2 "
#define KEYS LINE "%16" SCNx64 " %16" SCNx64 " %9" SCNu32 " %n"

typedef struct Key {
    uint64_t subject, device; /* device 0: any device */
} Key;

FvGpuSubject fv_gpu_subject(const FvFeature *feature)
{
    return (FvGpuSubject){feature->name, feature->gpu->kernels};
}

/* Returns the key: hashes of everything that a verdict depends on. */
static Key key_of(const FvGpu *gpu, FvGpuSubject subject)
{
    const int numerics = fv_numerics_version();
    Key key = {.subject = fv_gpu_hash(FV_GPU_HASH, &numerics, sizeof numerics)};
    key.subject = fv_gpu_hash(key.subject, subject.name, strlen(subject.name) + 1);
    for (const FvKernel *const *kernel = subject.kernels; *kernel; kernel++) {
        key.subject = fv_gpu_hash(key.subject, (*kernel)->spirv, (*kernel)->spirv_bytes);
        key.subject = fv_gpu_hash(key.subject, (*kernel)->cuda, (*kernel)->cuda_bytes);
        key.subject = fv_gpu_hash(key.subject, (*kernel)->hip, (*kernel)->hip_bytes);
    }
    if (!gpu)
        return key;
    key.device = fv_gpu_hash(FV_GPU_HASH, gpu->ops->kind, strlen(gpu->ops->kind) + 1);
    key.device = fv_gpu_hash(key.device, gpu->info.title, strlen(gpu->info.title) + 1);
    key.device = fv_gpu_hash(key.device, gpu->info.driver, strlen(gpu->info.driver) + 1);
    return key;
}

static FILE *open_file(const char *mode)
{
    char path[4096];
    return fv_gpu_cache_path(path, sizeof path, "selftest") ? fopen(path, mode) : NULL;
}

static bool parse_finding(char *line, Key wanted, FvGpuFinding *finding)
{
    Key key;
    uint32_t speed;
    int text = 0;
    line[strcspn(line, "\n")] = '\0';
    if (sscanf(line, KEYS, &key.subject, &key.device, &speed, &text) != 3 || !text || key.subject != wanted.subject ||
        (wanted.device && key.device != wanted.device))
        return false;
    const bool good = !strcmp(line + text, "ok");
    if (!wanted.device && good && !speed) /* a software device, which "auto" never chooses */
        return false;
    finding->good = good;
    finding->speed = speed * 0.01;
    snprintf(finding->why, sizeof finding->why, "%s", good ? "" : line + text);
    return true;
}

bool fv_gpu_find(const FvGpu *gpu, FvGpuSubject subject, FvGpuFinding *finding)
{
    char line[sizeof finding->why + 100];
    const Key wanted = key_of(gpu, subject);
    FILE *file = open_file("r");
    bool found = false;
    while (file && fgets(line, sizeof line, file))
        found |= parse_finding(line, wanted, finding);
    if (file)
        fclose(file);
    return found;
}

void fv_gpu_keep(const FvGpu *gpu, FvGpuSubject subject, const FvGpuFinding *finding)
{
    const Key key = key_of(gpu, subject);
    FILE *file = open_file("a");
    if (!file)
        return;
    fprintf(file, LINE "%016" PRIx64 " %016" PRIx64 " %" PRIu32 " %s\n", key.subject, key.device,
            (uint32_t)(finding->speed < 1e6 ? finding->speed * 100 : 1e8), finding->good ? "ok" : finding->why);
    fclose(file);
}
