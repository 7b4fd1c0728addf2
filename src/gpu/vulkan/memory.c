/* Allocates memory of a Vulkan device: each block is one buffer with an address. */

#include "os/memory.h"
#include "base/error.h"
#include "gpu/pages.h"
#include "gpu/vulkan/vulkan.h"

uint64_t fv_vulkan_available(FvGpu *gpu)
{
    VulkanGpu *vulkan = (VulkanGpu *)gpu;
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
    VkPhysicalDeviceMemoryProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2,
                                                    .pNext = vulkan->has_budget ? &budget : NULL};
    vkGetPhysicalDeviceMemoryProperties2(vulkan->physical, &properties);
    uint64_t best = 0;
    for (uint32_t i = 0; i < properties.memoryProperties.memoryHeapCount; i++) {
        const VkMemoryHeap *heap = &properties.memoryProperties.memoryHeaps[i];
        if (!(heap->flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT))
            continue;
        uint64_t room = heap->size / 4 * 3;
        if (vulkan->has_budget)
            room = budget.heapBudget[i] > budget.heapUsage[i] ? budget.heapBudget[i] - budget.heapUsage[i] : 0;
        if (room > best)
            best = room;
    }
    return best;
}

/* Returns the first memory type that has all flags of `wanted` and none of `unwanted`. */
static uint32_t find_type(const VulkanGpu *vulkan, uint32_t allowed, VkMemoryPropertyFlags wanted,
                          VkMemoryPropertyFlags unwanted)
{
    for (uint32_t i = 0; i < vulkan->memory.memoryTypeCount; i++) {
        VkMemoryPropertyFlags flags = vulkan->memory.memoryTypes[i].propertyFlags;
        if ((allowed >> i & 1) && (flags & wanted) == wanted && !(flags & unwanted))
            return i;
    }
    return UINT32_MAX;
}

static uint32_t choose_type(const VulkanGpu *vulkan, uint32_t allowed, FvGpuPlace place)
{
    const VkMemoryPropertyFlags local = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    const VkMemoryPropertyFlags host = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const VkMemoryPropertyFlags cached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    /*
     * The memory types to try, in order: flags wanted and unwanted. If all memory is both local and host-visible, the
     * last entry of each row matches.
     */
    const VkMemoryPropertyFlags tries[2][3][2] = {
        [FV_GPU_LOCAL] = {{local, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT}, {local, 0}, {local, 0}},
        [FV_GPU_HOST] = {{host | cached, local}, {host, local}, {host, 0}},
    };
    uint32_t type = UINT32_MAX;
    for (int i = 0; i < 3 && type == UINT32_MAX; i++)
        type = find_type(vulkan, allowed, tries[place][i][0], tries[place][i][1]);
    return type;
}

#define HOST_MEMORY VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT

