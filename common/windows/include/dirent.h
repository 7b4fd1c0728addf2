#pragma once

#include_next <dirent.h>

int scandir(const char *path, struct dirent ***entries, int (*wanted)(const struct dirent *entry),
            int (*order)(const struct dirent **a, const struct dirent **b));
