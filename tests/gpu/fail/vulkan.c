/* Wraps a Vulkan driver, of hardware or software: before each call that can fail, the wrapper asks fault_strikes()
 * whether it must. */
#include "gpu/vulkan/vulkan.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "fault.h"

/* Types of Vulkan objects that fovea creates and must destroy. */
#define OBJECTS(X)                                                                                                   \
    X(CommandPool, VkCommandPoolCreateInfo)                                                                          \
    X(Semaphore, VkSemaphoreCreateInfo)                                                                              \
    X(PipelineLayout, VkPipelineLayoutCreateInfo)                                                                    \
    X(Buffer, VkBufferCreateInfo)                                                                                    \
    X(ShaderModule, VkShaderModuleCreateInfo)                                                                        \
    X(QueryPool, VkQueryPoolCreateInfo)

/* Calls that return a result and create no object that must be destroyed. */
#define CALLS(X)                                                                                                     \
    X(vkAllocateCommandBuffers,                                                                                      \
      (VkDevice device, const VkCommandBufferAllocateInfo *info, VkCommandBuffer *buffers), (device, info, buffers)) \
    X(vkBindBufferMemory, (VkDevice device, VkBuffer buffer, VkDeviceMemory memory, VkDeviceSize offset),            \
      (device, buffer, memory, offset))                                                                              \
    X(vkMapMemory,                                                                                                   \
      (VkDevice device, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size, VkMemoryMapFlags flags,       \
       void **data),                                                                                                 \
      (device, memory, offset, size, flags, data))                                                                   \
    X(vkBeginCommandBuffer, (VkCommandBuffer buffer, const VkCommandBufferBeginInfo *info), (buffer, info))          \
    X(vkEndCommandBuffer, (VkCommandBuffer buffer), (buffer))                                                        \
    X(vkResetCommandBuffer, (VkCommandBuffer buffer, VkCommandBufferResetFlags flags), (buffer, flags))              \
    X(vkQueueSubmit, (VkQueue queue, uint32_t count, const VkSubmitInfo *infos, VkFence fence),                      \
      (queue, count, infos, fence))

typedef enum Kind {
#define KIND(name, info) MADE_##name,
    OBJECTS(KIND)
#undef KIND
        MADE_Memory,
    MADE_Pipeline,
    MADE_Device,
} Kind;

typedef struct Made {
    Kind kind;
    VkDevice device;
    uint64_t handle;
} Made;

static struct VolkDeviceTable real;
static PFN_vkGetDeviceProcAddr real_proc;
static PFN_vkCreateDevice real_create_device;
static PFN_vkEnumeratePhysicalDevices real_enumerate;
static PFN_vkEnumerateDeviceExtensionProperties real_extensions;
static Made made[4096];
static int made_count, unknown;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* readers' threads allocate memory, too */

static VkResult strike(const char *call, bool waits)
{
    if (!fault_strikes(call, waits))
        return VK_SUCCESS;
    return fault_kind() == FAULT_MEMORY ? VK_ERROR_OUT_OF_DEVICE_MEMORY
           : fault_kind() == FAULT_LOST ? VK_ERROR_DEVICE_LOST
                                        : VK_TIMEOUT;
}

static void keep(Kind kind, VkDevice device, uint64_t handle)
{
    pthread_mutex_lock(&lock);
    if (made_count == sizeof made / sizeof *made)
        abort();
    made[made_count++] = (Made){kind, device, handle};
    pthread_mutex_unlock(&lock);
}

static void forget(Kind kind, uint64_t handle)
{
    pthread_mutex_lock(&lock);
    int i = made_count - 1;
    while (i >= 0 && (made[i].kind != kind || made[i].handle != handle))
        i--;
    if (i >= 0)
        memmove(&made[i], &made[i + 1], (size_t)(--made_count - i) * sizeof *made);
    else
        unknown += handle != 0;
    pthread_mutex_unlock(&lock);
}

#define HANDLE(object) ((uint64_t)(uintptr_t)(object))

