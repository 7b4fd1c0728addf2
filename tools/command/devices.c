/* fovea devices: lists and tests the processors that can score. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/stop.h"
#include "fovea/fovea.h"
#include "json.h"
#include "path_names.h"

static void print_json(const FvDeviceList *list)
{
    FvJson json = {.file = stdout};
    fv_json_open(&json, NULL, '[');
    for (int i = 0; i < fv_devices_count(list); i++) {
        const FvDeviceInfo *device = fv_devices_info(list, i);
        fv_json_open(&json, NULL, '{');
        fv_json_text(&json, "name", device->name);
        fv_json_text(&json, "title", device->title);
        fv_json_text(&json, "driver", device->driver);
        fv_json_int(&json, "memory", (int64_t)device->memory);
        fv_json_bool(&json, "usable", device->usable);
        fv_json_bool(&json, "software", device->software);
        fv_json_text(&json, "limits", device->limits);
        fv_json_text(&json, "lacks", device->lacks);
        fv_json_close(&json);
    }
    fv_json_close(&json);
    putchar('\n');
}

/* Prints a line about a device, if the text is not empty. The device's name precedes the first line. */
static void print_line(const char **name, const char *before, const char *text)
{
    if (!text || !*text)
        return;
    printf("%-10s  %s%s\n", *name, before, text);
    *name = "";
}

static void print_text(const FvDeviceList *list)
{
    for (int i = 0; i < fv_devices_count(list); i++) {
        const FvDeviceInfo *device = fv_devices_info(list, i);
        const char *name = device->name;
        print_line(&name, "", device->title);
        print_line(&name, "", device->driver);
        if (device->memory) {
            char memory[32];
            snprintf(memory, sizeof memory, "%" PRIu64 " MiB", device->memory >> 20);
            print_line(&name, "", memory);
        }
        print_line(&name, "", device->limits);
        print_line(&name, "", device->software ? "computes on the CPU, so it is used only by name" : "");
        print_line(&name, device->usable ? "lacks: " : "not usable: ", device->lacks);
    }
}

typedef struct Verdicts {
    const char *device;
    FILE *file;
} Verdicts;

static void print_verdict(void *opaque, const char *metric, bool good, const char *why)
{
    const Verdicts *verdicts = opaque;
    fprintf(verdicts->file, "%-10s  %s: %s\n", verdicts->device, metric, good ? "the same bits as on the CPU" : why);
    fflush(verdicts->file);
}

/* Verifies every usable device. Returns the exit code of the last one that failed. */
static int verify(const FvDeviceList *list, FILE *file)
{
    int result = EXIT_OK;
    for (int i = 0; i < fv_devices_count(list); i++) {
        const FvDeviceInfo *device = fv_devices_info(list, i);
        FvError error = {0};
        Verdicts verdicts = {device->name, file};
        FvStatus status =
            device->usable ? fv_device_verify(device->name, NULL, print_verdict, &verdicts, &error) : FV_OK;
        if (status)
            result = report_error(fv_failure_of(&error), "%s: %s", device->name, error.message);
    }
    return result;
}

static void print_speed(void *opaque, const char *line)
{
    puts(line);
}

/* Prints or deletes the speeds that were measured on this machine. */
static int tell_speeds(const Options *options)
{
    FvError error = {0};
    FvStatus status = options->speeds ? fv_speeds_list(print_speed, NULL, &error) : FV_OK;
    if (options->clear_speeds && (!status || status == FV_ERROR_INPUT))
        status = fv_speeds_clear(&error);
    return report_error_if(status, &error) ? status : EXIT_OK;
}

static void print_test(void *opaque, const char *text)
{
    fprintf(stderr, "%s: %s\n", (const char *)opaque, text);
}

/*
 * Returns the path of a device's report: `path`, with the device's name before the ending if there are several
 * devices. NULL: out of memory.
 */
