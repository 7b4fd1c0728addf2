/* Frames, formats, colours and pixels. */
#include "misuse.h"

#include <math.h>

#include "fovea/check.h"
#include "fovea/pixels.h"
#include "fovea/rgb.h"

static ptrdiff_t strides[3] = {48, 24, 24};

static bool plane_size_is_nothing(const FvFormat *of, int plane)
{
    int width = 5, height = 5;
    fv_format_plane_size(of, plane, &width, &height);
    return !width && !height;
}

static bool describes_nothing(void)
{
    char text[64] = "before";
    FvFormat wrong = format;
    wrong.chroma = (FvChroma)WRONG;
    wrong.range = (FvRange)WRONG;
    return !fv_format_describe(&format, NULL, 0) && fv_format_describe(NULL, text, sizeof text) == text && !*text &&
           strstr(fv_format_describe(&wrong, text, sizeof text), "48x32");
}

static bool names_nothing(void)
{
    char text[64] = "before";
    return fv_colour_name((FvColourTag)WRONG, -5, text, sizeof text) == text && strcmp(text, "before");
}

static bool refuses_format(FvFormat wrong)
{
    FvFrame *made = frame;
    return usage(fv_frame_alloc(&made, &wrong, &error)) && !made;
}

/* Refused frames leave their planes to the caller, whatever is wrong. */
static bool borrows_nothing(void)
{
    int released = 0;
    void *data[3] = {frame->data[0], frame->data[1], frame->data[2]},
         *odd[3] = {frame->data[0] + 1, data[1], data[2]};
    const ptrdiff_t narrow[3] = {0, 64, 64};
    FvFrame *made = frame;
    bool good = usage(fv_frame_borrow(&made, &format, data, frame->stride, NULL, &released, &error)) && !released &&
                usage(fv_frame_borrow(NULL, &format, data, frame->stride, count_release, &released, &error)) &&
                usage(fv_frame_borrow(&made, NULL, data, frame->stride, count_release, &released, &error)) && !made &&
                usage(fv_frame_borrow(&made, &format, NULL, frame->stride, count_release, &released, &error)) &&
                usage(fv_frame_borrow(&made, &format, data, NULL, count_release, &released, &error)) &&
                usage(fv_frame_borrow(&made, &format, odd, frame->stride, count_release, &released, &error)) &&
                usage(fv_frame_borrow(&made, &format, data, narrow, count_release, &released, &error)) && !made &&
                released == 6;
    good = good && !fv_frame_borrow(&made, &format, data, frame->stride, count_release, &released, &error) &&
           made->data[1] == frame->data[1] && released == 6;
    fv_frame_unref(&made);
    return good && released == 7;
}

/* Returns whether pixels with one wrong member become no frame. */
static bool refuses_pixels(FvPixels wrong, int depth, int matrix)
{
    FvFrame *made = frame;
    const FvFormat rgb = {.width = 2, .height = 1, .chroma = FV_CHROMA_RGB, .depth = depth};
    return usage(fv_frame_from_pixels(&made, NULL, &rgb, &wrong, matrix, &error)) && !made;
}

static void check_pixels(void)
{
    const double numbers[8] = {0, 0.5, 1};
    const FvPixels right = {.address = (uint64_t)(uintptr_t)numbers,
                            .row = 48,
                            .pixel = 24,
                            .component = 8,
                            .components = 3,
                            .type = FV_SAMPLE_FLOAT64,
                            .highest = 1};
    const FvFormat rgb = {.width = 2, .height = 1, .chroma = FV_CHROMA_RGB, .depth = 8};
    FvFrame *made = NULL;
    CHECK(fv_frame_from_pixels, !fv_frame_from_pixels(&made, NULL, &rgb, &right, 1, &error) &&
                                    made->data[1][0] == 128 && fv_frame_ycbcr(made));
    fv_frame_unref(&made);
    CHECK(fv_frame_from_pixels, usage(fv_frame_from_pixels(NULL, NULL, &rgb, &right, 1, &error)));
    CHECK(fv_frame_from_pixels, usage(fv_frame_from_pixels(&made, NULL, NULL, &right, 1, &error)));
    CHECK(fv_frame_from_pixels, usage(fv_frame_from_pixels(&made, NULL, &rgb, NULL, 1, &error)));
    CHECK(fv_frame_from_pixels, usage(fv_frame_from_pixels(&made, NULL, &format, &right, 1, &error)));
    CHECK(fv_frame_from_pixels, usage(fv_frame_from_pixels(&made, started(), &rgb, &right, 1, &error)));
    CHECK(fv_frame_from_pixels, refuses_pixels(right, 8, 2));
    CHECK(fv_frame_from_pixels, refuses_pixels(right, 17, 1));
#define WRONG_PIXELS(MEMBER, VALUE)                                                                                  \
    do {                                                                                                             \
        FvPixels wrong = right;                                                                                      \
        wrong.MEMBER = VALUE;                                                                                        \
        CHECK(fv_frame_from_pixels, refuses_pixels(wrong, 8, 1));                                                    \
    } while (0)
    WRONG_PIXELS(address, 0);
    WRONG_PIXELS(type, (FvSampleType)WRONG);
    WRONG_PIXELS(type, FV_SAMPLE_UINT16);
    WRONG_PIXELS(components, 2);
    WRONG_PIXELS(rounding, (FvRounding)WRONG);
    WRONG_PIXELS(lowest, 1);
    WRONG_PIXELS(lowest, -2e30);
    WRONG_PIXELS(highest, 0.75);
    WRONG_PIXELS(highest, (double)NAN);
    WRONG_PIXELS(highest, 1e-31);
    FvPixels alpha = right;
    alpha.components = 4;
    alpha.background = -1;
    CHECK(fv_frame_from_pixels, refuses_pixels(alpha, 8, 1));
}

