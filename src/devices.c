#include "devices.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"

struct FvDeviceList {
    FvDeviceInfo info[1];
    int count;
    char title[128], driver[128];
};

FvStatus fv_device_open(FvDevice **device, const FvDeviceParams *params, FvError *error)
{
    const char *name = params->name ? params->name : "auto";
    if (!strcmp(name, "auto") || !strcmp(name, "cpu"))
        return fv_device_cpu.open(device, params, error);
    return fv_fail(error, FV_ERROR_USAGE, "unknown device '%s': use auto or cpu; 'fovea devices' lists them", name);
}

/* "model name" of the first processor in /proc/cpuinfo, or "processor". */
static void cpu_title(char *title, size_t size)
{
    snprintf(title, size, "processor");
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (file && fgets(line, sizeof line, file)) {
        char *colon = strstr(line, ": ");
        if (strncmp(line, "model name", 10) || !colon)
            continue;
        colon[strcspn(colon, "\n")] = '\0';
        snprintf(title, size, "%s", colon + 2);
        break;
    }
    if (file)
        fclose(file);
}

FvStatus fv_devices_list(FvDeviceList **list, FvError *error)
{
    FvDeviceList *devices = *list = calloc(1, sizeof *devices);
    if (!devices)
        return fv_fail_memory(error, sizeof *devices);
    cpu_title(devices->title, sizeof devices->title);
    for (int isa = FV_ISA_COUNT - 1; isa >= 0; isa--) {
        size_t used = strlen(devices->driver);
        if (fv_isa_usable(isa))
            snprintf(devices->driver + used, sizeof devices->driver - used, "%s%s", used ? " " : "", fv_isa_name(isa));
    }
    devices->info[0] = (FvDeviceInfo){
        .name = "cpu",
        .title = devices->title,
        .driver = devices->driver,
        .memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE),
        .usable = true,
        .lacks = "",
    };
    devices->count = 1;
    return FV_OK;
}

int fv_devices_count(const FvDeviceList *list)
{
    return list->count;
}

const FvDeviceInfo *fv_devices_info(const FvDeviceList *list, int i)
{
    return i >= 0 && i < list->count ? &list->info[i] : NULL;
}

void fv_devices_close(FvDeviceList **list)
{
    free(*list);
    *list = NULL;
}
