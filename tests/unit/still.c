/* Tests stills: after every change of options, the map and the scores equal those of a new still, on every device. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

static FvFormat format = {.width = 131, .height = 70, .chroma = FV_CHROMA_420, .depth = 10};
static const char *device;

static FvFrame *frame_of(unsigned seed)
{
    FvFrame *frame;
    assert_int_equal(fv_frame_alloc(&frame, &format, NULL), FV_OK);
    for (int plane = 0; plane < 3; plane++) {
        int width, height;
        fv_format_plane_size(&format, plane, &width, &height);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                seed = seed * 1664525u + 1013904223u;
                ((uint16_t *)(frame->data[plane] + y * frame->stride[plane]))[x] =
                    (uint16_t)(300 + 3 * x + (seed >> 16) % 60);
            }
    }
    return frame;
}

static FvStill *open_still(FvFrame *ref, FvFrame *dis)
{
    FvStill *still = NULL;
    FvError error = {0};
    if (fv_still_open(&still, &(FvStillParams){.device = device, .threads = 2}, ref, dis, &error))
        fail_msg("%s", error.message);
    return still;
}

static void test_stopped(void **state)
{
    FvFrame *ref = frame_of(1), *dis = frame_of(2);
    FvCancel *cancel = NULL;
    FvStill *still = NULL;
    FvMap map;
    assert_works(fv_cancel_open(&cancel, error));
    assert_works(
        fv_still_open(&still, &(FvStillParams){.device = device, .threads = 2, .cancel = cancel}, ref, dis, error));
    assert_works(fv_still_map(still, "vdm", "jnd", &map, error));
    fv_cancel_request(cancel);
    assert_fails(fv_still_map(still, "vdm=n=3", "jnd", &map, error), FV_ERROR_PARTIAL, "stopped on request");
    assert_true(isnan(fv_still_value(still, "vdm")));
    fv_still_close(&still);
    fv_cancel_close(&cancel);
    fv_frame_unref(&ref);
    fv_frame_unref(&dis);
}

static void test_changes(void **state)
{
    static const char *const views[] = {
        "vdm",
        "vdm=n=3",
        "vdm=n=3:w=0.5:kappa=4",
        "vdm=distance_h=6",
        "vdm=distance_h=6:lw=300",
        "vdm=levels=3",
        "vdm=levels=3:csf_gain=1",
        "vdm=levels=3:pool=1:q=3",
        "vdm=psych_slope=2",
        "psnr_hvs",
        "vdm",
        "vdm=optics=false",
        "vdm=optics=false:distance_h=2", /* reuses the pyramids */
        "vdm=ppd=200",
        "vdm=ppd=200:n=3",
        "vdm=retinal_ppd=10",
        "vdm=roi='40:30:6:4'", /* GPUs run neither this entry nor later ones */
        "vdm=roi='40:30:6:4':n=3",
        "butteraugli=roi='40:30:6:4'",
    };
    FvFrame *ref = frame_of(1), *dis = frame_of(2);
    FvStill *still = open_still(ref, dis);
    for (unsigned i = 0; i < sizeof views / sizeof *views && !(device && strstr(views[i], "roi")); i++) {
        const char *name = strncmp(views[i], "vdm", 3) ? NULL : "jnd";
        FvStill *fresh = open_still(ref, dis);
        FvMap map = {0}, expected = {0};
        assert_works(fv_still_map(still, views[i], name, &map, error));
        assert_works(fv_still_map(fresh, views[i], name, &expected, error));
        assert_int_equal(map.width, expected.width);
        assert_int_equal(map.height, expected.height);
        for (int y = 0; y < map.height; y++)
            if (memcmp(map.data + y * map.stride, expected.data + y * expected.stride, map.width * sizeof(float)))
                fail_msg("%s: row %d of the map differs", views[i], y);
        static const char *const outputs[] = {"vdm_mean", "vdm_p50", "vdm_p99"};
        for (int o = 0; o < (name ? 3 : 1); o++) {
            const char *output = name ? outputs[o] : views[i][0] == 'b' ? "butteraugli_p3" : "psnr_hvs_y";
            double value = fv_still_value(still, output), wanted = fv_still_value(fresh, output);
            assert_false(isnan(value));
            if (memcmp(&value, &wanted, sizeof value))
                fail_msg("%s: %s is %.17g, not %.17g", views[i], output, value, wanted);
        }
        fv_still_close(&fresh);
    }
    fv_still_close(&still);
    fv_frame_unref(&ref);
    fv_frame_unref(&dis);
}

/* After a change of the pair, maps equal those of a still that was opened with it, even after a refusal or with
 * another format. */
