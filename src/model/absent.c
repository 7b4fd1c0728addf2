/* Stands for read.c in a build without libjansson. */
#include "base/error.h"
#include "model/model.h"

FvStatus fv_model_read(FvModel **model, const char *path, const char *text, size_t size, const char *sha256,
                       FvError *error)
{
    *model = NULL;
    return fv_fail(error, FV_ERROR_INPUT,
                   "%s: this build cannot read models from files, because it has no libjansson; use a built-in model",
                   path);
}

void fv_model_free(FvModel **model)
{
    *model = NULL;
}
