/*
 * The CPU device. A pool of workers takes jobs, those of the oldest pair first. With one thread, submit() does the
 * work itself.
 */
#include <stdlib.h>

#include "base/error.h"
#include "clock.h"
#include "device/analysis.h"
#include "device/device.h"
#include "device/instances.h"
#include "os/memory.h"
#include "os/processors.h"
#include "os/thread.h"

/* The progress of one feature instance in one task. */
typedef struct Lane {
    int stage;    /* index of the current stage; stage_count when finished */
    int jobs;     /* number of jobs of the current stage */
    int next_job; /* the first job that no worker has taken */
    int done_jobs;
    int waits; /* number of unfinished inputs */
    bool held; /* the current stage runs in order, and the previous frame has not finished it */
} Lane;

typedef struct CpuTask {
    FvTask *task;
    int lanes_left;
    int64_t number; /* number of the task in the order of submission */
    Lane lane[FV_MAX_INSTANCES];
} CpuTask;

typedef struct CpuDevice CpuDevice;

typedef struct Worker {
    CpuDevice *cpu;
    void *scratch;
    FvThread thread;
} Worker;

struct CpuDevice {
    FvDevice device;
    int threads;
    FvFeatureInstance *runs;
    const FvPlacement *placement;
    int run_count;
    size_t scratch_bytes;
    void *lasting[FV_MAX_INSTANCES];
    int64_t turn[FV_MAX_INSTANCES]; /* number of the task that may run the instance's stage_in_order next */

    CpuTask *tasks; /* a ring: task number s is at s % capacity */
    int capacity;
    int64_t submitted, oldest; /* tasks oldest to submitted - 1 may be unfinished */

    FvMutex lock;
    FvCondition work, done;
    Worker *workers; /* one per thread; if there is one only, the calling thread uses it */
    int worker_count;
    bool stopping;
};

static FvStatus cpu_open(FvDevice **device, const FvDeviceParams *params, FvError *error)
{
    CpuDevice *cpu = calloc(1, sizeof *cpu);
    if (!cpu)
        return fv_fail_memory(error, sizeof *cpu);
    cpu->device.ops = &fv_device_cpu;
    fv_processor_title(cpu->device.title, sizeof cpu->device.title);
    cpu->threads = params->threads;
    fv_mutex_open(&cpu->lock);
    fv_condition_open(&cpu->work);
    fv_condition_open(&cpu->done);
    *device = &cpu->device;
    return FV_OK;
}

static bool cpu_supports(FvDevice *device, const FvFeatureInstance *run, char *why, size_t size)
{
    return true;
}

static bool computes(const CpuDevice *cpu, const FvTask *task, int run)
{
    return cpu->placement[run] && (cpu->placement[run] != FV_PLACED_FOR_MAPS || task->map[run]) &&
           (!task->skipped || cpu->runs[run].every_frame);
}

static FvWork work_of(const CpuDevice *cpu, const FvTask *task, int run, void *scratch)
{
    FvWork work = fv_task_work(task, cpu->runs, run);
    work.scratch = scratch;
    work.lasting = cpu->lasting[run];
    work.analysis = fv_analysis_of(&cpu->runs[run], work.ref);
    return work;
}

static int jobs_of(const CpuDevice *cpu, const FvTask *task, int run, int stage)
{
    return cpu->runs[run].feature->stages[stage].maps && !task->map[run] ? 0 : cpu->runs[run].jobs[stage];
}

static void enter_stage(CpuDevice *cpu, CpuTask *task, int run, int stage);

/* Finishes an instance of a task, and begins the instances that waited for it alone. Call it with the lock held. */
static void finish_lane(CpuDevice *cpu, CpuTask *task, int run)
{
    if (--task->lanes_left == 0)
        fv_condition_wake(&cpu->done);
    for (int r = run + 1; r < cpu->run_count; r++)
        for (int i = 0; i < cpu->runs[r].input_count && computes(cpu, task->task, r); i++)
            if (fv_instance_input(cpu->runs, r, i) == run && --task->lane[r].waits == 0)
                enter_stage(cpu, task, r, 0);
}

static bool in_order(const CpuDevice *cpu, int run, int stage)
{
    return cpu->lasting[run] && stage == cpu->runs[run].feature->stage_in_order;
}

