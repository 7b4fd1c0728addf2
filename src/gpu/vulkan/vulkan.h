/* Vulkan as a GPU driver: the declarations that its files share. */
#pragma once

#define VK_NO_PROTOTYPES
#include <stdatomic.h>
#include <volk.h>

#include "gpu/gpu.h"

/* Maximum number of lists in flight per queue; begin() waits for the oldest one if all are in flight. */
#define FV_VULKAN_LISTS 8
/* Maximum number of launches timed per list; more launches are not timed. */
#define FV_VULKAN_TIMED 256
#define FV_VULKAN_WAITS 96 /* maximum number of semaphores for which one list waits */

typedef struct VulkanList {
    VkCommandBuffer commands;
    VkQueryPool queries;
    uint64_t ticket;
    const FvKernel *timed[FV_VULKAN_TIMED];
    int timed_count;
} VulkanList;

typedef struct VulkanQueue {
    uint32_t family;
    VkQueue queue;
    VkCommandPool pool;
    VkSemaphore timeline;
    uint64_t submitted;
    uint64_t finished; /* lower bound of the tickets that have finished */
    VulkanList lists[FV_VULKAN_LISTS];
    int list; /* index of the newest list */
    bool recording;
    int waits;
    VkSemaphore wait[FV_VULKAN_WAITS];
    uint64_t wait_value[FV_VULKAN_WAITS];
    VkResult broken; /* first error since begin() */
    const char *broken_what;
} VulkanQueue;

typedef struct VulkanPipeline {
    const FvKernel *kernel;
    VkPipeline pipeline;
} VulkanPipeline;

typedef struct VulkanGpu {
    FvGpu gpu;
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger;
    char complaint[512]; /* the last message of the validation layers */
    VkPhysicalDevice physical;
    VkDevice device;
    struct VolkDeviceTable vk;
    VkPhysicalDeviceMemoryProperties memory;
    bool has_budget;
    size_t import_alignment; /* granularity of host memory that the driver imports, in bytes; 0: it imports none */
    atomic_flag submitting;  /* locks submission to the VkQueues, which several queues share */
    atomic_bool lost;        /* the device is lost: all further work fails, but its memory can be released */
    atomic_bool silent;      /* the device did not answer, so it may go on using its memory */
    double tick;             /* seconds per unit of a timestamp */
    VulkanQueue queues[FV_GPU_QUEUES];
    VkPipelineLayout layout;
    VulkanPipeline pipelines[FV_GPU_MAX_KERNELS];
    int pipeline_count;
} VulkanGpu;

/* Returns the name of a result, for messages. */
const char *fv_vulkan_result(VkResult result);

/* Fails with a message, and notes whether the device is lost or silent. */
FvStatus fv_vulkan_fail(VulkanGpu *vulkan, const char *what, VkResult result, FvError *error);

/* Returns the instance of the process, with validation layers if the environment sets FOVEA_VALIDATION=1. */
VkResult fv_vulkan_instance(VkInstance *instance, bool *validating);

bool fv_vulkan_describe(int index, FvGpuInfo *info, char *absent, size_t size);
bool fv_vulkan_has_extension(VkPhysicalDevice physical, const char *name);
bool fv_vulkan_describe_physical(VkPhysicalDevice physical, FvGpuInfo *info);
FvStatus fv_vulkan_open(FvGpu **gpu, int index, FvError *error);
void fv_vulkan_close(FvGpu **gpu);
/* Opens a queue. All queues except the compute queue are opened on first use. */
VkResult fv_vulkan_open_queue(VulkanGpu *vulkan, VulkanQueue *queue);
VkResult fv_vulkan_make_pipeline(VulkanGpu *vulkan, const FvKernel *kernel, VkPipeline *pipeline);
uint64_t fv_vulkan_available(FvGpu *gpu);
FvStatus fv_vulkan_alloc(FvGpu *gpu, FvGpuMemory *memory, size_t bytes, FvGpuPlace place, FvError *error);
void fv_vulkan_free(FvGpu *gpu, FvGpuMemory *memory);
