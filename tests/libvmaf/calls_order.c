/* Tests libvmaf's calls in every order that clients use, and in some that they should not use. */
#include "calls.h"

#include <errno.h>
#include <math.h>

void check_order(void)
{
    VmafContext *v = open_context(0, 0);
    VmafModel *m = load("vmaf_v0.6.1", NULL, 0);
    double s = 0;
    vmaf_use_feature(v, "psnr", NULL);
    vmaf_use_features_from_model(v, m);
    RETURNS(vmaf_feature_score_at_index(v, "psnr_y", &s, 0), -EINVAL);
    RETURNS(vmaf_read_pictures(NULL, NULL, NULL, 0), -EINVAL);
    RETURNS(feed(v, 0), 0);
    RETURNS(vmaf_feature_score_at_index(v, "psnr_y", &s, 0), 0);
    NEAR(s, 28.348451419499924);
    RETURNS(vmaf_score_at_index(v, m, &s, 0), -EINVAL); /* motion is known only at the end */
    RETURNS(feed(v, 0), -EINVAL);
    RETURNS(feed(v, 1), 0);
    RETURNS(feed(v, 2), 0);
    RETURNS(feed(v, 7), 0);
    RETURNS(vmaf_write_output(v, place("before.json"), VMAF_OUTPUT_FORMAT_JSON), 0);
    RETURNS(flush(v), 0);
    RETURNS(flush(v), -EINVAL);
    RETURNS(feed(v, 3), -EINVAL);
    RETURNS(vmaf_score_at_index(v, m, &s, 1), 0);
    RETURNS(vmaf_score_at_index(v, m, &s, 7), -EINVAL);
    RETURNS(vmaf_score_pooled(v, m, VMAF_POOL_METHOD_MEAN, &s, 0, 2), 0);
    NEAR(s, 96.309025872214036);
    RETURNS(vmaf_score_pooled(v, m, VMAF_POOL_METHOD_MEAN, &s, 0, 2), 0);
    RETURNS(vmaf_score_pooled(v, m, VMAF_POOL_METHOD_MEAN, &s, 0, 3), -EINVAL);
    RETURNS(vmaf_score_pooled(v, m, VMAF_POOL_METHOD_MEAN, &s, 2, 1), -EINVAL);
    RETURNS(vmaf_score_pooled(v, m, VMAF_POOL_METHOD_UNKNOWN, &s, 0, 2), -EINVAL);
    RETURNS(vmaf_score_pooled(v, m, (enum VmafPoolingMethod)9, &s, 0, 2), -EINVAL);
    RETURNS(vmaf_score_pooled(v, NULL, VMAF_POOL_METHOD_MEAN, &s, 0, 2), -EINVAL);
    RETURNS(vmaf_score_pooled(v, m, VMAF_POOL_METHOD_MEAN, NULL, 0, 2), -EINVAL);
    for (int method = VMAF_POOL_METHOD_MIN; method < VMAF_POOL_METHOD_NB; method++)
        RETURNS(vmaf_feature_score_pooled(v, "psnr_y", (enum VmafPoolingMethod)method, &s, 0, 2), 0);
    NEAR(s, 28.329858535749622);
    RETURNS(vmaf_feature_score_pooled(v, "psnr_y", VMAF_POOL_METHOD_NB, &s, 0, 2), -EINVAL);
    RETURNS(vmaf_feature_score_pooled(v, "psnr_y", VMAF_POOL_METHOD_MEAN, &s, 0, 7), -EINVAL);
    RETURNS(vmaf_feature_score_at_index(v, "adm2", &s, 0), -EINVAL);
    RETURNS(vmaf_feature_score_at_index(v, "integer_adm2", &s, 0), -EINVAL);
    RETURNS(vmaf_feature_score_at_index(v, "VMAF_integer_feature_adm2_score", &s, 0), 0);
    RETURNS(vmaf_feature_score_at_index(v, "VMAF_integer_feature_motion2_score", &s, 2), 0);
    RETURNS(vmaf_feature_score_at_index(v, "VMAF_integer_feature_motion2_score", &s, 7), -EINVAL);
    RETURNS(vmaf_feature_score_at_index(v, "VMAF_integer_feature_motion_sad_score", &s, 7), 0);
    RETURNS(vmaf_feature_score_at_index(v, NULL, &s, 0), -EINVAL);
    RETURNS(vmaf_feature_score_at_index(v, "psnr_y", NULL, 0), -EINVAL);
    RETURNS(vmaf_import_feature_score(v, "mine", 1.5, 0), 0);
    RETURNS(vmaf_import_feature_score(v, "mine", 1.5, 0), -EINVAL);
    RETURNS(vmaf_import_feature_score(v, "mine", 1e-9, 1), 0);
    RETURNS(vmaf_import_feature_score(v, "mine", NAN, 2), 0);
    RETURNS(vmaf_import_feature_score(v, "mine", 2, 4000000), 0);
    RETURNS(vmaf_import_feature_score(v, NULL, 1.5, 0), -EINVAL);
    RETURNS(vmaf_write_output(v, "/nonexistent/x", VMAF_OUTPUT_FORMAT_JSON), -EINVAL);
    RETURNS(vmaf_write_output(v, place("none"), VMAF_OUTPUT_FORMAT_NONE), -EINVAL);
    vmaf_model_destroy(m); /* FFmpeg destroys the model before it closes */
    RETURNS(vmaf_close(v), 0);
    RETURNS(vmaf_close(NULL), -EINVAL);
    RETURNS(vmaf_init(NULL, (VmafConfiguration){.log_level = VMAF_LOG_LEVEL_NONE}), -EINVAL);
    CHECK(*vmaf_version());
}