/* Moves a lane to the first stage with jobs, from `stage` on. Call it with the lock held. */
static void enter_stage(CpuDevice *cpu, CpuTask *task, int run, int stage)
{
    const FvFeature *feature = cpu->runs[run].feature;
    int jobs = 0;
    while (stage < feature->stage_count && !(jobs = jobs_of(cpu, task->task, run, stage)))
        stage++;
    bool held = in_order(cpu, run, stage) && cpu->turn[run] != task->number;
    task->lane[run] = (Lane){.stage = stage, .jobs = held ? 0 : jobs, .held = held};
    if (stage == feature->stage_count)
        finish_lane(cpu, task, run);
}

/* Takes a job of the oldest task that has one. Call it with the lock held. */
static CpuTask *take_job(CpuDevice *cpu, int *run, int *stage, int *job)
{
    while (cpu->oldest < cpu->submitted && !cpu->tasks[cpu->oldest % cpu->capacity].lanes_left)
        cpu->oldest++;
    for (int64_t s = cpu->oldest; s < cpu->submitted; s++) {
        CpuTask *task = &cpu->tasks[s % cpu->capacity];
        for (int r = 0; r < cpu->run_count; r++)
            if (task->lane[r].next_job < task->lane[r].jobs) {
                *run = r;
                *stage = task->lane[r].stage;
                *job = task->lane[r].next_job++;
                return task;
            }
    }
    return NULL;
}

static void finish_job(CpuDevice *cpu, CpuTask *task, int run)
{
    Lane *lane = &task->lane[run];
    if (++lane->done_jobs < lane->jobs)
        return;
    if (in_order(cpu, run, lane->stage)) {
        CpuTask *next = &cpu->tasks[++cpu->turn[run] % cpu->capacity];
        if (next->number == cpu->turn[run] && next->lane[run].held)
            enter_stage(cpu, next, run, next->lane[run].stage);
    }
    enter_stage(cpu, task, run, lane->stage + 1);
    fv_condition_wake(&cpu->work);
}

static void count_work(CpuDevice *cpu, double started)
{
    atomic_fetch_add_explicit(&cpu->device.worked, (long long)((fv_seconds() - started) * 1e9), memory_order_relaxed);
}

static void worker(void *argument)
{
    Worker *self = argument;
    CpuDevice *cpu = self->cpu;
    fv_lock(&cpu->lock);
    while (!cpu->stopping) {
        int run, stage, job;
        CpuTask *task = take_job(cpu, &run, &stage, &job);
        if (!task) {
            fv_condition_wait(&cpu->work, &cpu->lock);
            continue;
        }
        fv_unlock(&cpu->lock);
        FvWork work = work_of(cpu, task->task, run, self->scratch);
        const FvStage *of = &cpu->runs[run].feature->stages[stage];
        const double started = fv_seconds();
        work.level = of->level;
        of->job(&cpu->runs[run], &work, job);
        count_work(cpu, started);
        fv_lock(&cpu->lock);
        finish_job(cpu, task, run);
    }
    fv_unlock(&cpu->lock);
}

static FvStatus cpu_start(FvDevice *device, FvFeatureInstance *runs, const FvPlacement *placement, int count,
                          int *in_flight, FvError *error)
{
    CpuDevice *cpu = (CpuDevice *)device;
    cpu->runs = runs;
    cpu->placement = placement;
    cpu->run_count = count;
    for (int i = 0; i < count; i++) {
        if (placement[i] && runs[i].scratch_bytes > cpu->scratch_bytes)
            cpu->scratch_bytes = runs[i].scratch_bytes;
        if (placement[i] && runs[i].lasting_bytes && !(cpu->lasting[i] = fv_alloc(runs[i].lasting_bytes)))
            return fv_fail_memory(error, runs[i].lasting_bytes);
    }
    cpu->workers = calloc((size_t)cpu->threads, sizeof *cpu->workers);
    if (!cpu->workers)
        return fv_fail_memory(error, (size_t)cpu->threads * sizeof *cpu->workers);
    for (int i = 0; i < cpu->threads; i++) {
        cpu->workers[i] = (Worker){.cpu = cpu, .scratch = fv_alloc_zero(cpu->scratch_bytes)};
        if (!cpu->workers[i].scratch)
            return fv_fail_memory(error, cpu->scratch_bytes);
    }
    if (cpu->threads == 1) {
        *in_flight = 1;
        return FV_OK;
    }
    cpu->capacity = *in_flight;
    cpu->tasks = calloc((size_t)cpu->capacity, sizeof *cpu->tasks);
    if (!cpu->tasks)
        return fv_fail_memory(error, (size_t)cpu->capacity * sizeof *cpu->tasks);
    for (; cpu->worker_count < cpu->threads; cpu->worker_count++)
        if (!fv_thread_start(&cpu->workers[cpu->worker_count].thread, worker, &cpu->workers[cpu->worker_count])) {
            if (cpu->worker_count)
                break; /* fewer threads give the same scores */
            return fv_fail(error, FV_ERROR_MEMORY, "no worker thread could be started; try `threads=1`");
        }
    return FV_OK;
}

