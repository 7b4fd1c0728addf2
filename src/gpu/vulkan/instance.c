/* Finds the Vulkan devices, and checks whether they can run the kernels. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "gpu/vulkan/vulkan.h"
#include "library_names.h"
#include "os/thread.h"

const char *fv_vulkan_result(VkResult result)
{
    switch (result) {
    case VK_ERROR_OUT_OF_HOST_MEMORY:
        return "out of host memory";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        return "out of device memory";
    case VK_ERROR_DEVICE_LOST:
        return "the device was lost";
    case VK_ERROR_INITIALIZATION_FAILED:
        return "initialisation failed";
    case VK_ERROR_INCOMPATIBLE_DRIVER:
        return "no driver is installed";
    case VK_ERROR_EXTENSION_NOT_PRESENT:
        return "an extension is missing";
    case VK_ERROR_FEATURE_NOT_PRESENT:
        return "a feature is missing";
    case VK_ERROR_LAYER_NOT_PRESENT:
        return "the validation layer is not installed";
    case VK_TIMEOUT:
        return "the device does not answer";
    default:
        return "the driver reports an error";
    }
}

FvStatus fv_vulkan_fail(VulkanGpu *vulkan, const char *what, VkResult result, FvError *error)
{
    if (result == VK_ERROR_DEVICE_LOST)
        vulkan->lost = true;
    if (result == VK_TIMEOUT)
        vulkan->silent = true;
    return fv_fail(error, FV_ERROR_DEVICE, "vulkan:%d (%s) failed in %s: %s", vulkan->gpu.index,
                   vulkan->gpu.info.title, what, fv_vulkan_result(result));
}

/*
 * One instance per process, never destroyed: drivers fail after they have been loaded and unloaded some dozens of
 * times.
 */
static VkInstance the_instance;
static VkResult the_result;
static bool the_layer;

static void make_instance(void)
{
    the_result = volkInitialize();
    if (the_result)
        return;
    const char *wish = getenv("FOVEA_VALIDATION");
    the_layer = wish && *wish && strcmp(wish, "0");
    const char *layer = "VK_LAYER_KHRONOS_validation", *extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .pApplicationName = "fovea", .apiVersion = VK_API_VERSION_1_2};
    VkInstanceCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pApplicationInfo = &application,
        .enabledLayerCount = the_layer,
        .ppEnabledLayerNames = &layer,
        .enabledExtensionCount = the_layer,
        .ppEnabledExtensionNames = &extension,
    };
    the_result = vkCreateInstance(&create, NULL, &the_instance);
    if (!the_result)
        volkLoadInstanceOnly(the_instance);
}

VkResult fv_vulkan_instance(VkInstance *instance, bool *validating)
{
    static FvOnce once = FV_ONCE;
    fv_once(&once, make_instance);
    *instance = the_instance;
    *validating = the_layer;
    return the_result;
}

bool fv_vulkan_has_extension(VkPhysicalDevice physical, const char *name)
{
    uint32_t count = 512;
    bool has = false;
    VkExtensionProperties *all = calloc(count, sizeof *all);
    if (!all || vkEnumerateDeviceExtensionProperties(physical, NULL, &count, all) < 0)
        count = 0;
    for (uint32_t i = 0; i < count; i++)
        has |= !strcmp(all[i].extensionName, name);
    free(all);
    return has;
}

/* Returns the PCI address; 0: unknown. */
static uint64_t bus_of(VkPhysicalDevice physical)
{
    VkPhysicalDevicePCIBusInfoPropertiesEXT pci = {.sType =
                                                       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT};
    if (!fv_vulkan_has_extension(physical, VK_EXT_PCI_BUS_INFO_EXTENSION_NAME))
        return 0;
    vkGetPhysicalDeviceProperties2(
        physical,
        &(VkPhysicalDeviceProperties2){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &pci});
    return FV_GPU_BUS(pci.pciDomain, pci.pciBus, pci.pciDevice);
}

static void append(FvGpuInfo *info, const char *text)
{
    size_t used = strlen(info->lacks);
    snprintf(info->lacks + used, sizeof info->lacks - used, "%s%s", used ? ", " : "", text);
}

