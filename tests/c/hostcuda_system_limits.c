/* What control groups allow and what caches hold, from trees of files as Linux has
 * them.
 */
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hostcuda/core/system_limits.h"

#define FILES 6
#define HUGE_LIMIT "9223372036854771712\n" /* version 1 writes this for none */

static const struct {
    const char *groups;                    /* /proc/self/cgroup */
    const char *files[FILES][2];           /* below /sys/fs/cgroup */
    unsigned long long memory, processors; /* 0: the machine's */
} cases[] = {
    {"", {{0}}, 0, 0},
    {"0::/\n", {{"memory.max", "max\n"}, {"cpu.max", "max 100000\n"}}, 0, 0},
    {"0::/\n",
     {{"memory.max", "1048576\n"}, {"cpu.max", "150000 100000\n"}},
     1048576,
     2},
    {"0::/\n", {{"memory.max", "3000000\n"}, {"memory.high", "2000000\n"}}, 2000000, 0},
    {"0::/\n", {{"cpu.max", "10000 100000\n"}}, 0, 1},
    /* Parents count, and the path may be that of outside. */
    {"0::/a/b\n",
     {{"a/memory.max", "500000\n"}, {"a/b/memory.max", "600000\n"}},
     500000,
     0},
    {"0::/docker/0123\n", {{"memory.max", "700000\n"}}, 700000, 0},
    {"0::/../../x\n", {{"memory.max", "700000\n"}}, 700000, 0},
    /* Version 1, and both. */
    {"4:memory:/c\n3:cpu,cpuacct:/c\n0::/\n",
     {{"memory/c/memory.limit_in_bytes", "800000\n"},
      {"cpu/c/cpu.cfs_quota_us", "50000\n"},
      {"cpu/c/cpu.cfs_period_us", "100000\n"}},
     800000,
     1},
    {"4:memory:/c\n3:cpu:/\n",
     {{"memory/c/memory.limit_in_bytes", HUGE_LIMIT},
      {"cpu/cpu.cfs_quota_us", "-1\n"},
      {"cpu/cpu.cfs_period_us", "100000\n"}},
     0,
     0},
    {"4:memory:/c\n", {{"memory/memory.limit_in_bytes", "900000\n"}}, 900000, 0},
    /* The memory of version 1, the processors of version 2 beside it. */
    {"5:memory:/c\n0::/c\n",
     {{"memory/c/memory.limit_in_bytes", "400000\n"},
      {"unified/c/cpu.max", "110000 100000\n"}},
     400000,
     2},
    /* The tightest of nested groups counts, in either version; fractions round up. */
    {"0::/a/b/c\n",
     {{"cpu.max", "400000 100000\n"},
      {"a/cpu.max", "25000 50000\n"},
      {"a/b/cpu.max", "max 100000\n"},
      {"a/b/c/cpu.max", "300000 100000\n"},
      {"a/memory.max", "max\n"},
      {"a/b/memory.high", "300000\n"}},
     300000,
     1},
    {"3:cpu,cpuacct:/a/b\n4:memory:/a/b\n",
     {{"cpu/a/cpu.cfs_quota_us", "150000\n"},
      {"cpu/a/cpu.cfs_period_us", "100000\n"},
      {"cpu/a/b/cpu.cfs_quota_us", "-1\n"},
      {"cpu/a/b/cpu.cfs_period_us", "100000\n"},
      {"memory/a/memory.limit_in_bytes", "200000\n"},
      {"memory/a/b/memory.limit_in_bytes", HUGE_LIMIT}},
     200000,
     2},
    /* Nonsense is no limit. */
    {"0:/\nx\n::\n4:memory\n\n0::/\n",
     {{"memory.max", "x\n"}, {"cpu.max", "0 0\n"}},
     0,
     0},
    {"0::/\n", {{"memory.max", "-5\n"}, {"cpu.max", ""}}, 0, 0},
};

static int failed;

static void write_file(const char *root, const char *name, const char *text)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *slash = path + 1; (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
        *slash = '\0';
        mkdir(path, 0700);
    }
    FILE *file = fopen(path, "w");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        exit(1);
}

static void check_cache(void)
{
    static const char *const folder = "sys/devices/system/cpu/cpu0/cache";
    static const struct {
        const char *sizes[4];
        size_t bytes;
    } machines[] = {
        {{NULL}, SIZE_MAX},
        {{"32K\n", "32K\n", "1024K\n", "32768K\n"}, 32 << 20},
        {{"64K\n", "64K\n", "512K\n", NULL}, 512 << 10},
        {{"x\n", "", "-1K\n", NULL}, SIZE_MAX},
    };
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        char root[] = "/tmp/caches-XXXXXX", name[128];
        if (mkdtemp(root) == NULL)
            exit(1);
        for (unsigned k = 0; k < 4 && machines[i].sizes[k]; k++) {
            snprintf(name, sizeof name, "%s/index%u/size", folder, k);
            write_file(root, name, machines[i].sizes[k]);
        }
        size_t found = hd_system_limits_read(root).cache;
        if (found != machines[i].bytes) {
            fprintf(stderr, "caches of machine %zu: %zu bytes\n", i, found);
            failed = 1;
        }
        snprintf(name, sizeof name, "rm -r %s", root);
        if (system(name) != 0)
            failed = 1;
    }
}

int main(void)
{
    cpu_set_t set;
    char root[64], command[96], name[128];
    unsigned long long memory =
        (unsigned long long)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
    unsigned long long processors =
        sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        strcpy(root, "/tmp/limits-XXXXXX");
        if (mkdtemp(root) == NULL)
            return 1;
        write_file(root, "proc/self/cgroup", cases[i].groups);
        for (int k = 0; k < FILES && cases[i].files[k][0] != NULL; k++) {
            snprintf(name, sizeof name, "sys/fs/cgroup/%s", cases[i].files[k][0]);
            write_file(root, name, cases[i].files[k][1]);
        }
        hd_system_limits found = hd_system_limits_read(root);
        unsigned long long wanted = cases[i].processors;
        if (wanted == 0 || wanted > processors)
            wanted = processors;
        if (found.memory != (cases[i].memory ? cases[i].memory : memory) ||
            found.processors != wanted) {
            fprintf(stderr, "case %zu: %zu bytes, %u processors\n", i, found.memory,
                    found.processors);
            failed = 1;
        }
        snprintf(command, sizeof command, "rm -r %s", root);
        if (system(command) != 0)
            failed = 1;
    }
    check_cache();
    return failed;
}
