/*
 * Measures how many pairs of pictures per second a client of libvmaf.so.3 scores, for docs/libvmaf.md. Pictures are
 * made in advance. Like clients, the program copies each pair into pictures of the library, and asks for the score at
 * the end.
 *
 *     rate-libvmaf MODEL WIDTH HEIGHT DEPTH PAIRS THREADS [FORMAT]
 *
 * MODEL is a version, "psnr", or "null" for the client's work alone. FORMAT is 420 (the default) or 400.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "libvmaf/libvmaf.h"
#include "picture.h"

enum { DIFFERENT = 6 };

static double seconds(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int copy(const VmafPicture *from, VmafPicture *to)
{
    int failed = vmaf_picture_alloc(to, from->pix_fmt, from->bpc, from->w[0], from->h[0]);
    for (int plane = 0; plane < 3 && !failed && to->data[plane]; plane++)
        for (unsigned y = 0; y < to->h[plane]; y++)
            memcpy((char *)to->data[plane] + (ptrdiff_t)y * to->stride[plane],
                   (const char *)from->data[plane] + (ptrdiff_t)y * from->stride[plane],
                   to->w[plane] * ((to->bpc + 7) / 8));
    return failed;
}

static int score(VmafContext *context, VmafModel *model, VmafPicture made[DIFFERENT][2], unsigned pairs,
                 double *result)
{
    int failed = 0;
    for (unsigned i = 0; i < pairs && !failed; i++) {
        VmafPicture pair[2];
        failed = copy(&made[i % DIFFERENT][0], &pair[0]) | copy(&made[i % DIFFERENT][1], &pair[1]);
        failed = failed ? failed : vmaf_read_pictures(context, &pair[0], &pair[1], i);
    }
    failed = failed ? failed : vmaf_read_pictures(context, NULL, NULL, 0);
    if (failed)
        return failed;
    if (model)
        return vmaf_score_pooled(context, model, VMAF_POOL_METHOD_MEAN, result, 0, pairs - 1);
    vmaf_feature_score_pooled(context, "psnr_y", VMAF_POOL_METHOD_MEAN, result, 0, pairs - 1);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 7)
        return 2;
    const unsigned width = (unsigned)atoi(argv[2]), height = (unsigned)atoi(argv[3]), depth = (unsigned)atoi(argv[4]);
    const unsigned pairs = (unsigned)atoi(argv[5]), threads = (unsigned)atoi(argv[6]);
    const enum VmafPixelFormat format =
        argc > 7 && !strcmp(argv[7], "400") ? VMAF_PIX_FMT_YUV400P : VMAF_PIX_FMT_YUV420P;
    VmafPicture made[DIFFERENT][2];
    VmafContext *context = NULL;
    VmafModel *model = NULL;
    VmafModelConfig name = {0};
    double result = 0;
    int failed = 0;
    for (unsigned i = 0; i < DIFFERENT && !failed; i++)
        for (unsigned k = 0; k < 2 && !failed; k++) {
            failed = vmaf_picture_alloc(&made[i][k], format, depth, width, height);
            if (!failed)
                paint(&made[i][k], i, 3 + 16 * k);
        }
    /* The first turn is not measured, since a process's first context looks for devices and may test them. */
    for (int turn = 0; turn < 2 && !failed; turn++) {
        double start = seconds(CLOCK_MONOTONIC), used = seconds(CLOCK_PROCESS_CPUTIME_ID);
        failed = vmaf_init(&context, (VmafConfiguration){.log_level = VMAF_LOG_LEVEL_WARNING, .n_threads = threads});
        if (!failed && strcmp(argv[1], "psnr") && strcmp(argv[1], "null")) {
            failed = vmaf_model_load(&model, &name, argv[1]);
            failed = failed ? failed : vmaf_use_features_from_model(context, model);
        } else if (!failed) {
            failed = vmaf_use_feature(context, argv[1], NULL);
        }
        failed = failed ? failed : score(context, model, made, turn ? pairs : 8, &result);
        vmaf_model_destroy(model);
        vmaf_close(context);
        if (turn && !failed)
            printf(
                "%-22s %4ux%-4u %2u bits %2u threads: %8.1f pairs/s, %6.2f ms of processor time a pair, score %.6f\n",
                argv[1], width, height, depth, threads, pairs / (seconds(CLOCK_MONOTONIC) - start),
                (seconds(CLOCK_PROCESS_CPUTIME_ID) - used) / pairs * 1e3, result);
    }
    if (failed)
        fprintf(stderr, "rate-libvmaf: it failed with %d\n", failed);
    return failed != 0;
}