void check_pictures(void)
{
    check_pixels();
    CHECK(fv_colour_name, !fv_colour_name(FV_TAG_MATRIX, 1, NULL, 9) && names_nothing());
    CHECK(fv_colour_code, fv_colour_code(FV_TAG_MATRIX, NULL) == -1 && fv_colour_code(FV_TAG_MATRIX, "256") == -1 &&
                              fv_colour_code((FvColourTag)WRONG, "bt709") == -1);
    CHECK(fv_siting_parse, fv_siting_parse(NULL) == FV_SITING_UNKNOWN && !fv_siting_parse("unknown"));
    CHECK(fv_version, *fv_version());
    CHECK(fv_numerics_version, fv_numerics_version() > 0);
    CHECK(fv_error_code, !*fv_error_code(NULL));
    CHECK(fv_error_code, !*fv_error_code(&(FvError){.status = FV_END}));
    CHECK(fv_error_code, !*fv_error_code(&(FvError){.status = (FvStatus)WRONG}));
    FvError long_message = {.status = FV_ERROR_OUTPUT};
    memset(long_message.message, 0xff, sizeof long_message.message - 1);
    CHECK(fv_error_code, !strcmp(fv_error_code(&long_message), "output"));
    CHECK(fv_nearest, !fv_nearest(NULL, (const char *[]){"a"}, 1));
    CHECK(fv_nearest, !fv_nearest("a", NULL, 1));
    CHECK(fv_nearest, !fv_nearest("a", (const char *[]){NULL}, 1));
    CHECK(fv_nearest, !fv_nearest("a", (const char *[]){"a"}, -1));
    CHECK(fv_cancel_open, usage(fv_cancel_open(NULL, &error)));
    CHECK(fv_cancel_request, (fv_cancel_request(NULL), true));
    CHECK(fv_cancel_requested, !fv_cancel_requested(NULL) && !fv_cancel_requested(cancel));
    CHECK(fv_cancel_close, (fv_cancel_close(NULL), true));
    FvStill *still = NULL;
    CHECK(fv_still_open, usage(fv_still_open(NULL, &(FvStillParams){.threads = 1}, NULL, frame, &error)));
    CHECK(fv_still_open, usage(fv_still_open(&still, NULL, NULL, frame, &error)));
    CHECK(fv_still_open, usage(fv_still_open(&still, &(FvStillParams){.threads = -1}, NULL, frame, &error)));
    CHECK(fv_still_pair, usage(fv_still_pair(NULL, NULL, frame, &error)));
    CHECK(fv_still_map, usage(fv_still_map(NULL, "vdm", "jnd", NULL, &error)));
    FvDeviceMap on_device;
    CHECK(fv_still_map_on_device, usage(fv_still_map_on_device(NULL, "vdm", "jnd", &on_device, &error)));
    FvDeviceHandles of_still = {.kind = "?"};
    CHECK(fv_still_device, (fv_still_device(NULL, &of_still), fv_still_device(NULL, NULL), !of_still.kind));
    CHECK(fv_still_value, isnan(fv_still_value(NULL, "vdm_mean")));
    CHECK(fv_still_close, (fv_still_close(NULL), true));
    CHECK(fv_format_planes, !fv_format_planes(NULL));
    CHECK(fv_format_plane_size, (fv_format_plane_size(NULL, 0, NULL, NULL), true));
    CHECK(fv_format_plane_size, plane_size_is_nothing(NULL, 0));
    CHECK(fv_format_plane_size, plane_size_is_nothing(&format, 3));
    CHECK(fv_format_plane_size, plane_size_is_nothing(&format, -1));
    CHECK(fv_format_sample_bytes, !fv_format_sample_bytes(NULL));
    CHECK(fv_format_describe, describes_nothing());
    CHECK(fv_frame_alloc, usage(fv_frame_alloc(NULL, &format, &error)));
    CHECK(fv_frame_alloc, usage(fv_frame_alloc(&(FvFrame *){NULL}, NULL, &error)));
    CHECK(fv_frame_alloc,
          refuses_format((FvFormat){.width = 48, .height = 32, .chroma = (FvChroma)WRONG, .depth = 8}));
    CHECK(fv_frame_alloc, refuses_format((FvFormat){.width = 48, .height = 32, .chroma = (FvChroma)-1, .depth = 8}));
    CHECK(fv_frame_alloc, refuses_format((FvFormat){.width = 48, .height = 32, .depth = 8, .range = (FvRange)WRONG}));
    CHECK(fv_frame_alloc, refuses_format((FvFormat){.width = 48, .height = 32, .depth = 7}));
    CHECK(fv_frame_alloc, refuses_format((FvFormat){.width = 48, .height = 32, .depth = 17}));
    CHECK(fv_frame_alloc, refuses_format((FvFormat){.width = INT32_MAX, .height = INT32_MAX, .depth = 8}));
    CHECK(fv_frame_copy, usage(fv_frame_copy(NULL, &format, planes, strides, &error)));
    CHECK(fv_frame_copy, usage(fv_frame_copy(&(FvFrame *){NULL}, NULL, planes, strides, &error)));
    CHECK(fv_frame_copy, usage(fv_frame_copy(&(FvFrame *){NULL}, &format, NULL, strides, &error)));
    CHECK(fv_frame_copy, usage(fv_frame_copy(&(FvFrame *){NULL}, &format, (const void *[3]){NULL}, strides, &error)));
    CHECK(fv_frame_copy, usage(fv_frame_copy(&(FvFrame *){NULL}, &format, planes, NULL, &error)));
    CHECK(fv_source_decoder, !fv_source_decoder(NULL));
    CHECK(fv_frame_fill, usage(fv_frame_fill(NULL, planes, strides, &error)));
    CHECK(fv_frame_fill, usage(fv_frame_fill(&(FvFrame){.format = format}, NULL, strides, &error)));
    CHECK(fv_frame_fill, usage(fv_frame_fill(&(FvFrame){.format = format}, planes, NULL, &error)));
    CHECK(fv_frame_fill,
          usage(fv_frame_fill(&(FvFrame){.format = format}, (const void *[3]){NULL}, strides, &error)));
    CHECK(fv_frame_fill, usage(fv_frame_fill(&(FvFrame){.format = format}, planes, strides, &error)));
    CHECK(fv_raw_layout_row, !fv_raw_layout_row(NULL, 48, 0) && !fv_raw_layout_row("nv12", 48, 2) &&
                                 !fv_raw_layout_row("v210", 48, 1) && !fv_raw_layout_row("nv12", 0, -1));
    CHECK(fv_raw_layout_row, fv_raw_layout_row("p010", 47, 1) == 96 && fv_raw_layout_row("v210", 50, 0) == 256);
    CHECK(fv_frame_fill_layout, usage(fv_frame_fill_layout(NULL, "nv12", planes, strides, &error)));
    CHECK(fv_frame_fill_layout, usage(fv_frame_fill_layout(frame, NULL, planes, strides, &error)));
    CHECK(fv_frame_fill_layout, usage(fv_frame_fill_layout(frame, "nv12", NULL, strides, &error)));
    CHECK(fv_frame_fill_layout, usage(fv_frame_fill_layout(frame, "nv12", planes, NULL, &error)));
    CHECK(fv_frame_fill_layout,
          usage(fv_frame_fill_layout(&(FvFrame){.format = format}, "nv12", planes, strides, &error)));
    CHECK(fv_frame_fill_rgb, usage(fv_frame_fill_rgb(NULL, planes, strides, 3, &error)));
    CHECK(fv_frame_fill_rgb, usage(fv_frame_fill_rgb(frame, NULL, strides, 3, &error)));
    CHECK(fv_frame_fill_rgb, usage(fv_frame_fill_rgb(frame, planes, NULL, 3, &error)));
    CHECK(fv_frame_fill_rgb, usage(fv_frame_fill_rgb(&(FvFrame){.format = format}, planes, strides, 3, &error)));
    const void *const four[4] = {planes[0], planes[0], planes[0], planes[0]};
    const ptrdiff_t steps[4] = {0};
    CHECK(fv_frame_fill_rgba, usage(fv_frame_fill_rgba(NULL, four, steps, 4, 0, &error)));
    CHECK(fv_frame_fill_rgba, usage(fv_frame_fill_rgba(frame, NULL, steps, 4, 0, &error)));
    CHECK(fv_frame_fill_rgba, usage(fv_frame_fill_rgba(frame, four, NULL, 4, 0, &error)));
    CHECK(fv_frame_fill_rgba, usage(fv_frame_fill_rgba(frame, (const void *[4]){NULL}, steps, 4, 0, &error)));
    CHECK(fv_frame_fill_rgba, usage(fv_frame_fill_rgba(frame, four, steps, 4, 1 << 24, &error)));
    CHECK(fv_frame_fill_rgba, usage(fv_frame_fill_rgba(frame, four, steps, 4, -1, &error)));
    CHECK(fv_frame_set_ycbcr, usage(fv_frame_set_ycbcr(NULL, NULL, &error)));
    CHECK(fv_frame_set_ycbcr, usage(fv_frame_set_ycbcr(&(FvFrame *){NULL}, NULL, &error)));
    CHECK(fv_frame_set_ycbcr, usage(fv_frame_set_ycbcr(&frame, NULL, &error)));
    FvPreparer *preparer = NULL;
    CHECK(fv_preparer_open, usage(fv_preparer_open(NULL, NULL, &format, &format, &(FvScoreParams){0}, &error)));
    CHECK(fv_preparer_open, usage(fv_preparer_open(&preparer, NULL, &format, NULL, &(FvScoreParams){0}, &error)));
    CHECK(fv_preparer_open, usage(fv_preparer_open(&preparer, NULL, &format, &format, NULL, &error)));
    CHECK(fv_preparer_open,
          usage(fv_preparer_open(&preparer, NULL, NULL, &(FvFormat){0}, &(FvScoreParams){0}, &error)) && !preparer);
    CHECK(fv_preparer_format, !fv_preparer_format(NULL, FV_DISTORTED));
    if (fv_preparer_open(&preparer, NULL, NULL, &format, &(FvScoreParams){0}, &error))
        puts("# no preparer");
    FvFrame *made;
    CHECK(fv_preparer_format,
          !fv_preparer_format(preparer, FV_REFERENCE) && !fv_preparer_format(preparer, (FvSide)WRONG));
    CHECK(fv_preparer_run, usage(fv_preparer_run(NULL, FV_DISTORTED, frame, &made, &error)) && !made);
    CHECK(fv_preparer_run, usage(fv_preparer_run(preparer, FV_DISTORTED, NULL, &made, &error)) && !made);
    CHECK(fv_preparer_run, usage(fv_preparer_run(preparer, FV_DISTORTED, frame, NULL, &error)));
    CHECK(fv_preparer_run, usage(fv_preparer_run(preparer, (FvSide)WRONG, frame, &made, &error)) && !made);
    CHECK(fv_preparer_run, usage(fv_preparer_run(preparer, FV_REFERENCE, frame, &made, &error)) && !made);
    CHECK(fv_preparer_run,
          usage(fv_preparer_run(preparer, FV_DISTORTED, &(FvFrame){.format = format}, &made, &error)) && !made);
    CHECK(fv_preparer_close, (fv_preparer_close(NULL), fv_preparer_close(&preparer), !preparer));
    CHECK(fv_frame_borrow, borrows_nothing());
    CHECK(fv_frame_ref, !fv_frame_ref(NULL));
    CHECK(fv_frame_unref, (fv_frame_unref(NULL), fv_frame_unref(&(FvFrame *){NULL}), true));
    CHECK(fv_frame_device, !fv_frame_device(NULL, &(FvDeviceFrame){0}) && !fv_frame_device(frame, NULL));
    CHECK(fv_frame_sync, (fv_frame_sync(NULL, NULL, 0), true));
}
