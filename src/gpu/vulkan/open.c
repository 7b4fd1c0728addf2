/* Opens a Vulkan device with its queues. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "gpu/vulkan/vulkan.h"

static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                 VkDebugUtilsMessageTypeFlagsEXT type,
                                                 const VkDebugUtilsMessengerCallbackDataEXT *data, void *opaque)
{
    VulkanGpu *vulkan = opaque;
    if (!*vulkan->complaint)
        snprintf(vulkan->complaint, sizeof vulkan->complaint, "%s", data->pMessage);
    return VK_FALSE;
}

static uint32_t find_family(VkPhysicalDevice physical, VkQueueFlags wanted, VkQueueFlags unwanted, uint32_t *queues)
{
    VkQueueFamilyProperties families[32];
    uint32_t count = 32;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
    for (uint32_t i = 0; i < count; i++)
        if ((families[i].queueFlags & wanted) == wanted && !(families[i].queueFlags & unwanted)) {
            *queues = families[i].queueCount;
            return i;
        }
    return UINT32_MAX;
}

VkResult fv_vulkan_open_queue(VulkanGpu *vulkan, VulkanQueue *queue)
{
    const struct VolkDeviceTable *vk = &vulkan->vk;
    VkResult result =
        vk->vkCreateCommandPool(vulkan->device,
                                &(VkCommandPoolCreateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                                           .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                                           .queueFamilyIndex = queue->family},
                                NULL, &queue->pool);
    VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                      .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    if (!result)
        result = vk->vkCreateSemaphore(
            vulkan->device,
            &(VkSemaphoreCreateInfo){.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type}, NULL,
            &queue->timeline);
    for (int i = 0; i < FV_VULKAN_LISTS && !result; i++)
        result = vk->vkAllocateCommandBuffers(
            vulkan->device,
            &(VkCommandBufferAllocateInfo){.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                           .commandPool = queue->pool,
                                           .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                           .commandBufferCount = 1},
            &queue->lists[i].commands);
    return result;
}

static size_t import_alignment(VkPhysicalDevice physical)
{
    VkPhysicalDeviceExternalMemoryHostPropertiesEXT host = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_MEMORY_HOST_PROPERTIES_EXT};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              .pNext = &host};
    vkGetPhysicalDeviceProperties2(physical, &properties);
    return (size_t)host.minImportedHostPointerAlignment;
}

static VkResult open_device(VulkanGpu *vulkan)
{
    VkPhysicalDevice physical = vulkan->physical;
    uint32_t queues = 1, copy_queues = 0;
    /*
     * Prefers a queue family without graphics, because NVIDIA's driver then gives workgroups twice the shared memory
     * of a multiprocessor.
     */
    uint32_t compute = find_family(physical, VK_QUEUE_COMPUTE_BIT, VK_QUEUE_GRAPHICS_BIT, &queues);
    if (compute == UINT32_MAX)
        compute = find_family(physical, VK_QUEUE_COMPUTE_BIT, 0, &queues);
    if (compute == UINT32_MAX)
        return VK_ERROR_FEATURE_NOT_PRESENT;
    uint32_t copy =
        find_family(physical, VK_QUEUE_TRANSFER_BIT, VK_QUEUE_COMPUTE_BIT | VK_QUEUE_GRAPHICS_BIT, &copy_queues);
    bool own_family = copy != UINT32_MAX;
    if (!own_family)
        copy = compute;
    bool second = !own_family && queues > 1;

    float priority[2] = {1, 1};
    VkDeviceQueueCreateInfo queue_info[2] = {
        {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
         .queueFamilyIndex = compute,
         .queueCount = 1 + second,
         .pQueuePriorities = priority},
        {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
         .queueFamilyIndex = copy,
         .queueCount = 1,
         .pQueuePriorities = priority},
    };
    VkPhysicalDeviceVulkan12Features v12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                            .bufferDeviceAddress = VK_TRUE,
                                            .scalarBlockLayout = VK_TRUE,
                                            .timelineSemaphore = VK_TRUE,
                                            .storageBuffer8BitAccess = VK_TRUE};
    VkPhysicalDeviceVulkan11Features v11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
                                            .pNext = &v12,
                                            .storageBuffer16BitAccess = VK_TRUE};
    VkPhysicalDeviceFeatures2 features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .pNext = &v11,
        .features = {.shaderInt64 = VK_TRUE, .shaderFloat64 = vulkan->gpu.info.float64}};
    const char *extensions[2];
    uint32_t extension_count = 0;
    vulkan->has_budget = fv_vulkan_has_extension(physical, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
    if (vulkan->has_budget)
        extensions[extension_count++] = VK_EXT_MEMORY_BUDGET_EXTENSION_NAME;
    if (fv_vulkan_has_extension(physical, VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME)) {
        extensions[extension_count++] = VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME;
        vulkan->import_alignment = import_alignment(physical);
    }
    VkDeviceCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &features,
        .queueCreateInfoCount = own_family ? 2 : 1,
        .pQueueCreateInfos = queue_info,
        .enabledExtensionCount = extension_count,
        .ppEnabledExtensionNames = extensions,
    };
    VkResult result = vkCreateDevice(physical, &create, NULL, &vulkan->device);
    if (result)
        return result;
    volkLoadDeviceTable(&vulkan->vk, vulkan->device);
    vulkan->queues[FV_GPU_COMPUTE].family = compute;
    for (int i = 0; i < FV_GPU_QUEUES; i++)
        if (i != FV_GPU_COMPUTE) {
            vulkan->queues[i].family = copy;
            vulkan->vk.vkGetDeviceQueue(vulkan->device, copy, second, &vulkan->queues[i].queue);
        }
    vulkan->vk.vkGetDeviceQueue(vulkan->device, compute, 0, &vulkan->queues[FV_GPU_COMPUTE].queue);
    result = fv_vulkan_open_queue(vulkan, &vulkan->queues[FV_GPU_COMPUTE]);
    VkPushConstantRange range = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT, .size = FV_KERNEL_ARGS_BYTES};
    if (!result)
        result = vulkan->vk.vkCreatePipelineLayout(
            vulkan->device,
            &(VkPipelineLayoutCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                          .pushConstantRangeCount = 1,
                                          .pPushConstantRanges = &range},
            NULL, &vulkan->layout);
    return result;
}

