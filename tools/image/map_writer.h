/* The files that fovea map makes: pictures in a folder for each frame, or a video. */
#pragma once

#include "fovea/fovea.h"
#include "image/heat.h"

/* The pictures of a session's maps. The caller fills the first members; the rest is initially zero. */
typedef struct MapWriter {
    const FvSession *session;
    FvSource *const *sources; /* two, or NULL: no output is written over them */
    const FvCancel *cancel;
    const char *output; /* folder or file */
    const char *format; /* "png", "png8", "pfm", "y4m" */
    double maximum;     /* NaN: the map's own, or what is usual */
    bool frames;        /* the frames beside their maps */
    bool overwrite;     /* pictures may replace files and go through links */
    int wanted;         /* maps of a frame */

    int taken;        /* number of maps of the current frame */
    void *samples;    /* samples of a map as written */
    size_t room;      /* bytes */
    Heat heat;        /* when there is an overlay: of the maps that have the unit of the first one */
    const char *unit; /* NULL: none has a range so far */
    double low, high; /* bounds of the legend */
    FvOutput *video;  /* or NULL */
    FvError failure;  /* failure of an output; status FV_OK: none */
} MapWriter;

bool map_writer_is(const MapWriter *writer, const char *format);

/* Makes the folder, or opens the video. */
FvStatus map_writer_open(MapWriter *writer, FvError *error);

/* FvMapRequest.take of every map; opaque is the writer. */
FvStatus map_writer_take(void *opaque, const FvMap *map, FvError *error);

/* The video gets its name, or, when `status` says that it is not whole, is kept under another one: `kept`. */
FvStatus map_writer_end(MapWriter *writer, FvStatus status, char *kept, size_t size, FvError *error);

void map_writer_close(MapWriter *writer);
