/*
 * Decodes any bytes as ProRes frames without a container, on software Vulkan and on the CPU: once to host frames, and
 * once as packets that the device decodes and scores against the same frames in rotated order, with the first one
 * last. Both devices must give the same samples, damage, scores, statuses and messages.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/bytes.h"
#include "fuzz.h"

#define MOST_FRAMES 16
#define MOST_SAMPLES (1 << 13) /* luma samples per picture, enough for several slices of every size */
#define VALUES 3

typedef struct Outcome {
    FvStatus status;
    char message[1024];
    int64_t frames;
    uint64_t value[MOST_FRAMES][VALUES];
} Outcome;

/* Returns whether the first Vulkan device runs the kernels. */
static bool has_device(void)
{
    static int found = -1;
    FvDeviceList *list = NULL;
    if (found >= 0)
        return found;
    found = 0;
    for (int i = 0; !fv_devices_list(&list, NULL) && i < fv_devices_count(list); i++, fv_devices_close(&list)) {
        const FvDeviceInfo *info = fv_devices_info(list, i);
        found |= info->usable && !strcmp(info->name, "vulkan:0");
    }
    fv_devices_close(&list);
    return found;
}

/* Writes one of two files in memory, which all inputs share, and returns its path. */
static const char *write_file(int which, const uint8_t *first, size_t first_size, const uint8_t *second,
                              size_t second_size)
{
    static int files[2] = {-1, -1};
    static char paths[2][64];
    if (files[which] < 0) {
        files[which] = memfd_create("fuzz", 0);
        snprintf(paths[which], sizeof paths[which], "/proc/self/fd/%d", files[which]);
    }
    if (pwrite(files[which], first, first_size, 0) != (ssize_t)first_size ||
        pwrite(files[which], second, second_size, (off_t)first_size) != (ssize_t)second_size ||
        ftruncate(files[which], (off_t)(first_size + second_size)))
        abort();
    return paths[which];
}

static void take_error(Outcome *outcome, FvStatus status, const FvError *error)
{
    outcome->status = status;
    snprintf(outcome->message, sizeof outcome->message, "%s", status > FV_END ? error->message : "");
}

static uint64_t hash_frame(const FvFrame *frame)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (int plane = 0; plane < fv_format_planes(&frame->format); plane++) {
        int width, height;
        fv_format_plane_size(&frame->format, plane, &width, &height);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                hash =
                    (hash ^ ((const uint16_t *)(frame->data[plane] + y * frame->stride[plane]))[x]) * 0x100000001b3u;
    }
    return hash;
}

/* Decodes a file. Returns a hash of each frame together with the damage that was concealed in it. */
static Outcome decode(const char *device, const char *path)
{
    Outcome outcome = {0};
    FvError error = {0};
    FvSource *source = NULL;
    FvFrame *frame = NULL;
    FvSourceParams params = {.path = path, .reader = "icpf", .threads = 1, .conceal = true, .device = device};
    FvStatus status = fv_source_open(&source, &params, &error);
    for (; !status && !(status = fv_source_read(source, &frame, &error)); outcome.frames++) {
        if (outcome.frames < MOST_FRAMES) {
            int parts = 0;
            outcome.value[outcome.frames][0] = hash_frame(frame);
            outcome.value[outcome.frames][1] = (uint64_t)fv_source_damaged(source, &parts);
            outcome.value[outcome.frames][2] = (uint64_t)parts;
        }
        fv_frame_unref(&frame);
    }
    take_error(&outcome, status, &error);
    fv_source_close(&source);
    return outcome;
}

static Outcome score(const char *device, const char *const paths[2])
{
    Outcome outcome = {0};
    FvError error = {0};
    FvSource *source[2] = {NULL, NULL};
    FvSession *session = NULL;
    FvStatus status = fv_session_open(&session, &(FvSessionParams){.device = device, .threads = 1}, &error);
    if (!status)
        status = fv_session_add(session, "psnr", &error);
    for (int i = 0; i < 2 && !status; i++)
        status =
            fv_source_open(&source[i], &(FvSourceParams){.path = paths[i], .reader = "icpf", .threads = 1}, &error);
    if (!status)
        status = fv_score(session, source[0], source[1], &(FvScoreParams){0}, &error);
    take_error(&outcome, status, &error);
    outcome.frames = session ? fv_session_frames(session) : 0;
    for (int64_t i = 0; i < outcome.frames && i < MOST_FRAMES; i++)
        for (int k = 0; k < VALUES && k < fv_session_outputs(session); k++) {
            double value = fv_session_value(session, i, k);
            memcpy(&outcome.value[i][k], &value, sizeof value);
        }
    fv_session_close(&session);
    fv_source_close(&source[0]);
    fv_source_close(&source[1]);
    return outcome;
}

static void compare(const Outcome *cpu, const Outcome *gpu, const char *what)
{
    const bool same = cpu->status == gpu->status && !strcmp(cpu->message, gpu->message) &&
                      cpu->frames == gpu->frames && !memcmp(cpu->value, gpu->value, sizeof cpu->value);
    if (same)
        return;
    fprintf(stderr, "%s: status %d and %d, %d and %d frames: %s | %s\n", what, cpu->status, gpu->status,
            (int)cpu->frames, (int)gpu->frames, cpu->message, gpu->message);
    abort();
}

static bool is_small(const uint8_t *bytes, size_t size)
{
    for (size_t at = 0, step; size - at >= 8; at += step) {
        step = fv_be32(bytes + at);
        if (step < 8 || step > size - at)
            step = size - at;
        if (step >= 20 && (int64_t)fv_be16(bytes + at + 16) * fv_be16(bytes + at + 18) > MOST_SAMPLES)
            return false;
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (!has_device() || !is_small(bytes, size))
        return 0;
    size_t first = size < 8 ? 0 : fv_be32(bytes);
    if (first > size)
        first = 0;
    const char *paths[2] = {write_file(0, bytes, size, NULL, 0),
                            write_file(1, bytes + first, size - first, bytes, first)};
    Outcome cpu = decode("cpu", paths[0]), gpu = decode("vulkan:0", paths[0]);
    compare(&cpu, &gpu, "decoding");
    cpu = score("cpu", paths);
    gpu = score("vulkan:0", paths);
    compare(&cpu, &gpu, "scoring");
    return 0;
}
