/*
 * The readers. A list of its own, because what links it links libav: the library with libvmaf's name, which programs
 * load that have a libav of their own, reads no files and takes the list without it.
 */
#include "config.h"
#include "input/source.h"

const FvSourceOps *const fv_source_readers[] = {
    &fv_source_y4m,
    &fv_source_icpf,
    &fv_source_raw,
#if FV_HAVE_LIBAV && !defined FV_WITHOUT_LIBAV
    &fv_source_libav,
#endif
    NULL,
};
