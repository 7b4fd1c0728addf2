/* Makes video files with libav, for the tests of the libav reader. */
#pragma once

#include <stdbool.h>

#include <libavutil/frame.h>

#include "clip.h"

/* Whether libavcodec has this encoder and libavformat this muxer (by the file's extension). */
bool video_possible(const char *encoder, const char *path);

/* A picture in libav's pixel format with the samples of the clip, and how to release it: av_frame_free. */
AVFrame *video_picture(const Clip *clip, int frame, const char *pixel_format);

/* Encodes the clip. `options` are the encoder's, "name=value:name=value", or NULL. */
void video_write(const char *path, const Clip *clip, const char *pixel_format, const char *encoder,
                 const char *options);

/* Where the data of packet `number` lie in the file. */
void video_packet(const char *path, int number, int64_t *position, int *size);
