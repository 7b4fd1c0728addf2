/* Writes the files of fovea map: pictures in a folder for each frame, or a video. */
#pragma once

#include "fovea/fovea.h"
#include "image/heat.h"

/* The writer of a session's maps. The caller sets the members up to `wanted`; the others begin zeroed. */
typedef struct MapWriter {
    const FvSession *session;
    FvSource *const *sources; /* reference and distorted video, either NULL; no output overwrites them */
    const FvCancel *cancel;
    const char *output; /* path of the folder or file */
    const char *format; /* "png", "png8", "pfm", "y4m" */
    double maximum;     /* greatest value shown; NaN: the map's own or usual maximum */
    bool frames;        /* also write the frames */
    bool overwrite;     /* pictures may replace files and go through links */
    int wanted;         /* number of maps of each frame */

    int taken;        /* number of maps of the current frame */
    void *samples;    /* samples of a map as written */
    size_t room;      /* bytes allocated for `samples` */
    Heat heat;        /* the overlay, if there is one: of the maps that have the unit of the first */
    const char *unit; /* unit of the legend; NULL: no map has a range so far */
    double low, high; /* bounds of the legend */
    FvOutput *video;  /* the video; or NULL */
    FvError failure;  /* failure of an output; status FV_OK: none */
} MapWriter;

bool map_writer_is(const MapWriter *writer, const char *format);

/* Creates the folder, or opens the video. */
FvStatus map_writer_open(MapWriter *writer, FvError *error);

/* Writes a map: a callback for FvMapRequest.on_map, with the writer as `opaque`. */
FvStatus map_writer_take(void *opaque, const FvMap *map, FvError *error);

/*
 * Ends the video and gives it its final name. If `status` is a failure, so that the video is incomplete, it is kept
 * under another name, which is printed into `kept`.
 */
FvStatus map_writer_end(MapWriter *writer, FvStatus status, char *kept, size_t size, FvError *error);

void map_writer_close(MapWriter *writer);
