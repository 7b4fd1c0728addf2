/* The version of the library, and the version of its scores. All functions are thread-safe. */
#ifndef FOVEA_VERSION_H
#define FOVEA_VERSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#if defined(__GNUC__)
#define FV_API __attribute__((visibility("default")))
#else
#define FV_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define FV_VERSION_MAJOR 1
#define FV_VERSION_MINOR 0
#define FV_VERSION_PATCH 0

/* Returns the version of the loaded library: "1.0.0". */
FV_API const char *fv_version(void);

/*
 * Returns the version of the scores. It grows by one whenever, and only when, a score of any metric changes in any
 * bit. Every report names it.
 */
FV_API int fv_numerics_version(void);

#ifdef __cplusplus
}
#endif

#endif
