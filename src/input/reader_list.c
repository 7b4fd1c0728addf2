/*
 * The list of readers. It is in a separate file because linking it links libav. The library with libvmaf's name,
 * which is loaded by programs that have their own libav, reads no files and does not link this list.
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
