/* SHA-256 (FIPS 180-4), for reports that name the files which decide a score. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* 64 hexadecimal digits and a NUL. */
void fv_sha256(const void *bytes, size_t size, char digits[65]);
