/* Records and submits lists of commands on a Vulkan device, and waits for them. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "gpu/vulkan/vulkan.h"
#include "os/thread.h"
#include "os/workers.h"

static VkResult find_pipeline(VulkanGpu *vulkan, const FvKernel *kernel, VkPipeline *pipeline)
{
    for (int i = 0; i < vulkan->pipeline_count; i++)
        if (vulkan->pipelines[i].kernel == kernel) {
            *pipeline = vulkan->pipelines[i].pipeline;
            return VK_SUCCESS;
        }
    if (!kernel->spirv || vulkan->pipeline_count == FV_GPU_MAX_KERNELS)
        return VK_ERROR_FEATURE_NOT_PRESENT;
    VkResult result = fv_vulkan_make_pipeline(vulkan, kernel, pipeline);
    if (!result)
        vulkan->pipelines[vulkan->pipeline_count++] = (VulkanPipeline){kernel, *pipeline};
    return result;
}

typedef struct Loading {
    VulkanGpu *vulkan;
    VulkanPipeline made[FV_GPU_MAX_KERNELS];
    VkResult result[FV_GPU_MAX_KERNELS];
    int count;
} Loading;

static void make_one(void *opaque, int i, int worker)
{
    Loading *loading = opaque;
    loading->result[i] =
        fv_vulkan_make_pipeline(loading->vulkan, loading->made[i].kernel, &loading->made[i].pipeline);
}

static void make_all(Loading *loading, int threads)
{
    FvWorkers *workers;
    FvError ignored;
    if (threads > loading->count)
        threads = loading->count;
    if (threads > 1 && !fv_workers_open(&workers, threads, &ignored)) {
        fv_workers_run(workers, loading->count, make_one, loading);
        fv_workers_close(&workers);
        return;
    }
    for (int i = 0; i < loading->count; i++)
        make_one(loading, i, 0);
}

static bool is_made(const VulkanPipeline *pipelines, int count, const FvKernel *kernel)
{
    int i = 0;
    while (i < count && pipelines[i].kernel != kernel)
        i++;
    return i < count;
}

/* Sorts kernels by size, largest first, so that no thread starts a long compilation when the others have finished. */
static int larger_first(const void *a, const void *b)
{
    const size_t x = ((const VulkanPipeline *)a)->kernel->spirv_bytes;
    const size_t y = ((const VulkanPipeline *)b)->kernel->spirv_bytes;
    return (x < y) - (x > y);
}

static FvStatus load(FvGpu *gpu, const FvKernel *const *kernels, int count, int threads, FvError *error)
{
    VulkanGpu *vulkan = (VulkanGpu *)gpu;
    Loading loading = {.vulkan = vulkan};
    FvStatus status = FV_OK;
    for (int i = 0; i < count && vulkan->pipeline_count + loading.count < FV_GPU_MAX_KERNELS; i++)
        if (!is_made(vulkan->pipelines, vulkan->pipeline_count, kernels[i]) &&
            !is_made(loading.made, loading.count, kernels[i]))
            loading.made[loading.count++].kernel = kernels[i];
    qsort(loading.made, (size_t)loading.count, sizeof *loading.made, larger_first);
    make_all(&loading, threads);
    for (int i = 0; i < loading.count; i++)
        if (!loading.result[i])
            vulkan->pipelines[vulkan->pipeline_count++] = loading.made[i];
        else if (!status)
            status = fv_vulkan_fail(vulkan, loading.made[i].kernel->name, loading.result[i], error);
    return status;
}

/* Adds the times of a finished list. */
static void collect_times(VulkanGpu *vulkan, VulkanList *list)
{
    uint64_t ticks[2 * FV_VULKAN_TIMED];
    uint32_t count = 2 * (uint32_t)list->timed_count;
    if (count && !vulkan->vk.vkGetQueryPoolResults(vulkan->device, list->queries, 0, count, sizeof ticks, ticks,
                                                   sizeof *ticks, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT))
        for (int i = 0; i < list->timed_count; i++)
            fv_gpu_add_time(&vulkan->gpu, list->timed[i], (double)(ticks[2 * i + 1] - ticks[2 * i]) * vulkan->tick);
    list->timed_count = 0;
}

