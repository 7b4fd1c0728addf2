/*
 * Measures how many ProRes frames per second a GPU decodes into its memory. Packets are in host memory that the
 * device can read. The time includes transfer, parsing of headers and decoding, with several batches in flight.
 *
 *     rate-prores vulkan|cuda CLIP.icpf DEPTH [SECONDS] [FRAMES A BATCH]
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gpu/decode/prores.h"
#include "kernel/prores.h"
#include "os/memory.h"
#include "picture/frame.h"
#include "prores/decode.h"
#include "prores/file.h"

enum { MOST_BATCH = 64, UNDER_WAY = 3, MOST_PACKETS = 64 };

typedef struct Packet {
    size_t offset, size;
} Packet;

typedef struct Rate {
    FvGpu *gpu;
    FvGpuProres *prores;
    FvGpuMemory packets_memory, frames;
    Packet packets[MOST_PACKETS];
    int packet_count, depth, batch;
    size_t frame_bytes;
    FvFormat format;
    int next;
    double parse_seconds;
} Rate;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void check(FvStatus status, const FvError *error)
{
    if (status) {
        fprintf(stderr, "%s\n", error->message);
        exit(1);
    }
}

static void load(Rate *rate, const char *path)
{
    File file;
    FvError error = {0};
    const uint8_t *packet;
    size_t at = 0, size, used = 0;
    if (!file_read(&file, *path == '/' ? "" : ".", path))
        check(FV_ERROR_INPUT, &(FvError){.message = "the clip cannot be read"});
    check(
        rate->gpu->ops->alloc(rate->gpu, &rate->packets_memory, file.size + MOST_PACKETS * 512, FV_GPU_HOST, &error),
        &error);
    memset(rate->packets_memory.host, 0, rate->packets_memory.bytes);
    while (rate->packet_count < MOST_PACKETS && file_packet(&file, &at, &packet, &size)) {
        memcpy(rate->packets_memory.host + used, packet, size);
        rate->packets[rate->packet_count++] = (Packet){used, size};
        used += FV_ROUND_UP(size + FV_PRORES_PADDING, (size_t)256);
    }
    FvProresHeader header;
    check(fv_prores_parse(&header, rate->packets_memory.host, rate->packets[0].size, rate->depth, &error), &error);
    rate->format = header.format;
    rate->frame_bytes = FV_ROUND_UP(fv_format_plane_bytes(&rate->format), (size_t)256);
    file_free(&file);
}

static FvPlanes planes_of(const Rate *rate, int slot)
{
    FvPlanes planes = {0};
    uint64_t address = rate->frames.address + rate->frame_bytes * (size_t)slot;
    for (int plane = 0; plane < 3; plane++) {
        int width, height;
        fv_format_plane_size(&rate->format, plane, &width, &height);
        planes.data[plane] = address;
        planes.stride[plane] = (uint32_t)fv_format_stride(&rate->format, plane);
        address += (uint64_t)planes.stride[plane] * (uint32_t)height;
    }
    return planes;
}

/* Submits and decodes one batch. Returns the ticket to wait for. */
static uint64_t submit(Rate *rate, int turn)
{
    const FvGpuOps *ops = rate->gpu->ops;
    FvError error = {0};
    uint64_t ticket;
    check(ops->begin(rate->gpu, FV_GPU_COPY, &error), &error);
    for (int i = 0; i < rate->batch; i++) {
        const Packet *packet = &rate->packets[rate->next++ % rate->packet_count];
        FvProresHeader header;
        FvPlanes planes = planes_of(rate, turn * rate->batch + i);
        double start = now();
        const uint8_t *bytes = rate->packets_memory.host + packet->offset;
        check(fv_prores_parse(&header, bytes, packet->size, rate->depth, &error), &error);
        check(fv_gpu_prores_send(rate->prores, turn * rate->batch + i, &header, bytes, packet->size,
                                 &rate->packets_memory, packet->offset, &planes, &error),
              &error);
        rate->parse_seconds += now() - start;
    }
    check(ops->submit(rate->gpu, FV_GPU_COPY, &ticket, &error), &error);
    check(ops->begin(rate->gpu, FV_GPU_COMPUTE, &error), &error);
    ops->after(rate->gpu, FV_GPU_COMPUTE, FV_GPU_COPY, ticket);
    fv_gpu_prores_record(rate->prores);
    check(ops->submit(rate->gpu, FV_GPU_COMPUTE, &ticket, &error), &error);
    return ticket;
}

