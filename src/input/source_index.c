/* Makes the index of a source, which states where its frames are, once when it is needed. */
#include "base/error.h"
#include "input/source.h"
#include "os/cancel.h"

void fv_source_take_index(FvSource *source, FvIndex *index)
{
    fv_index_free(&source->index);
    source->index = *index;
    source->has_index = true;
    *index = (FvIndex){.entries = NULL};
}

FvStatus fv_source_make_index(FvSource *source, FvError *error)
{
    if (source->has_index)
        return FV_OK;
    const int64_t position = fv_stream_position(&source->stream);
    FvStatus status = source->ops->index(source, error);
    if (fv_cancel_requested(source->cancel))
        status = fv_fail_cancelled(error, source->info.path);
    fv_stream_seek(&source->stream, position);
    source->has_index = !status;
    if (status)
        fv_index_free(&source->index);
    return status;
}

FvStatus fv_source_packets(FvSource *source, FvIndex *index, FvError *error)
{
    *index = (FvIndex){.packets = NULL};
    if (source->has_index)
        return fv_index_copy(index, &source->index, error);
    return source->ops->list && !source->images ? source->ops->list(source, index, error) : FV_OK;
}

FvStatus fv_source_index(FvSource *source, const FvSourceIndex **index, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, index);
    *index = NULL;
    FV_REQUIRE(error, source);
    if (source->stream.waits)
        return fv_fail(error, FV_ERROR_USAGE, "%s is a pipe, and this needs random access; save it to a file first",
                       source->info.path);
    FvStatus status = fv_source_make_index(source, error);
    if (!status)
        *index = &source->index.shown;
    return status;
}
