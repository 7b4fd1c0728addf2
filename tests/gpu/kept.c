/*
 * Tests the files of compiled kernels: whatever happens to such a file, its kernel is available, and the file is
 * restored.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu/cache.h"
#include "gpu/gpu.h"
#include "tap/tap.h"

extern const FvKernel fv_kernel_primitives, fv_kernel_copy, fv_kernel_rows;

static char folder[] = "/tmp/fovea-kept-XXXXXX", path[600];

static bool load(int index)
{
    FvGpu *gpu = NULL;
    FvError error = {0};
    if (fv_gpu_vulkan.open(&gpu, index, &error))
        return false;
    const FvKernel *kernel = &fv_kernel_primitives;
    const bool good = !gpu->ops->load(gpu, &kernel, 1, 1, &error);
    gpu->ops->close(&gpu);
    return good;
}

/* Loads four kernels at once, of which one is requested twice. */
static bool load_together(int index)
{
    const FvKernel *const kernels[] = {&fv_kernel_copy, &fv_kernel_primitives, &fv_kernel_copy, &fv_kernel_rows};
    FvGpu *gpu = NULL;
    FvError error = {0};
    if (fv_gpu_vulkan.open(&gpu, index, &error))
        return false;
    const bool good = !gpu->ops->load(gpu, kernels, 4, 3, &error) && !gpu->ops->load(gpu, kernels, 4, 3, &error);
    gpu->ops->close(&gpu);
    return good;
}

/* Returns the number of files, and stores the path of the last one in `path`. */
static int count_files(void)
{
    char inner[64];
    int count = 0;
    snprintf(inner, sizeof inner, "%s/fovea", folder);
    DIR *dir = opendir(inner);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (*entry->d_name != '.') {
            snprintf(path, sizeof path, "%s/%s", inner, entry->d_name);
            count++;
        }
    if (dir)
        closedir(dir);
    return count;
}

static bool is_whole(void)
{
    static uint8_t bytes[1 << 20];
    uint64_t length = 0, hash = 0;
    FILE *file = fopen(path, "rb");
    const size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file)
        fclose(file);
    if (size < 24)
        return false;
    memcpy(&length, bytes + 8, sizeof length);
    memcpy(&hash, bytes + 16, sizeof hash);
    return length == size - 24 && fv_gpu_hash(FV_GPU_HASH, bytes + 24, length) == hash;
}

static bool flip(long at)
{
    FILE *file = fopen(path, "r+b");
    bool good = file && !fseek(file, at, SEEK_SET);
    const int byte = good ? fgetc(file) : EOF;
    good = byte != EOF && !fseek(file, at, SEEK_SET) && fputc(byte ^ 0x40, file) != EOF;
    return file && !fclose(file) && good;
}

static void damage(Tap *tap, int index)
{
    char name[80];
    for (int at = -4; at < 56; at += 4) {
        const bool damaged = at < 0 ? !truncate(path, (at + 4) * 8 + 12 * -at) : flip(at);
        const bool loaded = load(index);
        snprintf(name, sizeof name, at < 0 ? "vulkan:%d: a file that is cut" : "vulkan:%d: byte %d is another", index,
                 at);
        tap_case(tap, damaged && loaded && count_files() == 1 && is_whole(), name, "no kernel, or no whole file");
    }
}

int main(void)
{
    Tap tap = {0};
    FvGpuInfo info;
    char absent[256], command[64];
    for (int i = 0; fv_gpu_vulkan.describe(i, &info, absent, sizeof absent); i++) {
        if (*info.lacks)
            continue;
        if (!tap.count && !mkdtemp(folder))
            return 1;
        setenv("XDG_CACHE_HOME", folder, 1);
        tap_case(&tap, load(i) && count_files() == 1 && is_whole(), "a kernel is kept",
                 "no kernel, or no whole file");
        damage(&tap, i);
        tap_case(&tap, load_together(i) && count_files() == 3, "three kernels are made by three threads, each once",
                 "no kernel, or not three files");
        setenv("XDG_CACHE_HOME", "/dev/null/none", 1);
        tap_case(&tap, load(i), "where nothing can be kept, the kernel is there all the same", NULL);
        snprintf(command, sizeof command, "rm -r %s/fovea", folder);
        if (system(command))
            return 1;
    }
    if (tap.count) { /* drivers store files in this folder, too */
        snprintf(command, sizeof command, "rm -r %s", folder);
        if (system(command))
            return 1;
    }
    if (!tap.count)
        tap_skip(&tap, "no Vulkan here", "nothing to keep");
    return tap_done(&tap);
}