/* One picture cannot be reference and distorted, and a picture that was freed cannot be freed again. */
void check_twice(void)
{
    for (unsigned threads = 0; threads < 2; threads++) {
        VmafContext *v = open_context(threads, 0);
        VmafPicture ref, dist;
        double s = 0;
        vmaf_use_feature(v, "psnr", NULL);
        alloc_pair(&ref, &dist, 0);
        RETURNS(vmaf_read_pictures(v, &ref, &ref, 0), -EINVAL);
        RETURNS(vmaf_picture_unref(&ref), -EINVAL);
        RETURNS(vmaf_picture_unref(&dist), 0);
        RETURNS(feed(v, 1), 0);
        RETURNS(flush(v), 0);
        RETURNS(vmaf_feature_score_at_index(v, "psnr_y", &s, 0), 0);
        NEAR(s, 60.);
        RETURNS(vmaf_close(v), 0);
    }
}

void check_empty(void)
{
    for (unsigned threads = 0; threads < 3; threads += 2) {
        VmafContext *v = open_context(threads, 0);
        RETURNS(flush(v), 0);
        RETURNS(flush(v), -EINVAL);
        RETURNS(feed(v, 0), -EINVAL);
        RETURNS(vmaf_write_output(v, place("empty.xml"), VMAF_OUTPUT_FORMAT_XML), 0);
        vmaf_close(v);
        v = open_context(threads, 0);
        vmaf_use_feature(v, "null", NULL); /* a context that computes nothing ends in the same way */
        RETURNS(feed(v, 0), 0);
        RETURNS(flush(v), 0);
        RETURNS(flush(v), -EINVAL);
        RETURNS(feed(v, 1), -EINVAL);
        vmaf_close(v);
        v = open_context(threads, 0);
        vmaf_use_feature(v, "vif", NULL);
        RETURNS(flush(v), threads ? 0 : -EINVAL);
        vmaf_close(v);
        v = open_context(threads, 0);
        vmaf_use_feature(v, "psnr", NULL);
        RETURNS(flush(v), -EINVAL);
        vmaf_close(v);
        v = open_context(threads, 0);
        vmaf_use_feature(v, "vif", NULL);
        feed(v, 0);
        vmaf_close(v); /* closed without flush() */
    }
}

