/*
 * Every function of libvmaf's interface, with good and bad arguments and in every order that clients call them in.
 * What is expected was seen of libvmaf 3.2 itself, which this program can also be run with.
 *
 *     test-libvmaf-calls [FOLDER-OF-RECORDED-REPORTS | --record FOLDER]
 */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libvmaf/libvmaf_cuda.h"
#include "picture.h"
#include "returns.h"
#include "tap.h"

enum { WIDTH = 128, HEIGHT = 96 };

static Tap tap;
static char folder[] = "/tmp/fovea-libvmaf-XXXXXX";

/* Another library's exponential function and logarithm may differ in the last places. */
#define NEAR(value, expected)                                                                                        \
    do {                                                                                                             \
        char why_[64];                                                                                               \
        snprintf(why_, sizeof why_, "it is %.17g", value);                                                           \
        tap_case(&tap, fabs((value) - (expected)) <= 1e-9 * fabs(expected), #value " is " #expected, why_);          \
    } while (0)

static VmafContext *open_context(unsigned threads, unsigned subsample)
{
    VmafContext *context = NULL;
    /* libaom leaves gpumask uninitialised. */
    VmafConfiguration cfg = {
        .log_level = VMAF_LOG_LEVEL_NONE, .n_threads = threads, .n_subsample = subsample, .gpumask = 0x5a5a5a5a5a5au};
    return vmaf_init(&context, cfg) ? NULL : context;
}

static VmafModel *load(const char *version, const char *name, uint64_t flags)
{
    VmafModel *model = NULL;
    VmafModelConfig cfg = {name, flags};
    return vmaf_model_load(&model, &cfg, version) ? NULL : model;
}

static int alloc_pair(VmafPicture *ref, VmafPicture *dist, unsigned number)
{
    int failed = vmaf_picture_alloc(ref, VMAF_PIX_FMT_YUV420P, 8, WIDTH, HEIGHT);
    if (!failed && (failed = vmaf_picture_alloc(dist, VMAF_PIX_FMT_YUV420P, 8, WIDTH, HEIGHT)))
        vmaf_picture_unref(ref);
    if (failed)
        return failed;
    paint(ref, number, 3);
    paint(dist, number, 19);
    return 0;
}

/* On failure the pictures are still the caller's. */
static int feed(VmafContext *context, unsigned index)
{
    VmafPicture ref, dist;
    int failed = alloc_pair(&ref, &dist, index % 1000);
    if (failed)
        return failed;
    failed = vmaf_read_pictures(context, &ref, &dist, index);
    bool taken = !ref.ref && !dist.ref;
    if (failed && !taken) {
        vmaf_picture_unref(&ref);
        vmaf_picture_unref(&dist);
    }
    return !failed == taken ? failed : -EPROTO;
}

static int flush(VmafContext *context)
{
    return vmaf_read_pictures(context, NULL, NULL, 0);
}

static VmafFeatureDictionary *options(const char *key, const char *value)
{
    VmafFeatureDictionary *dict = NULL;
    return vmaf_feature_dictionary_set(&dict, key, value) ? NULL : dict;
}

static const char *place(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* ---- Pictures ---------------------------------------------------------------------------------------------------
 */

static bool is_zero(const VmafPicture *picture)
{
    const uint8_t *first = picture->data[0];
    size_t bytes = 0, sum = 0;
    for (int plane = 0; plane < 3; plane++)
        bytes += (size_t)picture->stride[plane] * picture->h[plane];
    for (size_t i = 0; i < bytes; i++)
        sum |= first[i];
    return !sum;
}

static void check_pictures(void)
{
    VmafPicture p, zero = {0};
    RETURNS(vmaf_picture_alloc(NULL, VMAF_PIX_FMT_YUV420P, 8, 4, 4), -EINVAL);
    RETURNS(vmaf_picture_alloc(&p, VMAF_PIX_FMT_UNKNOWN, 8, 4, 4), -EINVAL);
    RETURNS(vmaf_picture_alloc(&p, VMAF_PIX_FMT_YUV420P, 7, 4, 4), -EINVAL);
    RETURNS(vmaf_picture_alloc(&p, VMAF_PIX_FMT_YUV420P, 17, 4, 4), -EINVAL);
    RETURNS(vmaf_picture_alloc(&p, VMAF_PIX_FMT_YUV420P, 10, 67, 51), 0);
    CHECK(p.w[0] == 67 && p.w[1] == 33 && p.w[2] == 33 && p.h[0] == 51 && p.h[1] == 25 && p.h[2] == 25);
    CHECK(p.stride[0] == 192 && p.stride[1] == 128 && p.stride[2] == 128);
    CHECK((char *)p.data[1] - (char *)p.data[0] == 9792 && (char *)p.data[2] - (char *)p.data[1] == 3200);
    CHECK((uintptr_t)p.data[0] % 32 == 0 && is_zero(&p));
    RETURNS(vmaf_picture_unref(&p), 0);
    CHECK(!memcmp(&p, &zero, sizeof p));
    RETURNS(vmaf_picture_unref(&p), -EINVAL);
    RETURNS(vmaf_picture_unref(NULL), -EINVAL);
    RETURNS(vmaf_picture_alloc(&p, VMAF_PIX_FMT_YUV400P, 8, 67, 51), 0);
    CHECK(!p.w[1] && !p.h[2] && !p.data[1] && !p.data[2] && !p.stride[1]);
    RETURNS(vmaf_picture_unref(&p), 0);
    RETURNS(vmaf_picture_alloc(&p, VMAF_PIX_FMT_YUV422P, 8, 67, 51), 0);
    CHECK(p.w[1] == 33 && p.h[1] == 51);
    RETURNS(vmaf_picture_unref(&p), 0);
}

static void check_pool(void)
{
    VmafContext *v = open_context(0, 0);
    VmafPicture p[3];
    VmafPictureConfiguration cfg = {{WIDTH, HEIGHT, 8, VMAF_PIX_FMT_YUV420P}, 4}, wrong = cfg;
    RETURNS(vmaf_fetch_preallocated_picture(v, &p[0]), -EINVAL);
    RETURNS(vmaf_preallocate_pictures(NULL, cfg), -EINVAL);
    wrong.pic_cnt = 0;
    RETURNS(vmaf_preallocate_pictures(v, wrong), -EINVAL);
    wrong = cfg;
    wrong.pic_params.w = 0;
    RETURNS(vmaf_preallocate_pictures(v, wrong), -EINVAL);
    RETURNS(vmaf_preallocate_pictures(v, cfg), 0);
    RETURNS(vmaf_fetch_preallocated_picture(v, NULL), -EINVAL);
    RETURNS(vmaf_fetch_preallocated_picture(NULL, &p[0]), -EINVAL);
    RETURNS(vmaf_use_feature(v, "psnr", NULL), 0);
    for (unsigned i = 0; i < 5; i++) {
        int failed = vmaf_fetch_preallocated_picture(v, &p[0]) | vmaf_fetch_preallocated_picture(v, &p[1]);
        paint(&p[0], i, 3);
        paint(&p[1], i, 19);
        if (failed || vmaf_read_pictures(v, &p[0], &p[1], i))
            tap_case(&tap, false, "pictures of the pool are read again and again", NULL);
    }
    RETURNS(flush(v), 0);
    RETURNS(vmaf_close(v), 0);
}

/* ---- Models and dictionaries ------------------------------------------------------------------------------------
 */

static void check_models(void)
{
    VmafModel *m = NULL;
    VmafModelCollection *c = NULL;
    VmafModelConfig cfg = {0};
    static const char *const versions[] = {"vmaf_v0.6.1",
                                           "vmaf_v0.6.1neg",
                                           "vmaf_4k_v0.6.1",
                                           "vmaf_4k_v0.6.1neg",
                                           "vmaf_v1.0.16_3d0h",
                                           "vmaf_v1.0.16_5d0h",
                                           "vmaf_v1.0.16_1d5h_2160",
                                           "vmaf_v1.0.16_3d0h_2160",
                                           "vmaf_v1.0.16_hfr_3d0h",
                                           "vmaf_v1.0.16_hfr_5d0h",
                                           "vmaf_v1.0.16_hfr_1d5h_2160",
                                           "vmaf_v1.0.16_hfr_3d0h_2160"};
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        tap_case(&tap, !vmaf_model_load(&m, &cfg, versions[i]), versions[i], "is not built in");
        vmaf_model_destroy(m);
    }
    RETURNS(vmaf_model_load(&m, &cfg, "nosuch"), -EINVAL);
    RETURNS(vmaf_model_load(&m, &cfg, "vmaf_b_v0.6.3"), -EINVAL);
    RETURNS(vmaf_model_load_from_path(&m, &cfg, "/nonexistent.json"), -EINVAL);
    RETURNS(vmaf_model_load_from_path(&m, &cfg, "/dev/null"), -EINVAL);
    RETURNS(vmaf_model_load_from_path(&m, &cfg, "/nonexistent.pkl"), -EINVAL);
    RETURNS(vmaf_model_collection_load(&m, &c, &cfg, "vmaf_v0.6.1"), -EINVAL);
    RETURNS(vmaf_model_collection_load(&m, &c, &cfg, "nosuch"), -EINVAL);
    RETURNS(vmaf_model_collection_load_from_path(&m, &c, &cfg, "/nonexistent.json"), -EINVAL);
    RETURNS(vmaf_model_collection_load(&m, &c, &cfg, "vmaf_b_v0.6.3"), 0);
    VmafFeatureDictionary *d = options("adm_enhn_gain_limit", "1");
    RETURNS(vmaf_model_collection_feature_overload(m, NULL, "adm", d), -EINVAL);
    RETURNS(vmaf_model_collection_feature_overload(m, &c, "adm", d), 0);
    RETURNS(vmaf_model_feature_overload(NULL, "adm", NULL), -EINVAL);
    RETURNS(vmaf_model_feature_overload(m, NULL, NULL), -EINVAL);
    RETURNS(vmaf_model_feature_overload(m, "adm", NULL), -EINVAL);
    RETURNS(vmaf_model_feature_overload(m, "nosuch", options("a", "b")), 0);
    vmaf_model_destroy(m);
    vmaf_model_collection_destroy(c);
    vmaf_model_destroy(NULL);
    vmaf_model_collection_destroy(NULL);
    d = NULL;
    RETURNS(vmaf_feature_dictionary_set(NULL, "a", "b"), -EINVAL);
    RETURNS(vmaf_feature_dictionary_set(&d, NULL, "b"), -EINVAL);
    CHECK(!d);
    RETURNS(vmaf_feature_dictionary_set(&d, "a", "b"), 0);
    RETURNS(vmaf_feature_dictionary_set(&d, "a", "c"), 0);
    RETURNS(vmaf_feature_dictionary_free(&d), 0);
    CHECK(!d);
    RETURNS(vmaf_feature_dictionary_free(&d), 0);
    RETURNS(vmaf_feature_dictionary_free(NULL), -EINVAL);
}

static void check_features(void)
{
    static const char *const names[] = {
        "adm",      "vif",   "motion",     "cambi",         "speed_chroma", "speed_temporal",
        "psnr_hvs", "ciede", "float_ssim", "float_ms_ssim", "null",         "psnr"};
    VmafContext *v = open_context(0, 0);
    VmafModel *m = load("vmaf_v0.6.1", NULL, 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        tap_case(&tap, !vmaf_use_feature(v, names[i], NULL), names[i], "is no feature");
    RETURNS(vmaf_use_feature(v, "nosuch", NULL), -EINVAL);
    RETURNS(vmaf_use_feature(v, "ssim", NULL), -EINVAL);
    RETURNS(vmaf_use_feature(v, NULL, NULL), -EINVAL);
    RETURNS(vmaf_use_feature(NULL, "psnr", NULL), -EINVAL);
    RETURNS(vmaf_use_feature(v, "psnr", options("nosuchoption", "1")), 0);
    RETURNS(vmaf_use_feature(v, "psnr", options("enable_mse", "7")), -EINVAL);
    RETURNS(vmaf_use_feature(v, "psnr", options("enable_mse", "True")), -EINVAL);
    RETURNS(vmaf_use_feature(v, "adm", options("adm_csf_mode", "x")), -EINVAL);
    RETURNS(vmaf_use_feature(v, "adm", options("adm_csf_mode", "4")), -EINVAL);
    RETURNS(vmaf_use_feature(v, "adm", options("adm_enhn_gain_limit", "0.5")), -EINVAL);
    RETURNS(vmaf_use_feature(v, "adm", options("adm_enhn_gain_limit", "1.25 ")), 0);
    VmafFeatureDictionary *kept = options("a", "b");
    RETURNS(vmaf_use_feature(v, "nosuch", kept), -EINVAL);
    RETURNS(vmaf_feature_dictionary_free(&kept), 0);
    RETURNS(vmaf_use_features_from_model(v, m), 0);
    RETURNS(vmaf_use_features_from_model(v, m), 0);
    RETURNS(vmaf_use_features_from_model(v, NULL), -EINVAL);
    RETURNS(vmaf_use_features_from_model(NULL, m), -EINVAL);
    RETURNS(vmaf_use_features_from_model_collection(v, NULL), -EINVAL);
    vmaf_model_destroy(m);
    RETURNS(vmaf_close(v), 0);
}

/* ---- Order of calls ---------------------------------------------------------------------------------------------
 */

static void check_order(void)
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
    RETURNS(vmaf_score_at_index(v, m, &s, 0), -EINVAL); /* motion is known at the end */
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
    vmaf_model_destroy(m); /* FFmpeg does so before it closes */
    RETURNS(vmaf_close(v), 0);
    RETURNS(vmaf_close(NULL), -EINVAL);
    RETURNS(vmaf_init(NULL, (VmafConfiguration){.log_level = VMAF_LOG_LEVEL_NONE}), -EINVAL);
    CHECK(*vmaf_version());
}

/* Ending what has not begun. */
static void check_empty(void)
{
    for (unsigned threads = 0; threads < 3; threads += 2) {
        VmafContext *v = open_context(threads, 0);
        RETURNS(flush(v), 0);
        RETURNS(flush(v), -EINVAL);
        RETURNS(feed(v, 0), -EINVAL);
        RETURNS(vmaf_write_output(v, place("empty.xml"), VMAF_OUTPUT_FORMAT_XML), 0);
        vmaf_close(v);
        v = open_context(threads, 0);
        vmaf_use_feature(v, "null", NULL); /* no session ends here either */
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
        vmaf_close(v); /* without an end */
    }
}

/* Pictures that do not fit. What the first pair is stays, even when it is refused. */
static void check_misfits(void)
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
    /* libaom gives pictures back that have been taken. */
    RETURNS(vmaf_picture_unref(&ref), -EINVAL);
    RETURNS(vmaf_picture_unref(&dist), -EINVAL);
    vmaf_picture_unref(&other);
    RETURNS(flush(v), 0);
    vmaf_close(v);
    v = open_context(0, 0);
    vmaf_use_features_from_model(v, NULL);
    vmaf_use_feature(v, "motion", NULL);
    RETURNS(feed(v, 1), -EINVAL); /* there is no picture before it */
    RETURNS(feed(v, 0), 0);
    RETURNS(feed(v, 1), 0);
    RETURNS(flush(v), 0);
    vmaf_close(v);
    double s;
    v = open_context(2, 0); /* nobody waits for the extractor, and its score is missing */
    vmaf_use_feature(v, "motion", NULL);
    RETURNS(feed(v, 1), 0);
    RETURNS(feed(v, 2), 0);
    RETURNS(flush(v), 0);
    RETURNS(vmaf_feature_score_at_index(v, "VMAF_integer_feature_motion_sad_score", &s, 1), -EINVAL);
    RETURNS(vmaf_feature_score_at_index(v, "VMAF_integer_feature_motion_sad_score", &s, 2), 0);
    RETURNS(vmaf_feature_score_at_index(v, "VMAF_integer_feature_motion2_score", &s, 2), -EINVAL);
    vmaf_close(v);
    v = open_context(0, 0);
    vmaf_use_feature(v, "float_ms_ssim", NULL); /* needs 176 samples */
    RETURNS(feed(v, 0), -EINVAL);
    vmaf_close(v);
}

