/*
 * Makes pipelines, and stores the driver's compiled code of their kernels, one file per pipeline, so that it is
 * compiled only once and not in every process. Incomplete files and files of other drivers are ignored.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/cache.h"
#include "gpu/vulkan/vulkan.h"
#include "os/file.h"

#define MOST_BYTES ((size_t)16 << 20) /* maximum bytes of one kernel's code that are passed to the driver */

/* The head of a file, in front of the driver's data. */
typedef struct Head {
    char magic[8];
    uint64_t bytes, hash; /* size and hash of the bytes that follow */
} Head;

static const char magic[8] = "fovea-p1";

static bool path_of(const VulkanGpu *vulkan, const FvKernel *kernel, char *path, size_t size)
{
    char name[160];
    uint64_t key = fv_gpu_hash(FV_GPU_HASH, vulkan->gpu.info.title, strlen(vulkan->gpu.info.title) + 1);
    key = fv_gpu_hash(key, vulkan->gpu.info.driver, strlen(vulkan->gpu.info.driver) + 1);
    key = fv_gpu_hash(key, kernel->spirv, kernel->spirv_bytes);
    snprintf(name, sizeof name, "pipeline-%.100s-%016llx", kernel->name, (unsigned long long)key);
    return fv_gpu_cache_path(path, size, name);
}

/* Reads stored data, which the caller frees. Returns NULL if there is no complete file. */
static void *read_kept(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    Head head;
    void *data = NULL;
    if (!file)
        return NULL;
    if (fread(&head, sizeof head, 1, file) == 1 && !memcmp(head.magic, magic, sizeof magic) && head.bytes &&
        head.bytes <= MOST_BYTES && (data = malloc(head.bytes)) &&
        (fread(data, head.bytes, 1, file) != 1 || fv_gpu_hash(FV_GPU_HASH, data, head.bytes) != head.hash)) {
        free(data);
        data = NULL;
    }
    fclose(file);
    *bytes = data ? head.bytes : 0;
    return data;
}

/* Stores data. A pipeline that cannot be stored is compiled again next time. */
static void store_file(const char *path, void *data, size_t bytes)
{
    Head head = {.bytes = bytes, .hash = fv_gpu_hash(FV_GPU_HASH, data, bytes)};
    memcpy(head.magic, magic, sizeof magic);
    fv_file_keep(path, (FvFilePart[]){{&head, sizeof head}, {data, bytes}});
}

static void keep_cache(VulkanGpu *vulkan, VkPipelineCache cache, const char *path, size_t kept)
{
    const struct VolkDeviceTable *vk = &vulkan->vk;
    size_t bytes = 0;
    if (vk->vkGetPipelineCacheData(vulkan->device, cache, &bytes, NULL) || !bytes || bytes == kept ||
        bytes > MOST_BYTES)
        return;
    void *data = malloc(bytes);
    if (data && !vk->vkGetPipelineCacheData(vulkan->device, cache, &bytes, data))
        store_file(path, data, bytes);
    free(data);
}

static VkResult create(VulkanGpu *vulkan, const FvKernel *kernel, VkPipelineCache cache, VkPipeline *pipeline)
{
    const struct VolkDeviceTable *vk = &vulkan->vk;
    VkShaderModule module;
    VkResult result =
        vk->vkCreateShaderModule(vulkan->device,
                                 &(VkShaderModuleCreateInfo){.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                                             .codeSize = kernel->spirv_bytes,
                                                             .pCode = kernel->spirv},
                                 NULL, &module);
    if (result)
        return result;
    result = vk->vkCreateComputePipelines(
        vulkan->device, cache, 1,
        &(VkComputePipelineCreateInfo){.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                       .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                 .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                 .module = module,
                                                 .pName = "main"},
                                       .layout = vulkan->layout},
        NULL, pipeline);
    vk->vkDestroyShaderModule(vulkan->device, module, NULL);
    return result;
}

VkResult fv_vulkan_make_pipeline(VulkanGpu *vulkan, const FvKernel *kernel, VkPipeline *pipeline)
{
    const struct VolkDeviceTable *vk = &vulkan->vk;
    char path[4096];
    size_t kept = 0;
    VkPipelineCache cache = VK_NULL_HANDLE;
    if (path_of(vulkan, kernel, path, sizeof path)) {
        void *data = read_kept(path, &kept);
        VkPipelineCacheCreateInfo info = {
            .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO, .initialDataSize = kept, .pInitialData = data};
        if (vk->vkCreatePipelineCache(vulkan->device, &info, NULL, &cache))
            cache = VK_NULL_HANDLE;
        free(data);
    }
    VkResult result = create(vulkan, kernel, cache, pipeline);
    if (!result && cache)
        keep_cache(vulkan, cache, path, kept);
    vk->vkDestroyPipelineCache(vulkan->device, cache, NULL);
    return result;
}