bool fv_vulkan_describe_physical(VkPhysicalDevice physical, FvGpuInfo *info)
{
    *info = (FvGpuInfo){0};
    VkPhysicalDeviceDriverProperties driver = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceSubgroupProperties subgroup = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES,
                                                   .pNext = &driver};
    VkPhysicalDeviceFloatControlsProperties floats = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES, .pNext = &subgroup};
    VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    vkGetPhysicalDeviceProperties(physical, &properties.properties);
    const VkPhysicalDeviceProperties *p = &properties.properties;
    snprintf(info->title, sizeof info->title, "%s", p->deviceName);
    info->software = p->deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    if (p->apiVersion < VK_API_VERSION_1_2) {
        snprintf(info->driver, sizeof info->driver, "Vulkan %u.%u", VK_API_VERSION_MAJOR(p->apiVersion),
                 VK_API_VERSION_MINOR(p->apiVersion));
        append(info, "Vulkan 1.2");
        return false;
    }
    properties.pNext = &floats;
    vkGetPhysicalDeviceProperties2(physical, &properties);
    snprintf(info->driver, sizeof info->driver, "%.80s %.80s, Vulkan %u.%u.%u", driver.driverName, driver.driverInfo,
             VK_API_VERSION_MAJOR(p->apiVersion), VK_API_VERSION_MINOR(p->apiVersion),
             VK_API_VERSION_PATCH(p->apiVersion));

    const VkPhysicalDeviceLimits *limits = &p->limits;
    snprintf(info->limits, sizeof info->limits, "%u threads and %u KiB shared memory a workgroup, subgroups of %u",
             limits->maxComputeWorkGroupInvocations, limits->maxComputeSharedMemorySize >> 10, subgroup.subgroupSize);

    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(physical, &memory);
    for (uint32_t i = 0; i < memory.memoryHeapCount; i++)
        if ((memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) &&
            memory.memoryHeaps[i].size > info->memory)
            info->memory = memory.memoryHeaps[i].size;

    VkPhysicalDeviceVulkan12Features v12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceVulkan11Features v11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
                                            .pNext = &v12};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &v11};
    vkGetPhysicalDeviceFeatures2(physical, &features);
    info->float64 = features.features.shaderFloat64;
    const struct {
        VkBool32 present;
        const char *name;
    } needs[] = {
        {v12.bufferDeviceAddress, "buffer addresses"},
        {v12.scalarBlockLayout, "scalar layout"},
        {v12.timelineSemaphore, "timeline semaphores"},
        {v12.storageBuffer8BitAccess, "8-bit storage"},
        {v11.storageBuffer16BitAccess, "16-bit storage"},
        {features.features.shaderInt64, "64-bit integers"},
        {floats.shaderRoundingModeRTEFloat32, "float32 rounding to nearest even"},
        {floats.shaderSignedZeroInfNanPreserveFloat32, "float32 infinities"},
        {limits->maxComputeWorkGroupInvocations >= FV_GPU_MAX_THREADS &&
             limits->maxComputeWorkGroupSize[0] >= FV_GPU_MAX_THREADS,
         "workgroups of 384 threads"},
        {limits->maxComputeSharedMemorySize >= FV_GPU_MAX_SHARED, "32 KiB shared memory"},
    };
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (!needs[i].present)
            append(info, needs[i].name);
    return !*info->lacks;
}

bool fv_vulkan_describe(int index, FvGpuInfo *info, char *absent, size_t size)
{
    VkInstance instance;
    bool validating;
    VkResult result = fv_vulkan_instance(&instance, &validating);
    if (result) {
        snprintf(absent, size, "%s",
                 volkGetInstanceVersion() ? fv_vulkan_result(result)
                                          : "the Vulkan loader " FV_LIBRARY_VULKAN " is not installed");
        return false;
    }
    uint32_t count = 0;
    vkEnumeratePhysicalDevices(instance, &count, NULL);
    VkPhysicalDevice *physical = calloc(count + 1, sizeof *physical);
    bool found = physical && (uint32_t)index < count && !vkEnumeratePhysicalDevices(instance, &count, physical);
    if (found) {
        const bool usable = fv_vulkan_describe_physical(physical[index], info);
        info->bus = usable ? bus_of(physical[index]) : 0;
    } else
        snprintf(absent, size, "no Vulkan driver is installed");
    free(physical);
    return found;
}
