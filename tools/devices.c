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

/* A line of a device, the first one behind its name; empty texts are left out. */
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
        print_line(&name, device->usable ? "lacks: " : "not usable: ", device->lacks);
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
    {.section = "Options",
     .name = "json",
     .kind = ARG_FLAG,
     .offset = offsetof(Devices, json),
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