/* Pairs that do not fit are refused. The first pair fixes the size and the format, even if it is refused. */
void check_misfits(void)
{
    VmafContext *v = open_context(0, 0);
    VmafPicture ref, dist, other;
    vmaf_use_feature(v, "psnr", NULL);
    alloc_pair(&ref, &dist, 0);
    vmaf_picture_alloc(&other, VMAF_PIX_FMT_YUV420P, 8, WIDTH, HEIGHT + 2);
    RETURNS(vmaf_read_pictures(v, &ref, NULL, 0), -EINVAL);
    RETURNS(vmaf_read_pictures(v, NULL, &dist, 0), -EINVAL);
    RETURNS(vmaf_read_pictures(v, &ref, &other, 0), -EINVAL);
    RETURNS(vmaf_read_pictures(v, &other, &dist, 0), -EINVAL);
    vmaf_picture_unref(&other);
    vmaf_picture_alloc(&other, VMAF_PIX_FMT_YUV444P, 8, WIDTH, HEIGHT);
    RETURNS(vmaf_read_pictures(v, &ref, &other, 0), -EINVAL);
    CHECK(ref.ref && dist.ref && other.ref);
    RETURNS(vmaf_read_pictures(v, &ref, &dist, 0), 0);
    CHECK(!ref.ref && !dist.ref);
    /* libaom unreferences pictures although the library has already taken them. */
    RETURNS(vmaf_picture_unref(&ref), -EINVAL);
    RETURNS(vmaf_picture_unref(&dist), -EINVAL);
    vmaf_picture_unref(&other);
    RETURNS(flush(v), 0);
    vmaf_close(v);
    v = open_context(0, 0);
    vmaf_use_features_from_model(v, NULL);
    vmaf_use_feature(v, "motion", NULL);
    RETURNS(feed(v, 1), -EINVAL); /* motion needs picture 0 first */
    RETURNS(feed(v, 0), 0);
    RETURNS(feed(v, 1), 0);
    RETURNS(flush(v), 0);
    vmaf_close(v);
    double s;
    v = open_context(2, 0); /* a call does not wait for threads, so only its score is missing */
    vmaf_use_feature(v, "motion", NULL);
    RETURNS(feed(v, 1), 0);
    RETURNS(feed(v, 2), 0);
    RETURNS(flush(v), 0);
    RETURNS(vmaf_feature_score_at_index(v, "VMAF_integer_feature_motion_sad_score", &s, 1), -EINVAL);
    RETURNS(vmaf_feature_score_at_index(v, "VMAF_integer_feature_motion_sad_score", &s, 2), 0);
    RETURNS(vmaf_feature_score_at_index(v, "VMAF_integer_feature_motion2_score", &s, 2), -EINVAL);
    vmaf_close(v);
    v = open_context(0, 0);
    vmaf_use_feature(v, "float_ms_ssim", NULL); /* needs pictures of at least 176 samples */
    RETURNS(feed(v, 0), -EINVAL);
    vmaf_close(v);
}

/* At odd sizes, chroma sizes are rounded down, and features read no more than that. */
void check_odd(void)
{
    VmafContext *v = open_context(0, 0);
    VmafPicture ref, dist;
    double s[3] = {0};
    vmaf_use_feature(v, "psnr", NULL);
    vmaf_picture_alloc(&ref, VMAF_PIX_FMT_YUV420P, 10, 67, 51);
    vmaf_picture_alloc(&dist, VMAF_PIX_FMT_YUV420P, 10, 67, 51);
    paint(&ref, 0, 3);
    paint(&dist, 0, 19);
    RETURNS(vmaf_read_pictures(v, &ref, &dist, 0), 0);
    RETURNS(flush(v), 0);
    vmaf_feature_score_at_index(v, "psnr_y", &s[0], 0);
    vmaf_feature_score_at_index(v, "psnr_cb", &s[1], 0);
    vmaf_feature_score_at_index(v, "psnr_cr", &s[2], 0);
    NEAR(s[0], 28.411399443904671);
    NEAR(s[1], 28.645470384097163);
    NEAR(s[2], 28.360884281030643);
    vmaf_close(v);
}

void check_cuda(void)
{
    VmafCudaState *state = NULL;
    VmafPicture p;
    VmafContext *v = open_context(0, 0);
    RETURNS(vmaf_cuda_state_init(NULL, (VmafCudaConfiguration){0}), -EINVAL);
    int failed = vmaf_cuda_state_init(&state, (VmafCudaConfiguration){0});
    CHECK(failed == (state ? 0 : -EINVAL)); /* succeeds only with a CUDA driver */
    RETURNS(vmaf_cuda_import_state(v, NULL), -EINVAL);
    RETURNS(vmaf_cuda_import_state(NULL, state), -EINVAL);
    RETURNS(vmaf_cuda_preallocate_pictures(NULL, (VmafCudaPictureConfiguration){0}), -EINVAL);
    RETURNS(vmaf_cuda_fetch_preallocated_picture(v, NULL), -EINVAL);
    RETURNS(vmaf_cuda_preallocate_pictures(v, (VmafCudaPictureConfiguration){0}), -EINVAL);
    RETURNS(vmaf_cuda_fetch_preallocated_picture(v, &p), -EINVAL);
    vmaf_close(v);
}
