/*
 * Tests habits of libvmaf's clients: names of scores, reused memory, pictures of one plane, calls out of order,
 * misuse that libvmaf survives, and some that it does not. The expected results were recorded from libvmaf 3.2, with
 * which this program can also run: with the argument "libvmaf" it omits what crashes there.
 */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libvmaf/libvmaf.h"
#include "picture.h"
#include "returns.h"
#include "tap/tap.h"

enum { WIDTH = 224, HEIGHT = 108 };

static Tap tap;
static char folder[] = "/tmp/fovea-habits-XXXXXX";

static VmafContext *open_context(enum VmafLogLevel level, unsigned threads, unsigned subsample)
{
    VmafContext *context = NULL;
    VmafConfiguration cfg = {.log_level = level, .n_threads = threads, .n_subsample = subsample};
    return vmaf_init(&context, cfg) ? NULL : context;
}

static int feed_as(VmafContext *context, unsigned index, enum VmafPixelFormat format, unsigned depth, unsigned noise)
{
    VmafPicture ref, dist;
    int failed = vmaf_picture_alloc(&ref, format, depth, WIDTH, HEIGHT);
    if (failed)
        return failed;
    failed = vmaf_picture_alloc(&dist, format, depth, WIDTH, HEIGHT);
    if (!failed) {
        paint(&ref, index, 3);
        paint(&dist, index, noise);
        failed = vmaf_read_pictures(context, &ref, &dist, index);
        vmaf_picture_unref(&dist); /* libaom frees it, too, even after a failure */
    }
    vmaf_picture_unref(&ref);
    return failed;
}

