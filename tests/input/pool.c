/*
 * Tests a source's pool of frames: reuse, the limit, and frames released after the source was closed or from other
 * threads.
 */
#include <pthread.h>
#include <string.h>

#include "clip.h"
#include "os/memory.h"
#include "picture/frame.h"

static const FvFormat format = {.width = 70, .height = 30, .chroma = FV_CHROMA_420, .depth = 10};

static FvFrame *get(FvFramePool *pool)
{
    FvError error = {0};
    FvFrame *frame;
    assert_int_equal(fv_frame_pool_get(pool, &frame, &error), FV_OK);
    for (int plane = 0; plane < 3; plane++) {
        int width, height;
        fv_format_plane_size(&format, plane, &width, &height);
        assert_int_equal(frame->stride[plane], fv_format_stride(&format, plane));
        memset(frame->data[plane], 0xa5, (size_t)frame->stride[plane] * height);
    }
    return frame;
}

static void recycles(void **state)
{
    FvFramePool *pool;
    assert_int_equal(fv_frame_pool_open(&pool, &format, NULL), FV_OK);
    FvFrame *first = get(pool), *second = get(pool), *kept = fv_frame_ref(first);
    assert_ptr_not_equal(first, second);
    uint8_t *memory = first->data[0];
    fv_frame_unref(&first);
    FvFrame *third = get(pool); /* the first frame is still in use */
    assert_ptr_not_equal(third, kept);
    fv_frame_unref(&kept);
    void *taken = fv_alloc(fv_format_bytes(&format)); /* would get the memory if the pool had freed it */
    FvFrame *fourth = get(pool);
    fv_free(taken);
    assert_ptr_equal(fourth->data[0], memory);
    fv_frame_unref(&second);
    fv_frame_unref(&third);
    fv_frame_pool_close(&pool);
    assert_null(pool);
    memset(fourth->data[0], 1, (size_t)fourth->stride[0] * format.height);
    fv_frame_unref(&fourth); /* frees the closed pool, too, which leak checkers verify */
    fv_frame_pool_close(&pool);
}

static void is_bounded(void **state)
{
    FvFramePool *pool;
    assert_int_equal(fv_frame_pool_open(&pool, &format, NULL), FV_OK);
    FvFrame *frames[FV_POOL_IDLE + 8];
    for (int i = 0; i < FV_POOL_IDLE + 8; i++)
        frames[i] = get(pool);
    for (int i = 0; i < FV_POOL_IDLE + 8; i++)
        fv_frame_unref(&frames[i]);
    fv_frame_pool_close(&pool);
    FvError error = {0};
    FvFormat huge = format;
    huge.width = 0;
    assert_int_equal(fv_frame_pool_open(&pool, &huge, &error), FV_ERROR_USAGE);
    assert_null(pool);
}

static void *hold_and_release(void *argument)
{
    FvFrame **frames = argument;
    for (int i = 0; i < 64; i++)
        fv_frame_unref(&frames[i]);
    return NULL;
}

static void other_threads(void **state)
{
    FvFramePool *pool;
    assert_int_equal(fv_frame_pool_open(&pool, &format, NULL), FV_OK);
    static FvFrame *frames[4][64];
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 64; j++)
            frames[i][j] = get(pool);
        assert_int_equal(pthread_create(&threads[i], NULL, hold_and_release, frames[i]), 0);
    }
    for (int i = 0; i < 100; i++) {
        FvFrame *frame = get(pool);
        fv_frame_unref(&frame);
    }
    fv_frame_pool_close(&pool);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(recycles), cmocka_unit_test(is_bounded),
                                              cmocka_unit_test(other_threads)};
    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