/*
 * Locks submission by spinning: a submission takes a few microseconds, and waking from sleep takes longer on an idle
 * processor.
 */
static void begin_submitting(VulkanGpu *vulkan)
{
    for (int spin = 0; atomic_flag_test_and_set_explicit(&vulkan->submitting, memory_order_acquire); spin++)
        if (spin % 256 == 255)
            fv_thread_yield();
}

static FvStatus wait(FvGpu *gpu, FvGpuQueue which, uint64_t ticket, FvError *error)
{
    VulkanGpu *vulkan = (VulkanGpu *)gpu;
    if (vulkan->lost || vulkan->silent)
        return fv_vulkan_fail(vulkan, "waiting", vulkan->silent ? VK_TIMEOUT : VK_ERROR_DEVICE_LOST, error);
    VulkanQueue *queue = &vulkan->queues[which];
    if (ticket <= queue->finished)
        return FV_OK;
    VkResult result =
        vulkan->vk.vkWaitSemaphores(vulkan->device,
                                    &(VkSemaphoreWaitInfo){.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                                           .semaphoreCount = 1,
                                                           .pSemaphores = &queue->timeline,
                                                           .pValues = &ticket},
                                    FV_GPU_PATIENCE * UINT64_C(1000000000));
    /* If waiting failed, the queue must become idle first, unless the device cannot be stopped. */
    if (result && result != VK_TIMEOUT) {
        begin_submitting(vulkan);
        if (vulkan->vk.vkDeviceWaitIdle(vulkan->device))
            vulkan->lost = true;
        atomic_flag_clear_explicit(&vulkan->submitting, memory_order_release);
    }
    if (result)
        return fv_vulkan_fail(vulkan, "waiting", result, error);
    if (*vulkan->complaint)
        return fv_fail(error, FV_ERROR_DEVICE, "vulkan:%d: the validation layer says: %s", gpu->index,
                       vulkan->complaint);
    queue->finished = ticket;
    for (int i = 0; which == FV_GPU_COMPUTE && i < FV_VULKAN_LISTS; i++)
        if (queue->lists[i].ticket <= ticket && !(queue->recording && i == queue->list))
            collect_times(vulkan, &queue->lists[i]);
    return FV_OK;
}

static VkCommandBuffer commands(const VulkanGpu *vulkan, FvGpuQueue which)
{
    return vulkan->queues[which].lists[vulkan->queues[which].list].commands;
}

static void barrier(FvGpu *gpu, FvGpuQueue which)
{
    VulkanGpu *vulkan = (VulkanGpu *)gpu;
    VkPipelineStageFlags stages = VK_PIPELINE_STAGE_TRANSFER_BIT;
    VkAccessFlags access = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    if (which == FV_GPU_COMPUTE) {
        stages |= VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
        access |= VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
    }
    VkMemoryBarrier memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = access, .dstAccessMask = access};
    vulkan->vk.vkCmdPipelineBarrier(commands(vulkan, which), stages, stages, 0, 1, &memory, 0, NULL, 0, NULL);
}

