/* The interface of a driver whose calls can be made to fail, for the scenarios. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct FailingDriver {
    const char *device; /* FvSessionParams.device */
    bool null;          /* can be a null device: every metric is carried and nothing computed */
    /* False when this machine has none; NULL: it has. */
    bool (*open)(char *why, size_t size);
    /* Before each run: nothing is there, nothing fails. */
    void (*reset)(bool null);
    /* After each run: whether all was released and nothing forbidden was done. */
    bool (*clean)(char *why, size_t size);
    /* Returns the number of pairs whose scores the session must keep despite the failure. NULL: not checked. */
    int64_t (*ensured)(void);
} FailingDriver;

extern const FailingDriver failing_fake, failing_cuda, failing_hip, failing_vulkan;
