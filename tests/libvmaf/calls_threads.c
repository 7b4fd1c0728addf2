/* Tests libvmaf's contexts in several threads. */
#include "calls.h"

#include <pthread.h>

static void *work_alone(void *result)
{
    VmafContext *v = open_context(1, 0);
    VmafModel *m = load("vmaf_v0.6.1", NULL, 0);
    vmaf_use_features_from_model(v, m);
    for (unsigned i = 0; i < 3; i++)
        feed(v, i);
    flush(v);
    vmaf_score_pooled(v, m, VMAF_POOL_METHOD_MEAN, result, 0, 2);
    vmaf_model_destroy(m);
    vmaf_close(v);
    return NULL;
}

void check_contexts(void)
{
    enum { CONTEXTS = 3 };
    double results[CONTEXTS] = {0};
    pthread_t thread[CONTEXTS];
    for (int i = 0; i < CONTEXTS; i++)
        pthread_create(&thread[i], NULL, work_alone, &results[i]);
    for (int i = 0; i < CONTEXTS; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < CONTEXTS; i++)
        NEAR(results[i], 96.309025872214036);
}

static void *ask(void *context)
{
    double score;
    for (int i = 0; i < 300; i++)
        vmaf_feature_score_at_index(context, "psnr_y", &score, (unsigned)i % 6);
    return NULL;
}

/* While one thread feeds pictures from a pool, another asks for scores. */
void check_shared(void)
{
    VmafContext *v = open_context(2, 0);
    VmafPicture ref, dist;
    pthread_t thread;
    int failed = vmaf_use_feature(v, "psnr", NULL);
    failed |= vmaf_preallocate_pictures(
        v, (VmafPictureConfiguration){{WIDTH, HEIGHT, 8, VMAF_PIX_FMT_YUV420P}, .pic_cnt = 8});
    pthread_create(&thread, NULL, ask, v);
    for (unsigned i = 0; i < 6; i++) {
        failed |= vmaf_fetch_preallocated_picture(v, &ref) | vmaf_fetch_preallocated_picture(v, &dist);
        paint(&ref, i, 3);
        paint(&dist, i, 19);
        failed |= vmaf_read_pictures(v, &ref, &dist, i);
    }
    failed |= flush(v);
    pthread_join(thread, NULL);
    double score = 0;
    RETURNS(failed, 0);
    RETURNS(vmaf_feature_score_pooled(v, "psnr_y", VMAF_POOL_METHOD_MEAN, &score, 0, 5), 0);
    vmaf_close(v);
}

static void *fetch_one(void *context)
{
    VmafPicture picture;
    if (vmaf_fetch_preallocated_picture(context, &picture))
        return NULL;
    paint(&picture, 0, 3);
    vmaf_picture_unref(&picture);
    return context;
}

/* A thread that waits for a picture of a pool gets one after the pool is replaced. */
void check_replaced(void)
{
    VmafContext *v = open_context(0, 0);
    VmafPictureConfiguration cfg = {{WIDTH, HEIGHT, 8, VMAF_PIX_FMT_YUV420P}, 1};
    VmafPicture picture;
    pthread_t thread;
    void *got = NULL;
    int failed = vmaf_preallocate_pictures(v, cfg) | vmaf_fetch_preallocated_picture(v, &picture);
    pthread_create(&thread, NULL, fetch_one, v);
    failed |= vmaf_preallocate_pictures(v, cfg);
    failed |= vmaf_picture_unref(&picture);
    pthread_join(thread, &got);
    RETURNS(failed, 0);
    CHECK(got == v);
    vmaf_close(v);
}
