/* Makes video files with libav, for the tests of the libav reader. */
#pragma once

#include <stdbool.h>

#include <libavutil/frame.h>

#include "clip.h"

/* Returns whether libavcodec has this encoder, and libavformat a muxer for the file's extension. */
bool video_possible(const char *encoder, const char *path);

/* Returns a frame of the clip as a picture of libav's pixel format. Release it with av_frame_free(). */
AVFrame *video_picture(const Clip *clip, int frame, const char *pixel_format);

/* Encodes the clip. options: those of the encoder, "name=value:name=value", or NULL. */
void video_write(const char *path, const Clip *clip, const char *pixel_format, const char *encoder,
                 const char *options);

/* Finds the data of packet `number` in the file. */
void video_packet(const char *path, int number, int64_t *position, int *size);