static int64_t run(Rate *rate, double seconds, double *taken)
{
    const FvGpuOps *ops = rate->gpu->ops;
    FvError error = {0};
    uint64_t tickets[UNDER_WAY] = {0};
    int64_t batches = 0;
    double start = now();
    while (now() - start < seconds || batches < UNDER_WAY) {
        int turn = (int)(batches % UNDER_WAY);
        if (batches >= UNDER_WAY)
            check(ops->wait(rate->gpu, FV_GPU_COMPUTE, tickets[turn], &error), &error);
        tickets[turn] = submit(rate, turn);
        batches++;
    }
    for (int i = 0; i < UNDER_WAY; i++)
        check(ops->wait(rate->gpu, FV_GPU_COMPUTE, tickets[i], &error), &error);
    *taken = now() - start;
    return batches * rate->batch;
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    const FvGpuOps *ops = NULL;
#if FV_HAVE_VULKAN
    if (!strcmp(argv[1], "vulkan"))
        ops = &fv_gpu_vulkan;
#endif
#if FV_HAVE_CUDA
    if (!strcmp(argv[1], "cuda"))
        ops = &fv_gpu_cuda;
#endif
    if (!ops)
        return 2;
    Rate rate = {.depth = atoi(argv[3]), .batch = argc > 5 ? atoi(argv[5]) : 16};
    rate.batch = rate.batch < 1 ? 1 : rate.batch > MOST_BATCH ? MOST_BATCH : rate.batch;
    double seconds = argc > 4 ? atof(argv[4]) : 2, taken;
    FvError error = {0};
    check(ops->open(&rate.gpu, 0, &error), &error);
    load(&rate, argv[2]);
    check(ops->alloc(rate.gpu, &rate.frames, rate.frame_bytes * (size_t)rate.batch * UNDER_WAY, FV_GPU_LOCAL, &error),
          &error);
    check(fv_gpu_prores_open(&rate.prores, rate.gpu, rate.batch * UNDER_WAY, &error), &error);
    run(&rate, 0.2, &taken);
    rate.parse_seconds = 0;
    int64_t frames = run(&rate, seconds, &taken);
    double in = 0;
    for (int i = 0; i < rate.packet_count; i++)
        in += (double)rate.packets[i].size / rate.packet_count;
    char text[128];
    printf("%s, %s, batches of %d: %.0f frames/s, %.2f MB in and %.1f MB out a frame, host %.3f ms a frame\n",
           rate.gpu->info.title, fv_format_describe(&rate.format, text, sizeof text), rate.batch,
           (double)frames / taken, in * 1e-6, (double)rate.frame_bytes * 1e-6,
           rate.parse_seconds * 1e3 / (double)frames);
    rate.gpu->profile = true;
    frames = run(&rate, seconds / 4, &taken);
    for (int i = 0; i < rate.gpu->time_count; i++)
        printf("    %s: %.4f ms a frame\n", rate.gpu->times[i].name,
               rate.gpu->times[i].seconds * 1e3 / (double)frames);
    for (int i = 0; i < rate.batch * UNDER_WAY; i++)
        if (fv_gpu_prores_damaged(rate.prores, i, 0) || fv_gpu_prores_damaged(rate.prores, i, 1))
            printf("    damaged slices\n");
    fv_gpu_prores_close(&rate.prores);
    ops->free(rate.gpu, &rate.frames);
    ops->free(rate.gpu, &rate.packets_memory);
    ops->close(&rate.gpu);
    return 0;
}
