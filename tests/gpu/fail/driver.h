/* The interface of a driver whose calls can be made to fail, for the scenarios of main.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct FailingDriver {
    const char *device; /* value of FvSessionParams.device */
    bool null;          /* the driver also offers a null device, which accepts every metric and computes nothing */
    /* Returns false if this machine lacks the device; NULL: every machine has it. */
    bool (*open)(char *why, size_t size);
    /* Called before each run: forgets all objects and planned failures. null: makes the device a null device. */
    void (*reset)(bool null);
    /* Called after each run: returns whether fovea released all objects and broke no rule of the driver. */
    bool (*clean)(char *why, size_t size);
    /* Returns the number of pairs whose scores the session must keep despite the failure. NULL: not checked. */
    int64_t (*ensured)(void);
} FailingDriver;

extern const FailingDriver failing_fake, failing_cuda, failing_hip, failing_vulkan;
