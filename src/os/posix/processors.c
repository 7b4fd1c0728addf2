#include "os/processors.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <sys/sysctl.h>
#endif

#define LONGEST 4096 /* maximum bytes of a line or path; longer ones are ignored */

/* The mount point of the control groups that limit processors, and the group of this process. */
typedef struct Groups {
    bool unified;        /* control groups of version 2 */
    char mount[LONGEST]; /* mount point */
    char top[LONGEST];   /* the group at the mount point */
    char own[LONGEST];
} Groups;

/* Returns whether the list, separated by commas, contains the word. */
static bool lists(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (!strncmp(at, word, length) && (!at[length] || at[length] == ',' || at[length] == '\n'))
            return true;
    return false;
}

static FILE *open_under(const char *root, const char *path)
{
    char name[4 * LONGEST];
    snprintf(name, sizeof name, "%s%s", root, path);
    return fopen(name, "re");
}

/*
 * Parses a line of /proc/self/mountinfo (proc_pid_mountinfo(5)); true: it mounts control groups that limit
 * processors.
 */
static bool is_mount(char *line, Groups *groups)
{
    char type[32], options[LONGEST];
    const char *rest = strstr(line, " - ");
    return rest && sscanf(line, "%*s %*s %*s %4095s %4095s", groups->top, groups->mount) == 2 &&
           sscanf(rest, " - %31s %*s %4095s", type, options) == 2 &&
           (groups->unified ? !strcmp(type, "cgroup2") : !strcmp(type, "cgroup") && lists(options, "cpu"));
}

/*
 * Parses a line of /proc/self/cgroup, "0::/group" of version 2 or "number:controllers:/group" of version 1; true: it
 * names the group of this process.
 */
static bool is_own(char *line, Groups *groups)
{
    char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!path)
        return false;
    *path++ = 0;
    path[strcspn(path, "\n")] = 0;
    snprintf(groups->own, sizeof groups->own, "%s", path);
    return groups->unified ? !strcmp(line, "0:") : lists(controllers + 1, "cpu");
}

/* Returns whether the file has a line that `wanted` accepts. */
static bool find_line(const char *root, const char *path, bool (*wanted)(char *line, Groups *groups), Groups *groups)
{
    char line[LONGEST];
    FILE *file = open_under(root, path);
    bool found = false;
    while (file && !found && fgets(line, sizeof line, file))
        found = wanted(line, groups);
    if (file)
        fclose(file);
    return found;
}

/* Reads up to two numbers at the beginning of a file; a missing number does not change its variable. */
static void read_numbers(const char *root, const char *folder, const char *name, int64_t *first, int64_t *second)
{
    char path[3 * LONGEST];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = open_under(root, path);
    if (file && fscanf(file, "%" SCNd64 " %" SCNd64, first, second) < 1)
        *first = 0;
    if (file)
        fclose(file);
}

/* Returns the quota of one group, in processors; 0: none. */
static int quota_of(const char *root, const char *folder, bool unified)
{
    int64_t quota = 0, period = 0, none = 0;
    if (unified) {
        read_numbers(root, folder, "cpu.max", &quota, &period); /* "max 100000": no quota */
    } else {
        read_numbers(root, folder, "cpu.cfs_quota_us", &quota, &none); /* -1: no quota */
        read_numbers(root, folder, "cpu.cfs_period_us", &period, &none);
    }
    if (quota <= 0 || period <= 0)
        return 0;
    const int64_t processors = quota / period + (quota % period != 0);
    return processors < INT_MAX ? (int)processors : INT_MAX;
}

/* Returns the smallest of the quotas of this process's group and of all groups that contain it; 0: none. */
static int quota_within(const char *root, Groups *groups)
{
    char folder[2 * LONGEST];
    const size_t top = strcmp(groups->top, "/") ? strlen(groups->top) : 0, mount = strlen(groups->mount);
    const bool inside = !strncmp(groups->own, groups->top, top);
    snprintf(folder, sizeof folder, "%s%s", groups->mount, inside ? groups->own + top : "");
    int least = 0;
    for (;;) {
        const int quota = quota_of(root, folder, groups->unified);
        least = quota && (!least || quota < least) ? quota : least;
        char *slash = strrchr(folder + mount, '/');
        if (!slash)
            return least;
        *slash = 0;
    }
}

int fv_processors_quota(const char *root)
{
    int least = 0;
    for (int unified = 0; unified < 2; unified++) {
        Groups groups = {.unified = unified};
        if (!find_line(root, "/proc/self/cgroup", is_own, &groups) ||
            !find_line(root, "/proc/self/mountinfo", is_mount, &groups))
            continue;
        const int quota = quota_within(root, &groups);
        least = quota && (!least || quota < least) ? quota : least;
    }
    return least;
}

static int affinity(void)
{
#if defined(__linux__)
    cpu_set_t sets[16];
    if (!sched_getaffinity(0, sizeof sets, sets))
        return CPU_COUNT_S(sizeof sets, sets);
#endif
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < INT_MAX ? (int)online : INT_MAX;
}

int fv_processors(void)
{
    const int allowed = affinity(), quota = fv_processors_quota("");
    const int count = quota && quota < allowed ? quota : allowed;
    return count < 1 ? 1 : count;
}

/*
 * Reads the title without a stream, because the allocation of its buffer may fail. The title must not depend on that:
 * equal runs write equal reports.
 */
void fv_processor_title(char *title, size_t size)
{
#if defined(__APPLE__)
    if (!sysctlbyname("machdep.cpu.brand_string", title, &size, NULL, 0))
        return;
#endif
    static const char key[] = "model name";
    char text[4096];
    int fd = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    text[length > 0 ? length : 0] = '\0';
    const char *line = strstr(text, key), *colon = line ? strstr(line, ": ") : NULL;
    snprintf(title, size, "%.*s", colon ? (int)strcspn(colon + 2, "\n") : 9, colon ? colon + 2 : "processor");
}
