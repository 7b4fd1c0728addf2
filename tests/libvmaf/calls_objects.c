/* Tests libvmaf's pictures, models, dictionaries, features and collections with valid and invalid arguments. */
#include "calls.h"

#include <errno.h>
#include <string.h>

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

void check_pictures(void)
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

void check_pool(void)
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

void check_models(void)
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

void check_features(void)
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

void check_collection(void)
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