/* Odd sizes: chroma is rounded down, and features look at no more than that. */
static void check_odd(void)
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

static void check_cuda(void)
{
    VmafCudaState *state = NULL;
    VmafPicture p;
    VmafContext *v = open_context(0, 0);
    RETURNS(vmaf_cuda_state_init(NULL, (VmafCudaConfiguration){0}), -EINVAL);
    int failed = vmaf_cuda_state_init(&state, (VmafCudaConfiguration){0});
    CHECK(failed == (state ? 0 : -EINVAL)); /* as there is a driver, or none */
    RETURNS(vmaf_cuda_import_state(v, NULL), -EINVAL);
    RETURNS(vmaf_cuda_import_state(NULL, state), -EINVAL);
    RETURNS(vmaf_cuda_preallocate_pictures(NULL, (VmafCudaPictureConfiguration){0}), -EINVAL);
    RETURNS(vmaf_cuda_fetch_preallocated_picture(v, NULL), -EINVAL);
    RETURNS(vmaf_cuda_preallocate_pictures(v, (VmafCudaPictureConfiguration){0}), -EINVAL);
    RETURNS(vmaf_cuda_fetch_preallocated_picture(v, &p), -EINVAL);
    vmaf_close(v);
}

/* ---- Collections ------------------------------------------------------------------------------------------------
 */

