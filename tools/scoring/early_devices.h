/* GPUs that are opened in the background while the videos are opened and the shards planned. */
#pragma once

#include <pthread.h>

#include "fovea/fovea.h"

#define EARLY_DEVICES 64 /* maximum number of devices that are opened early */

/* Zeroed: none. Must stay at its address until early_devices_close(). */
typedef struct EarlyDevices {
    FvSession *session[EARLY_DEVICES];
    int count;
    const char *list;
    bool running;
    pthread_t thread;
} EarlyDevices;

/*
 * Begins to open the devices of a list such as "cuda:0,cuda:1" or "all", which must stay valid. A GPU opens fast once
 * more while it is open. Prints no message: those that score open the devices again, and report a failure.
 */
void early_devices_open(EarlyDevices *devices, const char *list);

/* Ends the thread. The devices stay open. */
void early_devices_join(EarlyDevices *devices);

void early_devices_close(EarlyDevices *devices);
