/* Tests the number of processors that a process may use, with quotas of control groups from imitated system files. */
#include "unit.h"

#include <sched.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/processors.h"
#include "session/state.h"

static char root[] = "/tmp/fovea-processors-XXXXXX";

static const char *const folders[] = {"proc", "proc/self", "groups", "groups/job", "groups/job/step",
                                      "cpu",  "cpu/job"};
static const char *const files[] = {"proc/self/cgroup",         "proc/self/mountinfo",     "groups/cpu.max",
                                    "groups/job/cpu.max",       "groups/job/step/cpu.max", "cpu/job/cpu.cfs_quota_us",
                                    "cpu/job/cpu.cfs_period_us"};

static void in_root(char path[128], const char *name)
{
    snprintf(path, 128, "%s/%s", root, name);
}

static int set_up(void **state)
{
    char path[128];
    int failed = !mkdtemp(root);
    for (size_t i = 0; i < sizeof folders / sizeof *folders && !failed; i++) {
        in_root(path, folders[i]);
        failed = mkdir(path, 0700);
    }
    return failed;
}

static int remove_files(void **state)
{
    char path[128];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        in_root(path, files[i]);
        unlink(path);
    }
    return 0;
}

static int clean_up(void **state)
{
    char path[128];
    remove_files(state);
    for (size_t i = sizeof folders / sizeof *folders; i > 0; i--) {
        in_root(path, folders[i - 1]);
        rmdir(path);
    }
    return rmdir(root);
}

static void put(const char *name, const char *text)
{
    char path[128];
    in_root(path, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void be_unified(const char *group, const char *top)
{
    char line[128];
    snprintf(line, sizeof line, "1:cpuset:/elsewhere\n0::%s\n", group);
    put("proc/self/cgroup", line);
    snprintf(line, sizeof line,
             "22 1 0:21 / / rw - ext4 /dev/sda rw\n30 23 0:26 %s /groups rw,nosuid - cgroup2 cgroup2 rw\n", top);
    put("proc/self/mountinfo", line);
}

static void test_a_system_without_groups_has_no_quota(void **state)
{
    assert_int_equal(fv_processors_quota(root), 0);
    assert_int_equal(fv_processors_quota("/nowhere"), 0);
    assert_true(fv_processors() >= 1);
}

static void test_version_2_rounds_up(void **state)
{
    be_unified("/job", "/");
    put("groups/job/cpu.max", "max 100000\n");
    assert_int_equal(fv_processors_quota(root), 0);
    put("groups/job/cpu.max", "250000 100000\n");
    assert_int_equal(fv_processors_quota(root), 3);
    put("groups/job/cpu.max", "10000 100000\n");
    assert_int_equal(fv_processors_quota(root), 1);
}

static void test_the_least_quota_around_a_group_counts(void **state)
{
    be_unified("/job/step", "/");
    put("groups/job/step/cpu.max", "800000 100000\n");
    put("groups/job/cpu.max", "200000 100000\n");
    assert_int_equal(fv_processors_quota(root), 2);
    put("groups/cpu.max", "100000 100000\n");
    assert_int_equal(fv_processors_quota(root), 1);
}

/* In a container, the mount begins at the container's own group. */
static void test_a_mount_may_begin_at_a_group(void **state)
{
    be_unified("/docker/abc/step", "/docker/abc");
    put("groups/cpu.max", "400000 100000\n");
    assert_int_equal(fv_processors_quota(root), 4);
    be_unified("/another", "/docker/abc");
    assert_int_equal(fv_processors_quota(root), 4);
}

static void test_version_1(void **state)
{
    put("proc/self/cgroup", "7:cpuset:/elsewhere\n5:cpuacct,cpu:/job\n0::/\n");
    put("proc/self/mountinfo", "31 23 0:28 / /sets rw shared:4 - cgroup cgroup rw,cpuset\n"
                               "32 23 0:29 / /cpu rw shared:5 - cgroup cgroup rw,cpuacct,cpu\n");
    put("cpu/job/cpu.cfs_quota_us", "-1\n");
    put("cpu/job/cpu.cfs_period_us", "50000\n");
    assert_int_equal(fv_processors_quota(root), 0);
    put("cpu/job/cpu.cfs_quota_us", "75000\n");
    assert_int_equal(fv_processors_quota(root), 2);
}

static void test_affinity_sets_the_threads(void **state)
{
    cpu_set_t before, one;
    FvSession *session;
    int first = 0;
    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    while (!CPU_ISSET(first, &before))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(fv_processors(), 1);
    assert_works(fv_session_open(&session, &(FvSessionParams){.threads = 0}, error));
    assert_int_equal(session->devices.threads, 1);
    fv_session_close(&session);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_a_system_without_groups_has_no_quota, remove_files),
        cmocka_unit_test_teardown(test_version_2_rounds_up, remove_files),
        cmocka_unit_test_teardown(test_the_least_quota_around_a_group_counts, remove_files),
        cmocka_unit_test_teardown(test_a_mount_may_begin_at_a_group, remove_files),
        cmocka_unit_test_teardown(test_version_1, remove_files),
        cmocka_unit_test(test_affinity_sets_the_threads),
    };
    return cmocka_run_group_tests(tests, set_up, clean_up);
}
