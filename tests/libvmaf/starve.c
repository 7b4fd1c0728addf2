/*
 * Fails the n-th allocation, thread or file, for every n, in a program that uses libvmaf's interface as clients do.
 * Each failure must come back as a negative number or not matter, nothing may crash or, under AddressSanitizer, leak,
 * and a successful run has the score of an undisturbed one. The linker redirects the calls.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libvmaf/libvmaf.h"
#include "picture.h"
#include "tap/tap.h"
#include "torture/failing.h"

static char path[64];

static int feed(VmafContext *context, unsigned index)
{
    VmafPicture ref = {0}, dist = {0};
    int failed = vmaf_fetch_preallocated_picture(context, &ref);
    if (!failed)
        failed = vmaf_picture_alloc(&dist, VMAF_PIX_FMT_YUV420P, 8, 64, 64);
    if (!failed) {
        paint(&ref, index, 3);
        paint(&dist, index, 19);
        failed = vmaf_read_pictures(context, &ref, &dist, index);
    }
    vmaf_picture_unref(&ref);
    vmaf_picture_unref(&dist);
    return failed;
}

static int score(VmafContext *context, VmafModel *model, VmafModelCollection *collection, double *result)
{
    VmafFeatureDictionary *options = NULL;
    VmafModelCollectionScore many;
    VmafPictureConfiguration pictures = {{64, 64, 8, VMAF_PIX_FMT_YUV420P}, 2};
    int failed = vmaf_feature_dictionary_set(&options, "adm_enhn_gain_limit", "1.5");
    if (!failed)
        failed = vmaf_model_feature_overload(model, "adm", options);
    else
        vmaf_feature_dictionary_free(&options);
    options = NULL;
    failed = failed ? failed : vmaf_use_features_from_model(context, model);
    failed = failed ? failed : vmaf_use_features_from_model_collection(context, collection);
    failed = failed ? failed : vmaf_feature_dictionary_set(&options, "enable_mse", "true");
    if (!failed)
        failed = vmaf_use_feature(context, "psnr", options);
    else
        vmaf_feature_dictionary_free(&options);
    failed = failed ? failed : vmaf_preallocate_pictures(context, pictures);
    for (unsigned i = 0; i < 2 && !failed; i++)
        failed = feed(context, i);
    failed = failed ? failed : vmaf_read_pictures(context, NULL, NULL, 0);
    failed = failed ? failed : vmaf_score_pooled(context, model, VMAF_POOL_METHOD_MEAN, result, 0, 1);
    failed =
        failed ? failed : vmaf_score_pooled_model_collection(context, collection, VMAF_POOL_METHOD_MEAN, &many, 0, 1);
    failed = failed ? failed : vmaf_import_feature_score(context, "mine", 1, 3);
    return failed ? failed : vmaf_write_output(context, path, VMAF_OUTPUT_FORMAT_JSON);
}

static int run(unsigned threads, double *result)
{
    VmafContext *context = NULL;
    VmafModel *model = NULL, *main_model = NULL;
    VmafModelCollection *collection = NULL;
    VmafModelConfig cfg = {.name = "one"}, many = {.name = "many"};
    int failed = vmaf_init(&context, (VmafConfiguration){.log_level = VMAF_LOG_LEVEL_NONE, .n_threads = threads});
    failed = failed ? failed : vmaf_model_load(&model, &cfg, "vmaf_v0.6.1");
    failed = failed ? failed : vmaf_model_collection_load(&main_model, &collection, &many, "vmaf_b_v0.6.3");
    failed = failed ? failed : score(context, model, collection, result);
    vmaf_model_destroy(model);
    vmaf_model_destroy(main_model);
    vmaf_model_collection_destroy(collection);
    if (context)
        vmaf_close(context);
    return failed;
}

static void starve(Tap *tap, unsigned threads)
{
    double want = 0, got = 0;
    char what[96], why[96] = "";
    bool good = !run(threads, &want);
    counting = true;
    calls = 0;
    countdown = -1;
    good = good && !run(threads, &got) && got == want;
    long total = calls;
    for (long n = 1; n <= total && good; n++) {
        unlink(path);
        countdown = n;
        got = 0;
        int failed = run(threads, &got);
        countdown = -1;
        good = failed <= 0 && (failed || got == want) && (failed || !access(path, R_OK));
        if (!good)
            snprintf(why, sizeof why, "number %ld of %ld: returned %d, score %.17g", n, total, failed, got);
    }
    counting = false;
    snprintf(what, sizeof what, "each of %ld allocations fails once, with %u threads", total, threads);
    tap_case(tap, good, what, why);
}

int main(void)
{
    Tap tap = {0};
    char folder[] = "/tmp/fovea-libvmaf-XXXXXX";
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!mkdtemp(folder))
        return 1;
    setenv("FOVEA_DEVICE", "cpu", 1);
    snprintf(path, sizeof path, "%s/report", folder);
    starve(&tap, 0);
    starve(&tap, 2);
    unlink(path);
    tap_case(&tap, !rmdir(folder), "nothing is left in the folder", folder);
    return tap_done(&tap);
}