static void run_inline(CpuDevice *cpu, FvTask *task)
{
    for (int r = 0; r < cpu->run_count; r++) {
        if (!computes(cpu, task, r))
            continue;
        const FvFeatureInstance *run = &cpu->runs[r];
        FvWork work = work_of(cpu, task, r, cpu->workers[0].scratch);
        for (int s = 0; s < run->feature->stage_count; s++) {
            const FvStage *stage = &run->feature->stages[s];
            const int jobs = jobs_of(cpu, task, r, s);
            work.level = stage->level;
            for (int job = 0; job < jobs; job++)
                stage->job(run, &work, job);
        }
    }
}

static FvStatus cpu_submit(FvDevice *device, FvTask *task, FvError *error)
{
    CpuDevice *cpu = (CpuDevice *)device;
    if (cpu->threads == 1) {
        const double started = fv_seconds();
        run_inline(cpu, task);
        count_work(cpu, started);
        return FV_OK;
    }
    fv_lock(&cpu->lock);
    CpuTask *slot = &cpu->tasks[cpu->submitted % cpu->capacity];
    *slot = (CpuTask){.task = task, .number = cpu->submitted};
    for (int r = 0; r < cpu->run_count; r++) {
        slot->lanes_left += computes(cpu, task, r);
        slot->lane[r].waits = cpu->runs[r].input_count;
    }
    task->device_state = slot;
    for (int r = 0; r < cpu->run_count; r++)
        if (computes(cpu, task, r) && !cpu->runs[r].input_count)
            enter_stage(cpu, slot, r, 0);
    cpu->submitted++;
    if (cpu->oldest < cpu->submitted - cpu->capacity)
        cpu->oldest = cpu->submitted - cpu->capacity;
    fv_condition_wake(&cpu->work);
    fv_unlock(&cpu->lock);
    return FV_OK;
}

static FvStatus cpu_wait(FvDevice *device, FvTask *task, FvError *error)
{
    CpuDevice *cpu = (CpuDevice *)device;
    if (cpu->threads == 1)
        return FV_OK;
    CpuTask *slot = task->device_state;
    fv_lock(&cpu->lock);
    while (slot->lanes_left)
        fv_condition_wait(&cpu->done, &cpu->lock);
    fv_unlock(&cpu->lock);
    return FV_OK;
}

static bool cpu_done(FvDevice *device, const FvTask *task)
{
    CpuDevice *cpu = (CpuDevice *)device;
    if (cpu->threads == 1)
        return true;
    const CpuTask *slot = task->device_state;
    fv_lock(&cpu->lock);
    const bool done = !slot->lanes_left;
    fv_unlock(&cpu->lock);
    return done;
}

static void cpu_close(FvDevice **device)
{
    CpuDevice *cpu = (CpuDevice *)*device;
    *device = NULL;
    fv_lock(&cpu->lock);
    cpu->stopping = true;
    fv_condition_wake(&cpu->work);
    fv_unlock(&cpu->lock);
    for (int i = 0; i < cpu->worker_count; i++)
        fv_thread_join(&cpu->workers[i].thread);
    for (int i = 0; cpu->workers && i < cpu->threads; i++)
        fv_free(cpu->workers[i].scratch);
    for (int r = 0; r < cpu->run_count; r++)
        fv_free(cpu->lasting[r]);
    free(cpu->workers);
    free(cpu->tasks);
    fv_condition_close(&cpu->done);
    fv_condition_close(&cpu->work);
    fv_mutex_close(&cpu->lock);
    free(cpu);
}

const FvDeviceOps fv_device_cpu = {
    .kind = "cpu",
    .open = cpu_open,
    .supports = cpu_supports,
    .start = cpu_start,
    .submit = cpu_submit,
    .wait = cpu_wait,
    .done = cpu_done,
    .close = cpu_close,
};