static int feed(VmafContext *context, unsigned index)
{
    return feed_as(context, index, VMAF_PIX_FMT_YUV420P, 8, 19);
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

/* ---- Names ----------------------------------------------------------------------------------------------------- */

static void names(void)
{
    VmafContext *v = open_context(VMAF_LOG_LEVEL_NONE, 0, 0);
    VmafModelConfig unnamed = {0};
    VmafModel *m = NULL;
    VmafFeatureDictionary *d = NULL;
    double s = 0, again = 0;
    vmaf_model_load(&m, &unnamed, "vmaf_v0.6.1");
    vmaf_use_features_from_model(v, m);
    vmaf_feature_dictionary_set(&d, "cambi_vis_lum_threshold", "0.06");
    vmaf_feature_dictionary_set(&d, "cambi_max_val", "17");
    RETURNS(vmaf_use_feature(v, "cambi", d), 0);
    /* Numbers are rounded to floats. An option at its default does not appear in the feature's name. */
    RETURNS(vmaf_use_feature(v, "adm", options("adm_enhn_gain_limit", "1.23456789")), 0);
    RETURNS(vmaf_use_feature(v, "vif", options("vif_enhn_gain_limit", "100.0")), 0);
    /* An unknown option is ignored. The feature thus equals the previous one and is computed once. */
    RETURNS(vmaf_use_feature(v, "vif", options("nosuch", "x")), 0);
    for (unsigned i = 0; i < 3; i++)
        RETURNS(feed(v, i), 0);
    RETURNS(flush(v), 0);
    RETURNS(vmaf_feature_score_at_index(v, "cambi_cmxv_17_vlt_0.06", &s, 1), 0);
    RETURNS(vmaf_feature_score_at_index(v, "cambi_vlt_0.06_cmxv_17", &s, 1), -EINVAL);
    RETURNS(vmaf_feature_score_at_index(v, "integer_adm2_egl_1.23457", &s, 1), 0);
    RETURNS(vmaf_feature_score_at_index(v, "integer_vif_scale0_egl_100", &s, 1), -EINVAL);
    /* A model without a name gets the name "vmaf", and is computed once. */
    RETURNS(vmaf_feature_score_at_index(v, "vmaf", &s, 1), -EINVAL);
    RETURNS(vmaf_score_at_index(v, m, &s, 1), 0);
    RETURNS(vmaf_feature_score_at_index(v, "vmaf", &again, 1), 0);
    CHECK(s == again);
    RETURNS(vmaf_import_feature_score(v, "vmaf", 12, 2), 0);
    RETURNS(vmaf_score_at_index(v, m, &s, 2), 0);
    CHECK(s == 12);
    vmaf_model_destroy(m);
    vmaf_close(v);
}

/* ---- Pictures -------------------------------------------------------------------------------------------------- */

/* Reused memory must be zeros, too: FFmpeg 5.1 fills only half of each row above 8 bits. */
static void reused(void)
{
    VmafContext *v = open_context(VMAF_LOG_LEVEL_NONE, 0, 0); /* the context keeps memory of pictures */
    VmafPicture p;
    unsigned sum = 0;
    for (int turn = 0; turn < 3; turn++) {
        vmaf_picture_alloc(&p, VMAF_PIX_FMT_YUV420P, 10, WIDTH, HEIGHT);
        for (unsigned plane = 0; plane < 3; plane++)
            for (size_t i = 0; i < (size_t)p.stride[plane] * p.h[plane]; i++)
                sum |= ((uint8_t *)p.data[plane])[i];
        for (unsigned plane = 0; plane < 3; plane++)
            memset(p.data[plane], 0xa5, (size_t)p.stride[plane] * p.h[plane]);
        vmaf_picture_unref(&p);
    }
    CHECK(!sum);
    vmaf_close(v);
}

/* GStreamer's element declares pictures with luma only. */
static void one_plane(void)
{
    VmafContext *v = open_context(VMAF_LOG_LEVEL_NONE, 1, 0), *w = open_context(VMAF_LOG_LEVEL_NONE, 0, 0);
    double s[2] = {0, 1};
    RETURNS(vmaf_use_feature(v, "psnr", options("enable_chroma", "false")), 0);
    RETURNS(vmaf_use_feature(v, "float_ssim", NULL), 0);
    RETURNS(vmaf_use_feature(w, "psnr", options("enable_chroma", "false")), 0);
    RETURNS(vmaf_use_feature(w, "psnr_hvs", NULL), 0);
    RETURNS(feed_as(v, 0, VMAF_PIX_FMT_YUV400P, 10, 19), 0);
    RETURNS(feed_as(w, 0, VMAF_PIX_FMT_YUV420P, 10, 19), 0);
    RETURNS(flush(v), 0);
    RETURNS(flush(w), 0);
    RETURNS(vmaf_feature_score_at_index(v, "psnr_y", &s[0], 0), 0);
    RETURNS(vmaf_feature_score_at_index(w, "psnr_y", &s[1], 0), 0);
    CHECK(s[0] == s[1]);
    RETURNS(vmaf_feature_score_at_index(v, "psnr_cb", &s[0], 0), -EINVAL);
    RETURNS(vmaf_feature_score_at_index(w, "psnr_cb", &s[0], 0), -EINVAL);
    RETURNS(vmaf_feature_score_at_index(w, "psnr_hvs_cb", &s[0], 0), 0);
    vmaf_close(v);
    vmaf_close(w);
}

/* A client may free a picture of a pool after the pool was closed. libvmaf waits for it. */
static void kept(void)
{
    VmafContext *v = open_context(VMAF_LOG_LEVEL_NONE, 0, 0);
    VmafPictureConfiguration cfg = {{WIDTH, HEIGHT, 8, VMAF_PIX_FMT_YUV420P}, 2};
    VmafPicture p;
    RETURNS(vmaf_preallocate_pictures(v, cfg), 0);
    RETURNS(vmaf_fetch_preallocated_picture(v, &p), 0);
    RETURNS(vmaf_close(v), 0);
    paint(&p, 0, 3);
    RETURNS(vmaf_picture_unref(&p), 0);
    RETURNS(vmaf_picture_unref(&p), -EINVAL);
}

/* A pair of another size or depth is refused, and later pairs are accepted. */
static void another_size(bool libvmaf)
{
    VmafContext *v = open_context(VMAF_LOG_LEVEL_NONE, 0, 0);
    VmafPicture p[2];
    double s;
    RETURNS(vmaf_use_feature(v, "psnr", NULL), 0);
    RETURNS(feed(v, 0), 0);
    if (!libvmaf) /* libvmaf accepts another depth */
        RETURNS(feed_as(v, 1, VMAF_PIX_FMT_YUV420P, 10, 19), -EINVAL);
    RETURNS(feed_as(v, 1, VMAF_PIX_FMT_YUV444P, 8, 19), -EINVAL);
    for (int i = 0; i < 2; i++)
        vmaf_picture_alloc(&p[i], VMAF_PIX_FMT_YUV420P, 8, 2 * WIDTH, HEIGHT);
    RETURNS(vmaf_read_pictures(v, &p[0], &p[1], 1), -EINVAL);
    for (int i = 0; i < 2; i++)
        RETURNS(vmaf_picture_unref(&p[i]), 0);
    RETURNS(feed(v, 1), 0);
    RETURNS(flush(v), 0);
    RETURNS(vmaf_feature_score_pooled(v, "psnr_y", VMAF_POOL_METHOD_MEAN, &s, 0, 1), 0);
    vmaf_close(v);
}

/* Samples above the depth's maximum are refused, in pictures that are scored in place and in copied ones. */
static void deep(void)
{
    VmafPictureConfiguration cfg = {{WIDTH, HEIGHT, 10, VMAF_PIX_FMT_YUV420P}, 4};
    for (int pool = 0; pool < 2; pool++)
        for (int bad = 0; bad < 2; bad++) {
            VmafContext *v = open_context(VMAF_LOG_LEVEL_NONE, 0, 0);
            VmafPicture p[2];
            int failed = vmaf_use_feature(v, "psnr", NULL) | vmaf_preallocate_pictures(v, cfg);
            for (int i = 0; i < 2 && !failed; i++) {
                failed = pool ? vmaf_fetch_preallocated_picture(v, &p[i])
                              : vmaf_picture_alloc(&p[i], VMAF_PIX_FMT_YUV420P, 10, WIDTH, HEIGHT);
                paint(&p[i], 0, 3);
            }
            ((uint16_t *)p[1].data[2])[5] = bad ? 1024 : 1023;
            RETURNS(failed, 0);
            RETURNS(vmaf_read_pictures(v, &p[0], &p[1], 0), bad ? -EINVAL : 0);
            for (int i = 0; i < 2 && bad; i++)
                vmaf_picture_unref(&p[i]);
            vmaf_close(v);
        }
}

/* ---- Order ----------------------------------------------------------------------------------------------------- */

/* VapourSynth passes frames in any order. Motion then measures the change from the frame of the previous call. */
static void any_order(void)
{
    static const unsigned order[] = {0, 2, 1, 3};
    VmafContext *v = open_context(VMAF_LOG_LEVEL_NONE, 0, 0);
    double s[4] = {0};
    RETURNS(vmaf_use_feature(v, "motion", NULL), 0);
    RETURNS(vmaf_use_feature(v, "psnr", NULL), 0);
    for (int i = 0; i < 4; i++)
        RETURNS(feed(v, order[i]), 0);
    RETURNS(flush(v), 0);
    for (unsigned i = 0; i < 4; i++)
        RETURNS(vmaf_feature_score_at_index(v, "VMAF_integer_feature_motion_sad_score", &s[i], i), 0);
    CHECK(s[0] == 0 && s[1] > 0 && s[2] > s[1] && s[3] > s[1]);
    RETURNS(vmaf_feature_score_at_index(v, "VMAF_integer_feature_motion2_score", &s[0], 3), 0);
    vmaf_close(v);
}

/* Pooling ignores frames that n_subsample skipped. */
static void subsampled(void)
{
    VmafContext *v = open_context(VMAF_LOG_LEVEL_NONE, 0, 2);
    double s, first, third;
    RETURNS(vmaf_use_feature(v, "vif", NULL), 0);
    for (unsigned i = 0; i < 4; i++)
        RETURNS(feed(v, i), 0);
    RETURNS(flush(v), 0);
    const char *name = "VMAF_integer_feature_vif_scale0_score";
    RETURNS(vmaf_feature_score_at_index(v, name, &first, 0), 0);
    RETURNS(vmaf_feature_score_at_index(v, name, &s, 1), -EINVAL);
    RETURNS(vmaf_feature_score_at_index(v, name, &third, 2), 0);
    RETURNS(vmaf_feature_score_pooled(v, name, VMAF_POOL_METHOD_MEAN, &s, 0, 3), 0);
    CHECK(fabs(s - (first + third) / 2) < 1e-15);
    vmaf_close(v);
}

/* ---- Log messages, and misuse ---------------------------------------------------------------------------------- */

/* Stores in `text` what a failing call logs: vmaf_use_feature(), or vmaf_model_load() if `feature` is NULL. */
static void listen(char *text, size_t size, enum VmafLogLevel level, const char *feature)
{
    char path[64];
    VmafContext *v = open_context(level, 0, 0);
    VmafModel *m = NULL;
    VmafModelConfig cfg = {0};
    snprintf(path, sizeof path, "%s/told", folder);
    FILE *file = fopen(path, "w+");
    int before = dup(STDERR_FILENO);
    fflush(stderr);
    dup2(fileno(file), STDERR_FILENO);
    if (feature)
        vmaf_use_feature(v, feature, NULL);
    else
        vmaf_model_load(&m, &cfg, "nosuch");
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    rewind(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
    remove(path);
    vmaf_close(v);
}

static void told(bool libvmaf)
{
    char text[400];
    unsetenv("FOVEA_LOG");
    listen(text, sizeof text, VMAF_LOG_LEVEL_WARNING, NULL);
    tap_case(&tap, !strcmp(text, "libvmaf WARNING no such built-in model: \"nosuch\"\n"), "a warning is told", text);
    listen(text, sizeof text, VMAF_LOG_LEVEL_ERROR, NULL);
    tap_case(&tap, !*text, "it is not, when errors only are wanted", text);
    if (libvmaf)
        return;
    listen(text, sizeof text, VMAF_LOG_LEVEL_ERROR, "float_psnr");
    tap_case(&tap, strstr(text, "\"float_psnr\" is left out") && strstr(text, "; of whole numbers there is psnr\n"),
             "what is left out says why", text);
    listen(text, sizeof text, VMAF_LOG_LEVEL_ERROR, "float_moment");
    tap_case(&tap, strstr(text, "\"float_moment\" is left out") && !strchr(text, ';'),
             "and what there is instead only where there is something", text);
}

static void misuse(bool libvmaf)
{
    VmafContext *v = open_context(VMAF_LOG_LEVEL_NONE, 0, 0);
    char path[64];
    snprintf(path, sizeof path, "%s/kept", folder);
    FILE *file = fopen(path, "w");
    fputs("before", file);
    fclose(file);
    RETURNS(vmaf_use_feature(v, "psnr", NULL), 0);
    RETURNS(feed(v, 0), 0);
    RETURNS(vmaf_write_output(v, path, VMAF_OUTPUT_FORMAT_NONE), -EINVAL);
    char text[16] = "";
    file = fopen(path, "r");
    text[fread(text, 1, 15, file)] = '\0';
    fclose(file);
    remove(path);
    /* Unlike fovea, libvmaf empties the file. It also frees a dictionary that it refuses, which callers such as
     * VapourSynth's plugin then free again. */
    if (!libvmaf) {
        CHECK(!strcmp(text, "before"));
        VmafFeatureDictionary *d = options("window_size", "7");
        RETURNS(vmaf_use_feature(v, "cambi", d), -EINVAL);
        RETURNS(vmaf_feature_dictionary_free(&d), 0);
        for (int i = 0; i < 40; i++)
            vmaf_use_feature(v, "cambi", options("window_size", "7"));
    }
    vmaf_close(v); /* closed without flush() */
}

int main(int argc, char **argv)
{
    const bool libvmaf = argc > 1 && !strcmp(argv[1], "libvmaf");
    if (!mkdtemp(folder))
        return 1;
    setvbuf(stdout, NULL, _IOLBF, 0);
    names();
    reused();
    one_plane();
    if (!libvmaf) {
        kept();
        deep();
    }
    another_size(libvmaf);
    any_order();
    subsampled();
    told(libvmaf);
    misuse(libvmaf);
    tap_case(&tap, !rmdir(folder), "nothing is left in the folder", folder);
    return tap_done(&tap);
}