#define WRAP_OBJECT(name, info)                                                                                      \
    static VkResult create_##name(VkDevice device, const info *how, const VkAllocationCallbacks *callbacks,          \
                                  Vk##name *object)                                                                  \
    {                                                                                                                \
        VkResult result = strike("vkCreate" #name, false);                                                           \
        if (!result && !(result = real.vkCreate##name(device, how, callbacks, object)))                              \
            keep(MADE_##name, device, HANDLE(*object));                                                              \
        return result;                                                                                               \
    }                                                                                                                \
                                                                                                                     \
    static void destroy_##name(VkDevice device, Vk##name object, const VkAllocationCallbacks *callbacks)             \
    {                                                                                                                \
        forget(MADE_##name, HANDLE(object));                                                                         \
        real.vkDestroy##name(device, object, callbacks);                                                             \
    }
OBJECTS(WRAP_OBJECT)

#define WRAP_CALL(name, parameters, arguments)                                                                       \
    static VkResult wrapped_##name parameters                                                                        \
    {                                                                                                                \
        VkResult result = strike(#name, false);                                                                      \
        return result ? result : real.name arguments;                                                                \
    }
CALLS(WRAP_CALL)

static VkResult allocate_memory(VkDevice device, const VkMemoryAllocateInfo *info,
                                const VkAllocationCallbacks *callbacks, VkDeviceMemory *memory)
{
    VkResult result = strike("vkAllocateMemory", false);
    if (!result && !(result = real.vkAllocateMemory(device, info, callbacks, memory)))
        keep(MADE_Memory, device, HANDLE(*memory));
    return result;
}

static void free_memory(VkDevice device, VkDeviceMemory memory, const VkAllocationCallbacks *callbacks)
{
    forget(MADE_Memory, HANDLE(memory));
    real.vkFreeMemory(device, memory, callbacks);
}

static VkResult create_pipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                 const VkComputePipelineCreateInfo *infos, const VkAllocationCallbacks *callbacks,
                                 VkPipeline *pipelines)
{
    VkResult result = strike("vkCreateComputePipelines", false);
    if (!result && !(result = real.vkCreateComputePipelines(device, cache, count, infos, callbacks, pipelines)))
        keep(MADE_Pipeline, device, HANDLE(pipelines[0]));
    return result;
}

static void destroy_pipeline(VkDevice device, VkPipeline pipeline, const VkAllocationCallbacks *callbacks)
{
    forget(MADE_Pipeline, HANDLE(pipeline));
    real.vkDestroyPipeline(device, pipeline, callbacks);
}

static VkResult wait_semaphores(VkDevice device, const VkSemaphoreWaitInfo *info, uint64_t timeout)
{
    VkResult result = real.vkWaitSemaphores(device, info, timeout);
    VkResult struck = strike("vkWaitSemaphores", true);
    return struck ? struck : result;
}

static VkResult wait_idle(VkDevice device)
{
    VkResult result = real.vkDeviceWaitIdle(device);
    VkResult struck = strike("vkDeviceWaitIdle", false);
    return struck ? struck : result;
}

static VkResult create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                              const VkAllocationCallbacks *callbacks, VkDevice *device)
{
    VkResult result = strike("vkCreateDevice", false);
    if (!result && !(result = real_create_device(physical, info, callbacks, device)))
        keep(MADE_Device, *device, HANDLE(*device));
    return result;
}

static void destroy_device(VkDevice device, const VkAllocationCallbacks *callbacks)
{
    for (int i = 0; i < made_count; i++)
        unknown += made[i].device == device && made[i].kind != MADE_Device;
    forget(MADE_Device, HANDLE(device));
    real.vkDestroyDevice(device, callbacks);
}

static VkResult enumerate(VkInstance instance, uint32_t *count, VkPhysicalDevice *physical)
{
    VkResult result = strike("vkEnumeratePhysicalDevices", false);
    return result ? result : real_enumerate(instance, count, physical);
}

static VkResult extensions(VkPhysicalDevice physical, const char *layer, uint32_t *count,
                           VkExtensionProperties *properties)
{
    VkResult result = strike("vkEnumerateDeviceExtensionProperties", false);
    return result ? result : real_extensions(physical, layer, count, properties);
}

/* Finds a function for volk's table: returns its wrapper and stores the driver's function in `real`. */
static PFN_vkVoidFunction find(VkDevice device, const char *name)
{
    const struct {
        const char *name;
        PFN_vkVoidFunction wrapped, *own;
    } functions[] = {
#define FUNCTION(name, wrapped) {#name, (PFN_vkVoidFunction)(wrapped), (PFN_vkVoidFunction *)&real.name},
#define FIND_CREATE(name, info) FUNCTION(vkCreate##name, create_##name)
#define FIND_DESTROY(name, info) FUNCTION(vkDestroy##name, destroy_##name)
#define FIND_CALL(name, parameters, arguments) FUNCTION(name, wrapped_##name)
        OBJECTS(FIND_CREATE) OBJECTS(FIND_DESTROY) CALLS(FIND_CALL)
        /* clang-format off */
        FUNCTION(vkAllocateMemory, allocate_memory)
        FUNCTION(vkFreeMemory, free_memory)
        FUNCTION(vkCreateComputePipelines, create_pipelines)
        FUNCTION(vkDestroyPipeline, destroy_pipeline)
        FUNCTION(vkWaitSemaphores, wait_semaphores)
        FUNCTION(vkDeviceWaitIdle, wait_idle)
        FUNCTION(vkDestroyDevice, destroy_device)
        /* clang-format on */
    };
    PFN_vkVoidFunction own = real_proc(device, name);
    for (size_t i = 0; i < sizeof functions / sizeof *functions && own; i++)
        if (!strcmp(functions[i].name, name)) {
            *functions[i].own = own;
            return functions[i].wrapped;
        }
    return own;
}

static bool open_driver(char *why, size_t size)
{
    FvGpuInfo info;
    if (!fv_vulkan_describe(0, &info, why, size))
        return false;
    snprintf(why, size, "vulkan:0 lacks %s", info.lacks);
    real_proc = vkGetDeviceProcAddr;
    real_create_device = vkCreateDevice;
    real_enumerate = vkEnumeratePhysicalDevices;
    real_extensions = vkEnumerateDeviceExtensionProperties;
    vkGetDeviceProcAddr = find;
    vkCreateDevice = create_device;
    vkEnumeratePhysicalDevices = enumerate;
    vkEnumerateDeviceExtensionProperties = extensions;
    return !*info.lacks;
}

static void wait_for_all(void)
{
    for (int i = 0; i < made_count; i++)
        if (made[i].kind == MADE_Device)
            real.vkDeviceWaitIdle(made[i].device);
}

/* Destroys the objects that fovea left because their device had stopped answering. */
static void sweep(void)
{
    wait_for_all();
    while (made_count) {
        const Made last = made[--made_count];
        switch (last.kind) {
#define SWEEP(name, info)                                                                                            \
    case MADE_##name:                                                                                                \
        real.vkDestroy##name(last.device, (Vk##name)(uintptr_t)last.handle, NULL);                                   \
        break;
            OBJECTS(SWEEP)
        case MADE_Memory:
            real.vkFreeMemory(last.device, (VkDeviceMemory)(uintptr_t)last.handle, NULL);
            break;
        case MADE_Pipeline:
            real.vkDestroyPipeline(last.device, (VkPipeline)(uintptr_t)last.handle, NULL);
            break;
        case MADE_Device:
            real.vkDestroyDevice(last.device, NULL);
        }
    }
}

/* Waits for the real device before it counts as lost, so that it does not use memory that fovea then frees. */
static void on_fault(void)
{
    if (fault_kind() == FAULT_LOST)
        wait_for_all();
}

static void reset(bool null)
{
    sweep();
    unknown = 0;
    fault_hook = on_fault;
}

static bool clean(char *why, size_t size)
{
    if (unknown)
        snprintf(why, size, "%d objects were destroyed twice or after their device", unknown);
    else if (made_count && !fault_silenced())
        snprintf(why, size, "%d objects are left", made_count);
    else
        return true;
    return false;
}

const FailingDriver failing_vulkan = {"vulkan:0", false, open_driver, reset, clean, NULL};