static FvStatus begin(FvGpu *gpu, FvGpuQueue which, FvError *error)
{
    VulkanGpu *vulkan = (VulkanGpu *)gpu;
    const struct VolkDeviceTable *vk = &vulkan->vk;
    VulkanQueue *queue = &vulkan->queues[which];
    /* A list whose recording was abandoned is reused. */
    if (!queue->recording)
        queue->list = (queue->list + 1) % FV_VULKAN_LISTS;
    VulkanList *list = &queue->lists[queue->list];
    if (queue->recording) {
        vk->vkResetCommandBuffer(list->commands, 0);
        list->timed_count = 0;
    }
    queue->recording = false;
    VkResult opened = queue->pool ? VK_SUCCESS : fv_vulkan_open_queue(vulkan, queue);
    if (opened)
        return fv_vulkan_fail(vulkan, "opening a queue", opened, error);
    FvStatus status = wait(gpu, which, list->ticket, error);
    if (status)
        return status;
    queue->waits = 0;
    queue->broken = VK_SUCCESS;
    VkResult result = VK_SUCCESS;
    if (gpu->profile && !list->queries)
        result = vk->vkCreateQueryPool(vulkan->device,
                                       &(VkQueryPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                                                .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                                                .queryCount = 2 * FV_VULKAN_TIMED},
                                       NULL, &list->queries);
    if (!result)
        result = vk->vkBeginCommandBuffer(
            list->commands, &(VkCommandBufferBeginInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                                        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT});
    if (result)
        return fv_vulkan_fail(vulkan, "recording", result, error);
    queue->recording = true;
    if (gpu->profile && which == FV_GPU_COMPUTE)
        vk->vkCmdResetQueryPool(list->commands, list->queries, 0, 2 * FV_VULKAN_TIMED);
    barrier(gpu, which);
    return FV_OK;
}

static void after_foreign(FvGpu *gpu, FvGpuQueue which, void *sync, uint64_t value)
{
    VulkanQueue *queue = &((VulkanGpu *)gpu)->queues[which];
    if (queue->waits == FV_VULKAN_WAITS) {
        queue->broken = VK_ERROR_OUT_OF_HOST_MEMORY;
        queue->broken_what = "waiting for other queues";
        return;
    }
    queue->wait[queue->waits] = (VkSemaphore)sync;
    queue->wait_value[queue->waits++] = value;
}

static void after(FvGpu *gpu, FvGpuQueue which, FvGpuQueue other, uint64_t ticket)
{
    VulkanGpu *vulkan = (VulkanGpu *)gpu;
    VulkanQueue *queue = &vulkan->queues[which];
    VkSemaphore timeline = vulkan->queues[other].timeline;
    if (!ticket) /* ticket 0: nothing was submitted, and the other queue may not be open yet */
        return;
    for (int i = 0; i < queue->waits; i++)
        if (queue->wait[i] == timeline) {
            if (queue->wait_value[i] < ticket)
                queue->wait_value[i] = ticket;
            return;
        }
    after_foreign(gpu, which, timeline, ticket);
}

static void copy(FvGpu *gpu, FvGpuQueue which, const FvGpuMemory *to, size_t to_offset, const FvGpuMemory *from,
                 size_t from_offset, size_t bytes)
{
    VulkanGpu *vulkan = (VulkanGpu *)gpu;
    VkBufferCopy region = {.srcOffset = from_offset, .dstOffset = to_offset, .size = bytes};
    vulkan->vk.vkCmdCopyBuffer(commands(vulkan, which), (VkBuffer)(uintptr_t)from->handle[0],
                               (VkBuffer)(uintptr_t)to->handle[0], 1, &region);
}

static void fill(FvGpu *gpu, FvGpuQueue which, const FvGpuMemory *to, size_t offset, size_t bytes, uint32_t word)
{
    VulkanGpu *vulkan = (VulkanGpu *)gpu;
    vulkan->vk.vkCmdFillBuffer(commands(vulkan, which), (VkBuffer)(uintptr_t)to->handle[0], offset, bytes, word);
}

