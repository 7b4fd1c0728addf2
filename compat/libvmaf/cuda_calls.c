#include "cuda_calls.h"

#include <dlfcn.h>
#include <pthread.h>

#include "library_names.h"

static LvCudaCalls calls;
static const char *reason;

static void load(void)
{
    void *library = dlopen(FV_LIBRARY_CUDA, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        reason = "NVIDIA's driver library " FV_LIBRARY_CUDA " is not installed";
        return;
    }
#define LOAD(member, symbol, parameters)                                                                             \
    *(void **)&calls.member = dlsym(library, symbol);                                                                \
    if (!calls.member) {                                                                                             \
        reason = "NVIDIA's driver is too old: it lacks " symbol;                                                     \
        return;                                                                                                      \
    }
    LV_CUDA_CALLS(LOAD)
    if (calls.init(0))
        reason = "NVIDIA's driver finds no GPU that it can use";
}

const LvCudaCalls *lv_cuda_calls(const char **why)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    *why = reason;
    return reason ? NULL : &calls;
}