static void check_collection(void)
{
    VmafContext *v = open_context(0, 0);
    VmafModel *m;
    VmafModelCollection *c;
    VmafModelConfig cfg = {.name = "many"};
    VmafModelCollectionScore s = {0}, again = {0};
    double main_score, member;
    RETURNS(vmaf_model_collection_load(&m, &c, &cfg, "vmaf_b_v0.6.3"), 0);
    RETURNS(vmaf_use_features_from_model_collection(v, c), 0);
    for (unsigned i = 0; i < 3; i++)
        feed(v, i);
    RETURNS(vmaf_score_at_index_model_collection(v, c, &s, 0), -EINVAL);
    RETURNS(flush(v), 0);
    RETURNS(vmaf_score_at_index(v, m, &main_score, 1), 0);
    RETURNS(vmaf_score_at_index_model_collection(v, c, &s, 1), 0);
    CHECK(s.type == VMAF_MODEL_COLLECTION_SCORE_BOOTSTRAP);
    CHECK(s.bootstrap.ci.p95.lo < s.bootstrap.bagging_score && s.bootstrap.bagging_score < s.bootstrap.ci.p95.hi);
    RETURNS(vmaf_feature_score_at_index(v, "many_0020", &member, 1), 0);
    RETURNS(vmaf_feature_score_at_index(v, "many_0021", &member, 1), -EINVAL);
    RETURNS(vmaf_score_pooled_model_collection(v, c, VMAF_POOL_METHOD_MEAN, &s, 1, 1), 0);
    RETURNS(vmaf_score_pooled_model_collection(v, c, VMAF_POOL_METHOD_MEAN, &again, 0, 2), 0);
    RETURNS(vmaf_score_pooled_model_collection(v, c, VMAF_POOL_METHOD_UNKNOWN, &s, 0, 2), -EINVAL);
    RETURNS(vmaf_score_pooled_model_collection(v, c, VMAF_POOL_METHOD_MEAN, &s, 0, 3), -EINVAL);
    RETURNS(vmaf_score_pooled_model_collection(v, NULL, VMAF_POOL_METHOD_MEAN, &s, 0, 2), -EINVAL);
    RETURNS(vmaf_score_at_index_model_collection(v, NULL, &s, 0), -EINVAL);
    vmaf_model_destroy(m);
    vmaf_model_collection_destroy(c);
    vmaf_close(v);
}

