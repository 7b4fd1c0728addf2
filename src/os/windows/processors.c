#include "os/processors.h"

#include <cpuid.h>
#include <stdio.h>
#include <string.h>
#include <windows.h>

/* Returns the number of processors of this process's group, or of all groups if threads may start in any group. */
int fv_processors(void)
{
    DWORD_PTR mine = 0, all = 0;
    if (GetActiveProcessorGroupCount() > 1 || !GetProcessAffinityMask(GetCurrentProcess(), &mine, &all) || !mine)
        return (int)GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    return __builtin_popcountll(mine);
}

void fv_processor_title(char *title, size_t size)
{
    unsigned words[13] = {0};
    for (unsigned i = 0; i < 3; i++)
        __get_cpuid(0x80000002 + i, &words[4 * i], &words[4 * i + 1], &words[4 * i + 2], &words[4 * i + 3]);
    const char *name = (const char *)words;
    name += strspn(name, " ");
    snprintf(title, size, "%s", *name ? name : "processor");
}