/* Allocates a buffer in device memory, or imports `memory->imported`. */
static VkResult allocate(VulkanGpu *vulkan, FvGpuMemory *memory, size_t bytes, FvGpuPlace place)
{
    const struct VolkDeviceTable *vk = &vulkan->vk;
    uint32_t families[2] = {vulkan->queues[0].family, vulkan->queues[1].family};
    bool shared = families[0] != families[1];
    const VkExternalMemoryBufferCreateInfo external = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
                                                       .handleTypes = HOST_MEMORY};
    VkBufferCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .pNext = memory->imported ? &external : NULL,
        .size = bytes,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
        .sharingMode = shared ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE,
        .queueFamilyIndexCount = shared ? 2 : 0,
        .pQueueFamilyIndices = families,
    };
    VkBuffer buffer;
    VkResult result = vk->vkCreateBuffer(vulkan->device, &create, NULL, &buffer);
    if (result)
        return result;
    memory->handle[0] = (uint64_t)(uintptr_t)buffer;
    VkMemoryRequirements needs;
    vk->vkGetBufferMemoryRequirements(vulkan->device, buffer, &needs);
    VkMemoryHostPointerPropertiesEXT takes = {.sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT,
                                              .memoryTypeBits = UINT32_MAX};
    if (memory->imported)
        result = vk->vkGetMemoryHostPointerPropertiesEXT(vulkan->device, HOST_MEMORY, memory->imported, &takes);
    uint32_t type = choose_type(vulkan, needs.memoryTypeBits & takes.memoryTypeBits, place);
    if (result || type == UINT32_MAX)
        return result ? result : VK_ERROR_FEATURE_NOT_PRESENT;
    const VkImportMemoryHostPointerInfoEXT import = {.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
                                                     .handleType = HOST_MEMORY,
                                                     .pHostPointer = memory->imported};
    VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                       .pNext = memory->imported ? &import : NULL,
                                       .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkDeviceMemory block;
    result = vk->vkAllocateMemory(vulkan->device,
                                  &(VkMemoryAllocateInfo){.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                                          .pNext = &flags,
                                                          .allocationSize = memory->imported ? bytes : needs.size,
                                                          .memoryTypeIndex = type},
                                  NULL, &block);
    if (result)
        return result;
    memory->handle[1] = (uint64_t)(uintptr_t)block;
    result = vk->vkBindBufferMemory(vulkan->device, buffer, block, 0);
    memory->host = memory->imported;
    if (!result && place == FV_GPU_HOST && !memory->imported)
        result = vk->vkMapMemory(vulkan->device, block, 0, VK_WHOLE_SIZE, 0, (void **)&memory->host);
    if (!result)
        memory->address = vk->vkGetBufferDeviceAddress(
            vulkan->device,
            &(VkBufferDeviceAddressInfo){.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffer});
    return result;
}

/*
 * Imports memory of fv_pages_alloc() for a large host block, if the driver accepts that: it has large pages that
 * several threads touch, whereas the driver's memory has small pages that one thread touches.
 */
static bool import_host_memory(VulkanGpu *vulkan, FvGpuMemory *memory, size_t bytes)
{
    if (!vulkan->import_alignment || bytes < FV_PAGES_LEAST)
        return false;
    bytes = (bytes + vulkan->import_alignment - 1) / vulkan->import_alignment * vulkan->import_alignment;
    memory->imported = fv_pages_alloc(bytes);
    if (memory->imported && (uintptr_t)memory->imported % vulkan->import_alignment == 0 &&
        !allocate(vulkan, memory, bytes, FV_GPU_HOST))
        return true;
    const size_t wanted = memory->bytes;
    fv_vulkan_free(&vulkan->gpu, memory);
    memory->bytes = wanted;
    return false;
}

FvStatus fv_vulkan_alloc(FvGpu *gpu, FvGpuMemory *memory, size_t bytes, FvGpuPlace place, FvError *error)
{
    *memory = (FvGpuMemory){.bytes = bytes};
    const size_t room = (bytes + 255) / 256 * 256;
    if (place == FV_GPU_HOST && import_host_memory((VulkanGpu *)gpu, memory, room))
        return FV_OK;
    VkResult result = allocate((VulkanGpu *)gpu, memory, room, place);
    if (!result)
        return FV_OK;
    fv_vulkan_free(gpu, memory);
    if (result != VK_ERROR_OUT_OF_DEVICE_MEMORY && result != VK_ERROR_OUT_OF_HOST_MEMORY)
        return fv_vulkan_fail((VulkanGpu *)gpu, "allocating memory", result, error);
    return fv_fail(error, FV_FAIL_DEVICE_MEMORY, "vulkan:%d (%s) has no room for %zu bytes: %s", gpu->index,
                   gpu->info.title, bytes, fv_vulkan_result(result));
}

void fv_vulkan_free(FvGpu *gpu, FvGpuMemory *memory)
{
    VulkanGpu *vulkan = (VulkanGpu *)gpu;
    if (!vulkan->silent) {
        vulkan->vk.vkDestroyBuffer(vulkan->device, (VkBuffer)(uintptr_t)memory->handle[0], NULL);
        vulkan->vk.vkFreeMemory(vulkan->device, (VkDeviceMemory)(uintptr_t)memory->handle[1], NULL);
        fv_free(memory->imported);
    }
    *memory = (FvGpuMemory){0};
}