/* ---- Reports ----------------------------------------------------------------------------------------------------
 */

/* Models, extra columns, chroma, aggregates. */
static VmafContext *run_plain(unsigned threads)
{
    VmafContext *v = open_context(threads, 0);
    VmafModel *m = load("vmaf_v0.6.1", "vmaf", 0), *n = load("vmaf_v0.6.1neg", "neg", 0), *one;
    VmafModelCollection *c;
    VmafModelConfig cfg = {.name = "b"};
    VmafFeatureDictionary *d = options("enable_apsnr", "true");
    double s;
    VmafModelCollectionScore many;
    vmaf_model_collection_load(&one, &c, &cfg, "vmaf_b_v0.6.3");
    vmaf_model_feature_overload(n, "vif", options("vif_enhn_gain_limit", "1.5"));
    vmaf_use_features_from_model(v, m);
    vmaf_use_features_from_model(v, n);
    vmaf_use_features_from_model_collection(v, c);
    vmaf_feature_dictionary_set(&d, "enable_mse", "true");
    vmaf_use_feature(v, "psnr", d);
    vmaf_use_feature(v, "motion", options("motion_five_frame_window", "true"));
    vmaf_use_feature(v, "psnr_hvs", NULL);
    for (unsigned i = 0; i < 4; i++)
        feed(v, i);
    flush(v);
    vmaf_score_pooled(v, m, VMAF_POOL_METHOD_MEAN, &s, 0, 3);
    vmaf_score_pooled(v, n, VMAF_POOL_METHOD_HARMONIC_MEAN, &s, 0, 3);
    vmaf_score_pooled(v, one, VMAF_POOL_METHOD_MIN, &s, 0, 3);
    vmaf_score_pooled_model_collection(v, c, VMAF_POOL_METHOD_MEAN, &many, 0, 3);
    vmaf_model_destroy(m);
    vmaf_model_destroy(n);
    vmaf_model_destroy(one);
    vmaf_model_collection_destroy(c);
    return v;
}

