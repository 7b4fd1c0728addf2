/*
 * Tests every function of libvmaf's interface, with valid and invalid arguments and in every order in which clients
 * call them. The expected results were recorded from libvmaf 3.2, with which this program can also run.
 *
 *     test-libvmaf-calls [FOLDER-OF-RECORDED-REPORTS | --record FOLDER]
 */
#include "calls.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Tap tap;
static char folder[] = "/tmp/fovea-libvmaf-XXXXXX";

VmafContext *open_context(unsigned threads, unsigned subsample)
{
    VmafContext *context = NULL;
    /* libaom leaves gpumask uninitialised, so the library must ignore it. */
    VmafConfiguration cfg = {
        .log_level = VMAF_LOG_LEVEL_NONE, .n_threads = threads, .n_subsample = subsample, .gpumask = 0x5a5a5a5a5a5au};
    return vmaf_init(&context, cfg) ? NULL : context;
}

VmafModel *load(const char *version, const char *name, uint64_t flags)
{
    VmafModel *model = NULL;
    VmafModelConfig cfg = {name, flags};
    return vmaf_model_load(&model, &cfg, version) ? NULL : model;
}

int alloc_pair(VmafPicture *ref, VmafPicture *dist, unsigned number)
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

/* Feeds a pair of pictures. If that fails, the caller still owns and frees them. */
int feed(VmafContext *context, unsigned index)
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

int flush(VmafContext *context)
{
    return vmaf_read_pictures(context, NULL, NULL, 0);
}

VmafFeatureDictionary *options(const char *key, const char *value)
{
    VmafFeatureDictionary *dict = NULL;
    return vmaf_feature_dictionary_set(&dict, key, value) ? NULL : dict;
}

const char *place(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
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
    check_twice();
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
