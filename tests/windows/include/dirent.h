#pragma once

#include_next <dirent.h>

int alphasort(const struct dirent **a, const struct dirent **b);
