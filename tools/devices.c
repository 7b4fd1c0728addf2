/* fovea devices: the processors that can score. */
#include <inttypes.h>
#include <stdio.h>

#include "command.h"
#include "fovea/fovea.h"
#include "message.h"
#include "json.h"

typedef struct Devices {
    bool json;
} Devices;

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
        fv_json_text(&json, "lacks", device->lacks);
        fv_json_close(&json);
    }
    fv_json_close(&json);
    putchar('\n');
}

static void print_text(const FvDeviceList *list)
{
    for (int i = 0; i < fv_devices_count(list); i++) {
        const FvDeviceInfo *device = fv_devices_info(list, i);
        printf("%-10s  %s\n", device->name, device->title);
        if (device->driver && *device->driver)
            printf("%-10s  %s\n", "", device->driver);
        if (device->memory)
            printf("%-10s  %" PRIu64 " MiB\n", "", device->memory >> 20);
        if (device->lacks && *device->lacks)
            printf("%-10s  %s: %s\n", "", device->usable ? "lacks" : "not usable", device->lacks);
    }
}

static int run(const void *values, const ArgList *words)
{
    (void)words;
    FvDeviceList *list = NULL;
    FvError error = {0};
    FvStatus status = fv_devices_list(&list, &error);
    if (status != FV_OK)
        return complain(status, "%s", error.message);
    if (((const Devices *)values)->json)
        print_json(list);
    else
        print_text(list);
    fv_devices_close(&list);
    return EXIT_OK;
}

static const ArgOption options[] = {
    {.section = "Options", .name = "json", .kind = ARG_FLAG, .offset = offsetof(Devices, json),
     .help = "as a JSON array with one object for each device"},
};

const Command command_devices = {
    .name = "devices",
    .summary = "list the processors that can score",
    .synopsis = "[--json]",
    .description = "Lists what 'fovea score --device' takes, and what a device lacks if it cannot be used.",
    .refusal = "fovea devices takes no names",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .values_size = sizeof(Devices),
    .run = run,
};