/* Pictures left out, gaps, refused ones, the first not the first, numbers of all kinds. */
static VmafContext *run_odd(unsigned subsample)
{
    static const double numbers[] = {-0.0, 1e-5, 1e-6, 9.9e-7, 1e-7,   -1e-9,    0.5,
                                     1e15, 3e9,  NAN,  -2.5,   1e-300, INFINITY, -INFINITY};
    VmafContext *v = open_context(0, subsample);
    vmaf_use_feature(v, "psnr", NULL);
    vmaf_use_feature(v, "vif", NULL);
    for (unsigned i = 2; i < 12; i += 2)
        feed(v, i);
    feed(v, 4);
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        vmaf_import_feature_score(v, "a \"name\" & <more>", numbers[i], i + 2);
    flush(v);
    return v;
}

/* Without what changes from run to run, and from library to library. */
static char *read_report(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 17);
    if (!file || !text || !fread(text, 1, (1 << 17) - 1, file))
        text = text ? text : NULL;
    if (file)
        fclose(file);
    static const struct {
        const char *before, *stop;
    } cuts[] = {{"version=\"", "\""}, {"\"version\": \"", "\""}, {"fps=\"", "\""}, {"\"fps\": ", ","}};
    for (int i = 0; text && i < 4; i++) {
        char *at = strstr(text, cuts[i].before);
        char *from = at ? at + strlen(cuts[i].before) : NULL, *to = from ? strstr(from, cuts[i].stop) : NULL;
        if (to)
            memmove(from, to, strlen(to) + 1);
    }
    return text;
}

