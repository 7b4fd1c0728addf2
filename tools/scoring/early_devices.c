#include "scoring/early_devices.h"

#include <stdio.h>
#include <string.h>

static void open_one(EarlyDevices *devices, const char *name)
{
    if (devices->count < EARLY_DEVICES && strcmp(name, "cpu") &&
        !fv_session_open(&devices->session[devices->count], &(FvSessionParams){.device = name, .threads = 1}, NULL))
        devices->count++;
}

/* The driver opens one GPU at a time, so that one thread does for all. */
static void *open_all(void *argument)
{
    EarlyDevices *devices = argument;
    FvDeviceList *known = NULL;
    const bool all = !strcmp(devices->list, "all");
    if (all && !fv_devices_list(&known, NULL))
        for (int i = 0; i < fv_devices_count(known); i++)
            if (fv_devices_in_all(known, i))
                open_one(devices, fv_devices_info(known, i)->name);
    fv_devices_close(&known);
    for (const char *at = devices->list; *at && !all;) {
        char name[32];
        const int length = (int)strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", length, at);
        open_one(devices, name);
        at += length + (at[length] == ',');
    }
    return NULL;
}

void early_devices_open(EarlyDevices *devices, const char *list)
{
    devices->list = list;
    devices->running = !pthread_create(&devices->thread, NULL, open_all, devices);
}

void early_devices_join(EarlyDevices *devices)
{
    if (devices->running)
        pthread_join(devices->thread, NULL);
    devices->running = false;
}

void early_devices_close(EarlyDevices *devices)
{
    early_devices_join(devices);
    for (int i = 0; i < devices->count; i++)
        fv_session_close(&devices->session[i]);
    *devices = (EarlyDevices){0};
}