static void launch(FvGpu *gpu, FvGpuQueue which, const FvKernel *kernel, const void *args, uint32_t x, uint32_t y,
                   uint32_t z)
{
    VulkanGpu *vulkan = (VulkanGpu *)gpu;
    const struct VolkDeviceTable *vk = &vulkan->vk;
    VulkanQueue *queue = &vulkan->queues[which];
    VulkanList *list = &queue->lists[queue->list];
    VkPipeline pipeline;
    VkResult result = find_pipeline(vulkan, kernel, &pipeline);
    if (result) {
        queue->broken = result;
        queue->broken_what = kernel->name;
        return;
    }
    bool timed = gpu->profile && list->timed_count < FV_VULKAN_TIMED;
    vk->vkCmdBindPipeline(list->commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vk->vkCmdPushConstants(list->commands, vulkan->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, kernel->args_bytes, args);
    if (timed) {
        barrier(gpu, which);
        vk->vkCmdWriteTimestamp(list->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, list->queries,
                                2 * (uint32_t)list->timed_count);
    }
    vk->vkCmdDispatch(list->commands, x, y, z);
    if (timed) {
        vk->vkCmdWriteTimestamp(list->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, list->queries,
                                2 * (uint32_t)list->timed_count + 1);
        list->timed[list->timed_count++] = kernel;
    }
}

/* Makes the device's writes visible to the host, which waits for the ticket before it reads. */
static void release_to_host(VulkanGpu *vulkan, FvGpuQueue which)
{
    VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                              .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                              .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vulkan->vk.vkCmdPipelineBarrier(commands(vulkan, which), VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                    VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &memory, 0, NULL, 0, NULL);
}

static FvStatus submit(FvGpu *gpu, FvGpuQueue which, uint64_t *ticket, FvError *error)
{
    VulkanGpu *vulkan = (VulkanGpu *)gpu;
    VulkanQueue *queue = &vulkan->queues[which];
    VulkanList *list = &queue->lists[queue->list];
    release_to_host(vulkan, which);
    VkResult result = vulkan->vk.vkEndCommandBuffer(list->commands);
    queue->recording = false;
    if (queue->broken)
        return fv_vulkan_fail(vulkan, queue->broken_what, queue->broken, error);
    if (result)
        return fv_vulkan_fail(vulkan, "recording", result, error);
    VkPipelineStageFlags stages[FV_VULKAN_WAITS];
    for (int i = 0; i < queue->waits; i++)
        stages[i] = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    uint64_t value = queue->submitted + 1;
    VkTimelineSemaphoreSubmitInfo timeline = {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                              .waitSemaphoreValueCount = (uint32_t)queue->waits,
                                              .pWaitSemaphoreValues = queue->wait_value,
                                              .signalSemaphoreValueCount = 1,
                                              .pSignalSemaphoreValues = &value};
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .pNext = &timeline,
                         .waitSemaphoreCount = (uint32_t)queue->waits,
                         .pWaitSemaphores = queue->wait,
                         .pWaitDstStageMask = stages,
                         .commandBufferCount = 1,
                         .pCommandBuffers = &list->commands,
                         .signalSemaphoreCount = 1,
                         .pSignalSemaphores = &queue->timeline};
    begin_submitting(vulkan);
    result = vulkan->vk.vkQueueSubmit(queue->queue, 1, &info, VK_NULL_HANDLE);
    atomic_flag_clear_explicit(&vulkan->submitting, memory_order_release);
    if (result)
        return fv_vulkan_fail(vulkan, "submitting", result, error);
    *ticket = list->ticket = queue->submitted = value;
    return FV_OK;
}

static void handles(const FvGpu *gpu, FvDeviceHandles *handles)
{
    const VulkanGpu *vulkan = (const VulkanGpu *)gpu;
    handles->vulkan_instance = vulkan->instance;
    handles->vulkan_physical_device = vulkan->physical;
    handles->vulkan_device = vulkan->device;
    handles->vulkan_queue = vulkan->queues[FV_GPU_COMPUTE].queue;
    handles->vulkan_queue_family = vulkan->queues[FV_GPU_COMPUTE].family;
}

const FvGpuOps fv_gpu_vulkan = {
    .kind = "vulkan",
    .describe = fv_vulkan_describe,
    .open = fv_vulkan_open,
    .close = fv_vulkan_close,
    .available = fv_vulkan_available,
    .alloc = fv_vulkan_alloc,
    .free = fv_vulkan_free,
    .load = load,
    .begin = begin,
    .after = after,
    .after_foreign = after_foreign,
    .copy = copy,
    .fill = fill,
    .launch = launch,
    .barrier = barrier,
    .submit = submit,
    .wait = wait,
    .handles = handles,
};