static void test_pairs(void **state)
{
    const FvFormat whole = format;
    FvFrame *a = frame_of(1), *b = frame_of(2), *c = frame_of(3);
    format.width = 64;
    FvFrame *d = frame_of(4), *e = frame_of(5);
    format.width = 216;
    FvFrame *f = frame_of(6);
    format = whole;
    FvFrame *const pairs[][2] = {{a, b}, {b, c}, {b, c}, {d, e}, {c, a}, {NULL, f}, {a, b}};
    FvStill *still = open_still(a, b);
    for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        if (device && !pairs[i][0])
            continue; /* software devices take seconds for this metric */
        const char *metric = pairs[i][0] ? "vdm=distance_h=4" : "cambi", *name = pairs[i][0] ? "jnd" : "cambi_0";
        FvStill *fresh = open_still(pairs[i][0], pairs[i][1]);
        FvMap map = {0}, expected = {0};
        assert_works(fv_still_pair(still, pairs[i][0], pairs[i][1], error));
        assert_true(isnan(fv_still_value(still, "vdm_mean")));
        assert_works(fv_still_map(still, metric, name, &map, error));
        assert_works(fv_still_map(fresh, metric, name, &expected, error));
        assert_int_equal(map.width, expected.width);
        for (int y = 0; y < map.height; y++)
            assert_memory_equal(map.data + y * map.stride, expected.data + y * expected.stride,
                                map.width * sizeof(float));
        fv_still_close(&fresh);
        if (i < 3)
            continue; /* the first pairs follow each other and reuse data of their predecessors */
        assert_fails(fv_still_pair(still, a, d, error), FV_ERROR_INPUT, "differ");
        assert_fails(fv_still_map(still, metric, name, &map, error), FV_ERROR_USAGE, "no pair");
    }
    fv_still_close(&still);
    FvFrame *frames[] = {a, b, c, d, e, f};
    for (int i = 0; i < 6; i++)
        fv_frame_unref(&frames[i]);
}

/* A map that stays on the device has the shape and the scores of a fetched map and, on the CPU, its values. */
static void test_on_device(void **state)
{
    FvFrame *ref = frame_of(1), *dis = frame_of(2);
    FvStill *still = open_still(ref, dis), *fetched = open_still(ref, dis);
    FvDeviceHandles handles;
    FvDeviceMap map = {0};
    FvMap expected = {0};
    fv_still_device(still, &handles);
    assert_memory_equal(handles.kind, device ? device : "cpu", strlen(handles.kind));
    static const char *const views[] = {"vdm", "vdm=kappa=3", "vdm=distance_h=5:kappa=3"};
    for (unsigned i = 0; i < sizeof views / sizeof *views; i++) {
        assert_works(fv_still_map_on_device(still, views[i], "jnd", &map, error));
        assert_works(fv_still_map(fetched, views[i], "jnd", &expected, error));
        assert_int_equal(map.width, expected.width);
        assert_int_equal(map.height, expected.height);
        assert_string_equal(map.info->name, "jnd");
        assert_true(map.address != 0 && map.stride >= map.width);
        assert_true(fv_still_value(still, "vdm_mean") == fv_still_value(fetched, "vdm_mean"));
        for (int y = 0; !device && y < map.height; y++)
            assert_memory_equal((const float *)(uintptr_t)map.address + y * map.stride,
                                expected.data + y * expected.stride, map.width * sizeof(float));
    }
    /* A map on the device can still be fetched. */
    FvMap again = {0};
    assert_works(fv_still_map(still, "vdm=distance_h=5:kappa=3", "jnd", &again, error));
    for (int y = 0; y < map.height; y++)
        assert_memory_equal(again.data + y * again.stride, expected.data + y * expected.stride,
                            map.width * sizeof(float));
    assert_fails(fv_still_map_on_device(still, "vdm", NULL, &map, error), FV_ERROR_USAGE, "NULL");
    assert_fails(fv_still_map_on_device(still, "vdm", "heat", &map, error), FV_ERROR_USAGE, "no map 'heat'");
    fv_still_close(&still);
    fv_still_close(&fetched);
    fv_frame_unref(&ref);
    fv_frame_unref(&dis);
}

/* A map that is refused leaves the scores of the previous map in place. */
static void test_refusals(void **state)
{
    FvFrame *ref = frame_of(1), *dis = frame_of(2);
    FvStill *still = open_still(ref, dis), *alone = open_still(NULL, dis);
    FvMap map = {0};
    assert_true(isnan(fv_still_value(still, "vdm_mean")));
    assert_works(fv_still_map(still, "vdm", "jnd", &map, error));
    double mean = fv_still_value(still, "vdm_mean");
    assert_fails(fv_still_map(still, "vdm=n=9", "jnd", NULL, error), FV_ERROR_USAGE, "n");
    assert_fails(fv_still_map(still, "vdm=lb=90", "jnd", NULL, error), FV_ERROR_USAGE, "lb=90");
    assert_fails(fv_still_map(still, "vdm", "heat", NULL, error), FV_ERROR_USAGE, "no map 'heat'");
    assert_fails(fv_still_map(still, "cambi=heatmaps_path=x", NULL, NULL, error), FV_ERROR_USAGE,
                 "maps to files, which a still does not");
    assert_fails(fv_still_map(alone, "vdm", "jnd", NULL, error), FV_ERROR_USAGE, "reference");
    assert_true(fv_still_value(still, "vdm_mean") == mean);
    assert_true(isnan(fv_still_value(still, "psnr_y")));
    assert_works(fv_still_map(still, "vdm", NULL, &map, error));
    assert_null(map.data);
    assert_true(fv_still_value(still, "vdm_mean") == mean);
    fv_still_close(&still);
    fv_still_close(&alone);
    fv_still_close(&still);
    fv_frame_unref(&ref);
    fv_frame_unref(&dis);
}

int main(int argc, char **argv)
{
    device = argc > 1 ? argv[1] : NULL;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stopped), cmocka_unit_test(test_changes),
                                       cmocka_unit_test(test_pairs), cmocka_unit_test(test_on_device),
                                       cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
