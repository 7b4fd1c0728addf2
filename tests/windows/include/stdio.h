#pragma once

#include_next <stdio.h>

ssize_t getline(char **line, size_t *size, FILE *file);