static char *path_of(const char *path, const char *device, bool several)
{
    const char *dot = strrchr(fv_base_name(path), '.');
    const size_t head = several && dot ? (size_t)(dot - path) : strlen(path);
    char *made = malloc(strlen(path) + strlen(device) + 2);
    if (!made)
        return NULL;
    char *at = made + sprintf(made, "%.*s", (int)head, path);
    if (several) {
        *at++ = '-';
        for (; *device; device++)
            if (*device != ':')
                *at++ = *device;
        strcpy(at, path + head);
    }
    return made;
}

/* Writes the report of one device. *differs: a metric's results differ from the CPU's. */
static FvStatus write_report(const char *device, const char *path, const Options *options, const FvCancel *cancel,
                             bool *differs, FvError *error)
{
    FvOutput *output = NULL;
    int differing = 0;
    const FvDeviceReportParams params = {.credit = options->credit,
                                         .brief = options->brief,
                                         .cancel = cancel,
                                         .on_test = print_test,
                                         .opaque = (void *)device};
    FvStatus status = fv_output_open(&output, &(FvOutputParams){.path = path, .cancel = params.cancel}, error);
    if (!status)
        status = fv_device_report(device, &params, fv_output_file(output), &differing, error);
    if (!status)
        status = fv_output_close(&output, error);
    fv_output_discard(&output);
    *differs |= differing > 0;
    return status;
}

/* Tests the named device, or every usable GPU. */
static int report(const FvDeviceList *list, const Options *options)
{
    const char *only = options->only_device;
    const FvCancel *cancel = stop_on_signals();
    int count = 0;
    bool differs = false;
    if (!cancel)
        return FV_ERROR_MEMORY;
    for (int i = 0; i < fv_devices_count(list); i++) {
        const FvDeviceInfo *device = fv_devices_info(list, i);
        count += only ? !strcmp(device->name, only) : device->usable && strcmp(device->name, "cpu") != 0;
    }
    if (!count && only)
        return report_error(FV_FAIL_NO_DEVICE, "%s is not a device here; 'fovea devices' lists them", only);
    if (!count)
        return report_error(FV_FAIL_NO_DEVICE, "no GPU can be used; add --device cpu to report the processor");
    fprintf(stderr, "The report names the device, its driver and the processor, and no user, host or file.\n");
    for (int i = 0; i < fv_devices_count(list); i++) {
        const FvDeviceInfo *device = fv_devices_info(list, i);
        FvError error = {0};
        if (only ? strcmp(device->name, only) != 0 : !device->usable || !strcmp(device->name, "cpu"))
            continue;
        char *path = path_of(options->device_report, device->name, count > 1);
        FvStatus status =
            path ? write_report(device->name, path, options, cancel, &differs, &error) : FV_ERROR_MEMORY;
        if (!status)
            fprintf(stderr, "%s is written\n", path);
        free(path);
        if (report_error_if(status, &error))
            return status;
    }
    return differs ? EXIT_GATE : EXIT_OK;
}

static int run(const void *values, const ArgList *words)
{
    FvDeviceList *list = NULL;
    FvError error = {0};
    const Options *options = values;
    if (options->speeds || options->clear_speeds)
        return tell_speeds(options);
    if (!options->device_report && (options->credit || options->only_device || options->brief))
        return report_error(FV_ERROR_USAGE, "--credit, --device and --brief are about a report; add --report FILE");
    if (options->device_report && !options->verify)
        return report_error(FV_ERROR_USAGE, "--report tests devices; add --verify");
    FvStatus status = fv_devices_list(&list, &error);
    if (report_error_if(status, &error))
        return status;
    if (options->device_report) {
        int result = report(list, options);
        fv_devices_close(&list);
        return result;
    }
    if (options->json)
        print_json(list);
    else
        print_text(list);
    int result = options->verify ? verify(list, options->json ? stderr : stdout) : EXIT_OK;
    fv_devices_close(&list);
    return result;
}

const Command command_devices = {
    .name = "devices",
    .summary = "list the processors that can score",
    .synopsis = "[--json] [--verify] | --verify --report FILE | --speeds [--clear-speeds] | --clear-speeds",
    .description = "Lists the names that 'fovea score --device' takes, and why a device cannot be used.",
    .refusal = "'fovea devices' takes options only",
    OPTIONS_OF(FOR_DEVICES),
    .run = run,
};
