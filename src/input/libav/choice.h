/*
 * Chooses the FFmpeg release that reads files. Structures of libav change with each release: the files of this
 * folder, choice.c excepted, and those of hwdec/ are compiled once for each release whose headers the build has, and
 * only the copy whose libraries are installed is used.
 */
#pragma once

#include "input/source.h"

/* One release of libav. reader.c defines it under the name fv_libav_N, where N is libavformat's major version. */
typedef struct FvLibavRelease {
    int ffmpeg; /* major version of FFmpeg, such as 5 for FFmpeg 5.0 and 5.1 */
    /*
     * Opens the libraries, which stay open. One thread at a time may call it. *opened: number of libraries that could
     * be opened, also after a failure. FV_ERROR_MEMORY, or FV_ERROR_INPUT: a library is absent or lacks a function.
     */
    FvStatus (*open)(int *opened, FvError *error);
    unsigned (*version)(void); /* returns the version of libavformat; valid after `open` */
    FvSourceOps source;        /* the reader, valid after `open`, without `probe` */
} FvLibavRelease;

/*
 * Chooses the newest of the releases, a list that ends with NULL, whose libraries can all be opened. The error
 * message is the end of a sentence about libav: it says why the release of which most libraries were found cannot be
 * opened, and which libraries were tried.
 */
FvStatus fv_libav_choose(const FvLibavRelease **chosen, const FvLibavRelease *const *releases, FvError *error);
