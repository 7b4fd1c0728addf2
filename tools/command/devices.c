/* fovea devices: the processors that can score. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "cli/options.h"
#include "fovea/fovea.h"
#include "json.h"

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

/* A line about a device, the first of them after its name; empty texts are left out. */
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

/* Every usable device. Returns the exit code of the last one that failed. */
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
            result = complain(status, "%s: %s", device->name, error.message);
    }
    return result;
}

static void print_speed(void *opaque, const char *line)
{
    puts(line);
}

/* Prints or forgets what the machine has shown. */
static int tell_speeds(const Options *options)
{
    FvError error = {0};
    FvStatus status = options->speeds ? fv_speeds_tell(print_speed, NULL, &error) : FV_OK;
    if (options->forget && (!status || status == FV_ERROR_INPUT))
        status = fv_speeds_forget(&error);
    return complain_if(status, &error) ? status : EXIT_OK;
}

static int run(const void *values, const ArgList *words)
{
    FvDeviceList *list = NULL;
    FvError error = {0};
    const Options *options = values;
    if (options->speeds || options->forget)
        return tell_speeds(options);
    FvStatus status = fv_devices_list(&list, &error);
    if (complain_if(status, &error))
        return status;
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
    .synopsis = "[--json] [--verify] | --speeds [--forget] | --forget",
    .description = "Lists the names that 'fovea score --device' takes, and why a device cannot be used.",
    .refusal = "fovea devices takes no names",
    OPTIONS_OF(FOR_DEVICES),
    .run = run,
};
