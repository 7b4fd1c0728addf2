/* Metrics, models and devices. */
#include "misuse.h"

static void verified(void *opaque, const char *metric, bool good, const char *why)
{
    (void)opaque, (void)metric, (void)good, (void)why;
}

void check_lists(void)
{
    CHECK(fv_processors, fv_processors() > 0);
    CHECK(fv_metric_count, fv_metric_count() > 0);
    CHECK(fv_metric_info, !fv_metric_info(-1) && !fv_metric_info(fv_metric_count()));
    FvModel *model = NULL;
    double score;
    CHECK(fv_model_open, usage(fv_model_open(NULL, &(FvModelParams){.version = "vmaf_v0.6.1"}, &error)));
    CHECK(fv_model_open, usage(fv_model_open(&model, NULL, &error)) && !model);
    CHECK(fv_model_open, usage(fv_model_open(&model, &(FvModelParams){0}, &error)) && !model);
    CHECK(fv_model_open, usage(fv_model_open(&model, &(FvModelParams){"vmaf_v0.6.1", video}, &error)) && !model);
    CHECK(fv_model_features, !fv_model_features(NULL));
    CHECK(fv_model_feature, !fv_model_feature(NULL, 0));
    CHECK(fv_model_may_set_option, fv_model_may_set_option(NULL, "x") && fv_model_may_set_option("cambi", NULL));
    CHECK(fv_model_values, !fv_model_values(NULL));
    CHECK(fv_model_score, usage(fv_model_score(NULL, (FvModelFlags){0}, (double[8]){0}, &score, &error)));
    CHECK(fv_model_close, (fv_model_close(NULL), fv_model_close(&(FvModel *){NULL}), true));
    CHECK(fv_devices_list, usage(fv_devices_list(NULL, &error)));
    CHECK(fv_devices_count, !fv_devices_count(NULL));
    CHECK(fv_devices_in_all, !fv_devices_in_all(NULL, 0) && !fv_devices_in_all(devices, -1) &&
                                 !fv_devices_in_all(devices, 0) && !fv_devices_in_all(devices, 999));
    CHECK(fv_devices_info,
          !fv_devices_info(NULL, 0) && !fv_devices_info(devices, -1) && !fv_devices_info(devices, 999));
    CHECK(fv_devices_close, (fv_devices_close(NULL), fv_devices_close(&(FvDeviceList *){NULL}), true));
    CHECK(fv_device_verify, usage(fv_device_verify(NULL, NULL, verified, NULL, &error)));
    CHECK(fv_device_verify, usage(fv_device_verify("cpu", NULL, NULL, NULL, &error)));
    const FvDeviceReportParams report_params = {.brief = true};
    int differing;
    CHECK(fv_device_report, usage(fv_device_report(NULL, &report_params, stderr, &differing, &error)));
    CHECK(fv_device_report, usage(fv_device_report("cpu", NULL, stderr, &differing, &error)));
    CHECK(fv_device_report, usage(fv_device_report("cpu", &report_params, NULL, &differing, &error)));
    CHECK(fv_device_report, usage(fv_device_report("cpu", &report_params, stderr, NULL, &error)));
    CHECK(fv_speeds_list, usage(fv_speeds_list(NULL, NULL, &error)));
    CHECK(fv_speeds_clear, true || fv_speeds_clear(NULL));
}
