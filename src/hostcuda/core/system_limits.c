/* The memory and processors that this process may use: those of the machine, within the
   limits of its control group (a container is one) and of its CPU affinity.

   Linux has two interfaces, which may be there side by side, a controller in either
   (Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/): /proc/self/cgroup names the
   group, relative to where the hierarchy is mounted. A container may see its own group
   as the root of the mount and still be told the path from outside, so the files of all
   parents up to the root are read, and where the path leads nowhere that is the root
   alone. The limits of parents hold as well. */
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "system_limits.h"

#define PATH 4096 /* bytes */
#define PROCESSORS_MAX (1 << 16)
#define CACHES_MAX 8

/* -- Files of one line ------------------------------------------------------------- */

/* Reads up to two numbers from a file; "max" and a missing number are -1. */
static void read_numbers(const char *folder, const char *name, long long numbers[2])
{
    char path[PATH], line[128] = "";

    numbers[0] = numbers[1] = -1;
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        return;
    FILE *file = fopen(path, "re");
    if (!file)
        return;
    if (fgets(line, sizeof line, file)) {
        char *at = line;
        for (int i = 0; i < 2; i++) {
            char *end = at;
            at += strspn(at, " ");
            long long number = strtoll(at, &end, 10);
            if (end != at)
                numbers[i] = number;
            at = end != at ? end : at + strcspn(at, " \n");
        }
    }
    fclose(file);
}

/* -- Limits of one group ----------------------------------------------------------- */

static void take_memory(hd_system_limits *allowance, const char *folder,
                        const char *name)
{
    long long numbers[2];

    read_numbers(folder, name, numbers);
    if (numbers[0] > 0 && (unsigned long long)numbers[0] < allowance->memory)
        allowance->memory = numbers[0];
}

/* A quota of time per period keeps quota / period processors busy, rounded up. */
static void take_quota(hd_system_limits *allowance, long long quota, long long period)
{
    if (quota <= 0 || period <= 0)
        return;
    unsigned long long processors = ((unsigned long long)quota + period - 1) / period;
    if (processors < allowance->processors)
        allowance->processors = processors;
}

static void take_group(hd_system_limits *allowance, const char *folder)
{
    long long quota[2], period[2];

    take_memory(allowance, folder, "memory.max");
    take_memory(allowance, folder, "memory.high");
    take_memory(allowance, folder, "memory.limit_in_bytes");
    read_numbers(folder, "cpu.max", quota);
    take_quota(allowance, quota[0], quota[1]);
    read_numbers(folder, "cpu.cfs_quota_us", quota);
    read_numbers(folder, "cpu.cfs_period_us", period);
    take_quota(allowance, quota[0], period[0]);
}

/* -- Where the groups are ---------------------------------------------------------- */

/* Applies the limits of the group at this path of a hierarchy, and of all its parents.
 */
static void take_path(hd_system_limits *allowance, const char *mount, const char *group)
{
    char folder[PATH];
    size_t least = strlen(mount);

    if (snprintf(folder, sizeof folder, "%s%s", mount, group) >= (int)sizeof folder)
        folder[least] = '\0';
    for (;;) {
        take_group(allowance, folder);
        char *slash = strrchr(folder, '/');
        if (strlen(folder) <= least || !slash)
            return;
        *slash = '\0';
        if (strlen(folder) < least)
            return;
    }
}

/* One line of /proc/self/cgroup: "number:controllers:/path"; version 2 has none. */
static void take_line(hd_system_limits *allowance, const char *root, char *line)
{
    static const char *const wanted[] = {"memory", "cpu"};
    char mount[PATH];
    char *controllers = strchr(line, ':');
    char *group = controllers ? strchr(controllers + 1, ':') : NULL;

    if (!group)
        return;
    *controllers++ = *group++ = '\0';
    group[strcspn(group, "\n")] = '\0';
    if (*controllers == '\0') {
        snprintf(mount, sizeof mount, "%s/sys/fs/cgroup", root);
        take_path(allowance, mount, group);
        snprintf(mount, sizeof mount, "%s/sys/fs/cgroup/unified", root);
        take_path(allowance, mount, group);
        return;
    }
    for (char *name = strtok(controllers, ","); name; name = strtok(NULL, ","))
        for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
            if (strcmp(name, wanted[i]) != 0)
                continue;
            snprintf(mount, sizeof mount, "%s/sys/fs/cgroup/%s", root, name);
            take_path(allowance, mount, group);
        }
}

/* As many as the affinity allows: its mask may be longer than a cpu_set_t. */
static unsigned processors_allowed(void)
{
    for (int most = 1024; most <= PROCESSORS_MAX; most *= 2) {
        cpu_set_t *set = CPU_ALLOC(most);
        size_t size = CPU_ALLOC_SIZE(most);
        if (!set)
            break;
        bool known = sched_getaffinity(0, size, set) == 0;
        unsigned count = known ? CPU_COUNT_S(size, set) : 0;
        CPU_FREE(set);
        if (count > 0)
            return count;
    }
    return 1;
}

/* From Documentation/ABI/testing/sysfs-devices-system-cpu: a folder a cache, numbered
   from the core outwards; sizes are in KiB. The C library multiplies the size by a
   number of processors that a virtual machine does not have. */
static size_t last_cache(const char *root)
{
    size_t found = SIZE_MAX;
    char folder[PATH];

    for (unsigned k = 0; k < CACHES_MAX; k++) {
        long long numbers[2];
        snprintf(folder, sizeof folder, "%s/sys/devices/system/cpu/cpu0/cache/index%u",
                 root, k);
        read_numbers(folder, "size", numbers);
        if (numbers[0] > 0)
            found = (size_t)numbers[0] << 10;
    }
    return found;
}

hd_system_limits hd_system_limits_read(const char *root)
{
    hd_system_limits allowance = {.memory = (size_t)sysconf(_SC_PHYS_PAGES) *
                                            (size_t)sysconf(_SC_PAGESIZE),
                                  .processors = processors_allowed(),
                                  .cache = last_cache(root)};
    char path[PATH], line[PATH];

    snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file))
        take_line(&allowance, root, line);
    if (file)
        fclose(file);
    return allowance;
}