/* formats: "xjcs" or fewer of these, by the first letter of each. */
static void report(VmafContext *context, const char *name, const char *formats, const char *recorded, bool record)
{
    static const char *const ends[] = {"", "xml", "json", "csv", "sub"};
    for (int format = VMAF_OUTPUT_FORMAT_XML; format <= VMAF_OUTPUT_FORMAT_SUB; format++) {
        char path[256], expected[512], what[128];
        if (!strchr(formats, *ends[format]))
            continue;
        snprintf(path, sizeof path, "%s/%s.%s", folder, name, ends[format]);
        snprintf(expected, sizeof expected, "%s/%s.%s", recorded, name, ends[format]);
        snprintf(what, sizeof what, "%s.%s is as recorded", name, ends[format]);
        int failed = vmaf_write_output(context, path, (enum VmafOutputFormat)format);
        char *got = read_report(path), *want = record ? NULL : read_report(expected);
        FILE *file = record ? fopen(expected, "wb") : NULL;
        if (file) {
            fputs(got, file);
            fclose(file);
        }
        tap_case(&tap, !failed && got && *got && (record || (want && !strcmp(got, want))), what, NULL);
        free(got);
        free(want);
    }
}

static void check_reports(const char *recorded, bool record)
{
    VmafContext *v = run_plain(0);
    report(v, "plain", "xj", recorded, record);
    vmaf_close(v);
    v = run_plain(2);
    report(v, "threads", "c", recorded, record);
    vmaf_close(v);
    v = run_odd(0);
    report(v, "odd", "xjcs", recorded, record);
    vmaf_close(v);
    v = run_odd(4);
    report(v, "subsample", "s", recorded, record);
    vmaf_close(v);
}

/* ---- Threads ----------------------------------------------------------------------------------------------------
 */

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

static void check_contexts(void)
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

/* One reads pictures from a pool, another asks for scores. */
static void check_shared(void)
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

/* Somebody waits for a picture of a pool that another one takes the place of, and gets it. */
static void check_replaced(void)
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

int main(int argc, char **argv)
{
    bool record = argc > 2 && !strcmp(argv[1], "--record");
    if (!mkdtemp(folder))
        return 1;
    setvbuf(stdout, NULL, _IOLBF, 0);
    check_pictures();
    check_pool();
    check_models();
    check_features();
    check_order();
    check_empty();
    check_misfits();
    check_odd();
    check_cuda();
    check_collection();
    if (argc > 1)
        check_reports(record ? argv[2] : argv[1], record);
    check_contexts();
    check_shared();
    check_replaced();
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", folder);
    CHECK(!system(command));
    return tap_done(&tap);
}
