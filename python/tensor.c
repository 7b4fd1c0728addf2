#include "tensor.h"

void rgb_tensor_place(RgbTensor *tensor, const Samples *samples)
{
    FvPixels *pixels = &tensor->pixels;
    pixels->address = (uint64_t)(uintptr_t)samples->data;
    pixels->row = samples->stride;
    pixels->pixel = samples->step;
    pixels->component = samples->across;
    pixels->components = (int)samples->components;
    pixels->type = !samples->real        ? (samples->bytes == 1 ? FV_SAMPLE_UINT8 : FV_SAMPLE_UINT16)
                   : samples->bytes == 2 ? FV_SAMPLE_FLOAT16
                   : samples->bytes == 4 ? FV_SAMPLE_FLOAT32
                                         : FV_SAMPLE_FLOAT64;
}

FvFrame *rgb_tensor_read(const RgbTensor *tensor, FvSession *session, Samples *samples)
{
    FvFrame *frame = NULL;
    FvError error = {0};
    FvStatus status;
    Py_BEGIN_ALLOW_THREADS
    status = fv_frame_from_pixels(&frame, session, &tensor->format, &tensor->pixels, tensor->matrix, &error);
    Py_END_ALLOW_THREADS
    samples_release(samples);
    if (status)
        core_raise(tensor->core, &error);
    return frame;
}

FvFrame *rgb_tensor_push(const RgbTensor *tensor, FvSession *session, const char *where)
{
    Samples samples;
    RgbTensor placed = *tensor;
    if (!session) {
        PyErr_Format(PyExc_TypeError, "%s is RGB on a CUDA device, and only a Session reads it there; x.cpu() copies",
                     where);
        return NULL;
    }
    const bool taken = samples_take_pixels(&samples, tensor->array, tensor->layout, session, where);
    if (taken)
        rgb_tensor_place(&placed, &samples);
    if (taken && samples.width == tensor->format.width && samples.height == tensor->format.height &&
        placed.pixels.components == tensor->pixels.components && placed.pixels.type == tensor->pixels.type)
        return rgb_tensor_read(&placed, samples.on_device ? session : NULL, &samples);
    samples_release(&samples);
    if (taken)
        PyErr_Format(PyExc_ValueError, "%s: the size or type of its array changed after Frame.from_rgb()", where);
    return NULL;
}