FvStatus fv_vulkan_open(FvGpu **gpu, int index, FvError *error)
{
    VulkanGpu *vulkan = calloc(1, sizeof *vulkan);
    if (!vulkan)
        return fv_fail_memory(error, sizeof *vulkan);
    *gpu = &vulkan->gpu;
    vulkan->gpu.ops = &fv_gpu_vulkan;
    vulkan->gpu.index = index;
    atomic_flag_clear(&vulkan->submitting);
    bool validating = false;
    VkPhysicalDevice physical[64];
    uint32_t count = 64;
    VkResult result = fv_vulkan_instance(&vulkan->instance, &validating);
    if (!result && validating)
        result = vkCreateDebugUtilsMessengerEXT(
            vulkan->instance,
            &(VkDebugUtilsMessengerCreateInfoEXT){.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
                                                  .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                                                                     VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
                                                  .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
                                                  .pfnUserCallback = on_message,
                                                  .pUserData = vulkan},
            NULL, &vulkan->messenger);
    if (!result) {
        VkResult enumerated = vkEnumeratePhysicalDevices(vulkan->instance, &count, physical);
        result = enumerated == VK_INCOMPLETE ? VK_SUCCESS : enumerated;
    }
    FvStatus status = FV_OK;
    if (result) {
        status = fv_fail(error, FV_FAIL_NO_DEVICE, "Vulkan cannot be used: %s", fv_vulkan_result(result));
    } else if ((uint32_t)index >= count) {
        status = fv_fail(error, FV_FAIL_NO_DEVICE, "there is no device vulkan:%d; 'fovea devices' lists the devices",
                         index);
    } else if (!fv_vulkan_describe_physical(physical[index], &vulkan->gpu.info)) {
        status = fv_fail(error, FV_ERROR_DEVICE, "vulkan:%d (%s) lacks %s", index, vulkan->gpu.info.title,
                         vulkan->gpu.info.lacks);
    } else {
        vulkan->physical = physical[index];
        vkGetPhysicalDeviceMemoryProperties(vulkan->physical, &vulkan->memory);
        VkPhysicalDeviceProperties properties;
        vkGetPhysicalDeviceProperties(vulkan->physical, &properties);
        vulkan->tick = properties.limits.timestampPeriod * 1e-9;
        result = open_device(vulkan);
        if (result)
            status = fv_fail(error, FV_ERROR_DEVICE, "vulkan:%d (%s) cannot be opened: %s", index,
                             vulkan->gpu.info.title, fv_vulkan_result(result));
    }
    if (status)
        fv_vulkan_close(gpu);
    return status;
}

void fv_vulkan_close(FvGpu **gpu)
{
    VulkanGpu *vulkan = (VulkanGpu *)*gpu;
    *gpu = NULL;
    if (!vulkan)
        return;
    const struct VolkDeviceTable *vk = &vulkan->vk;
    /* A device that does not answer never becomes idle; the end of the process frees its objects. */
    if (vulkan->device && !vulkan->silent) {
        vk->vkDeviceWaitIdle(vulkan->device);
        for (int i = 0; i < vulkan->pipeline_count; i++)
            vk->vkDestroyPipeline(vulkan->device, vulkan->pipelines[i].pipeline, NULL);
        vk->vkDestroyPipelineLayout(vulkan->device, vulkan->layout, NULL);
        for (int q = 0; q < FV_GPU_QUEUES; q++) {
            for (int i = 0; i < FV_VULKAN_LISTS; i++)
                vk->vkDestroyQueryPool(vulkan->device, vulkan->queues[q].lists[i].queries, NULL);
            vk->vkDestroyCommandPool(vulkan->device, vulkan->queues[q].pool, NULL);
            vk->vkDestroySemaphore(vulkan->device, vulkan->queues[q].timeline, NULL);
        }
        vk->vkDestroyDevice(vulkan->device, NULL);
    }
    if (vulkan->messenger)
        vkDestroyDebugUtilsMessengerEXT(vulkan->instance, vulkan->messenger, NULL);
    free(vulkan);
}
