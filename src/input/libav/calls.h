/*
 * libav's functions, which are loaded at run time when a file needs them. libav's libraries load about a hundred
 * others, which takes longer than scoring some frames; Y4M, raw video and ProRes without a container do not need
 * them. Include this after libav's own headers: the names of its functions then mean the loaded ones.
 */
#pragma once

#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavformat/avformat.h>
#include <libavutil/avstring.h>
#include <libavutil/display.h>
#include <libavutil/pixdesc.h>

#include "fovea/fovea.h"

#if LIBAVCODEC_VERSION_MAJOR >= 61
#define FV_LIBAV_SIDE_DATA_CODEC(X) X(av_packet_side_data_get)
#define FV_LIBAV_SIDE_DATA_FORMAT(X)
#else
#define FV_LIBAV_SIDE_DATA_CODEC(X)
#define FV_LIBAV_SIDE_DATA_FORMAT(X) X(av_stream_get_side_data)
#endif

#define FV_LIBAV_UTIL(X)                                                                                             \
    X(av_dict_free)                                                                                                  \
    X(av_dict_get)                                                                                                   \
    X(av_dict_set)                                                                                                   \
    X(av_dict_set_int)                                                                                               \
    X(av_display_rotation_get)                                                                                       \
    X(av_frame_alloc)                                                                                                \
    X(av_frame_clone)                                                                                                \
    X(av_frame_free)                                                                                                 \
    X(av_frame_get_side_data)                                                                                        \
    X(av_frame_unref)                                                                                                \
    X(av_free)                                                                                                       \
    X(av_freep)                                                                                                      \
    X(av_get_pix_fmt_name)                                                                                           \
    X(av_log)                                                                                                        \
    X(av_log_default_callback)                                                                                       \
    X(av_log_set_callback)                                                                                           \
    X(av_malloc)                                                                                                     \
    X(av_match_list)                                                                                                 \
    X(av_pix_fmt_desc_get)                                                                                           \
    X(av_rescale)                                                                                                    \
    X(av_rescale_q)                                                                                                  \
    X(av_strerror)

#define FV_LIBAV_CODEC(X)                                                                                            \
    FV_LIBAV_SIDE_DATA_CODEC(X)                                                                                      \
    X(av_bsf_alloc)                                                                                                  \
    X(av_bsf_free)                                                                                                   \
    X(av_bsf_get_by_name)                                                                                            \
    X(av_bsf_init)                                                                                                   \
    X(av_bsf_receive_packet)                                                                                         \
    X(av_bsf_send_packet)                                                                                            \
    X(av_packet_alloc)                                                                                               \
    X(av_packet_clone)                                                                                               \
    X(av_packet_free)                                                                                                \
    X(av_packet_unref)                                                                                               \
    X(avcodec_alloc_context3)                                                                                        \
    X(avcodec_default_get_buffer2)                                                                                   \
    X(avcodec_descriptor_get)                                                                                        \
    X(avcodec_find_decoder)                                                                                          \
    X(avcodec_flush_buffers)                                                                                         \
    X(avcodec_free_context)                                                                                          \
    X(avcodec_get_name)                                                                                              \
    X(avcodec_open2)                                                                                                 \
    X(avcodec_parameters_copy)                                                                                       \
    X(avcodec_parameters_to_context)                                                                                 \
    X(avcodec_receive_frame)                                                                                         \
    X(avcodec_send_packet)

#define FV_LIBAV_FORMAT(X)                                                                                           \
    FV_LIBAV_SIDE_DATA_FORMAT(X)                                                                                     \
    X(av_find_best_stream)                                                                                           \
    X(av_find_input_format)                                                                                          \
    X(av_probe_input_buffer2)                                                                                        \
    X(av_read_frame)                                                                                                 \
    X(av_seek_frame)                                                                                                 \
    X(avformat_alloc_context)                                                                                        \
    X(avformat_close_input)                                                                                          \
    X(avformat_find_stream_info)                                                                                     \
    X(avformat_index_get_entries_count)                                                                              \
    X(avformat_index_get_entry)                                                                                      \
    X(avformat_open_input)                                                                                           \
    X(avformat_version)                                                                                              \
    X(avio_alloc_context)                                                                                            \
    X(avio_context_free)

/* Pointers to libav's functions, each named to_ and the function's name. */
typedef struct FvLibavCalls {
#define FV_LIBAV_MEMBER(name) __typeof__(name) *to_##name;
    FV_LIBAV_UTIL(FV_LIBAV_MEMBER)
    FV_LIBAV_CODEC(FV_LIBAV_MEMBER)
    FV_LIBAV_FORMAT(FV_LIBAV_MEMBER)
#undef FV_LIBAV_MEMBER
} FvLibavCalls;

extern FvLibavCalls fv_libav_calls;

/* Opens the release whose headers this is compiled with, as FvLibavRelease.open does (input/libav/choice.h). */
FvStatus fv_libav_calls_open(int *opened, FvError *error);

#define av_bsf_alloc fv_libav_calls.to_av_bsf_alloc
#define av_bsf_free fv_libav_calls.to_av_bsf_free
#define av_bsf_get_by_name fv_libav_calls.to_av_bsf_get_by_name
#define av_bsf_init fv_libav_calls.to_av_bsf_init
#define av_bsf_receive_packet fv_libav_calls.to_av_bsf_receive_packet
#define av_bsf_send_packet fv_libav_calls.to_av_bsf_send_packet
#define av_dict_free fv_libav_calls.to_av_dict_free
#define av_dict_get fv_libav_calls.to_av_dict_get
#define av_dict_set fv_libav_calls.to_av_dict_set
#define av_dict_set_int fv_libav_calls.to_av_dict_set_int
#define av_display_rotation_get fv_libav_calls.to_av_display_rotation_get
#define av_find_best_stream fv_libav_calls.to_av_find_best_stream
#define av_find_input_format fv_libav_calls.to_av_find_input_format
#define av_frame_alloc fv_libav_calls.to_av_frame_alloc
#define av_frame_clone fv_libav_calls.to_av_frame_clone
#define av_frame_free fv_libav_calls.to_av_frame_free
#define av_frame_get_side_data fv_libav_calls.to_av_frame_get_side_data
#define av_frame_unref fv_libav_calls.to_av_frame_unref
#define av_free fv_libav_calls.to_av_free
#define av_freep fv_libav_calls.to_av_freep
#define av_get_pix_fmt_name fv_libav_calls.to_av_get_pix_fmt_name
#define av_log fv_libav_calls.to_av_log
#define av_log_default_callback fv_libav_calls.to_av_log_default_callback
#define av_log_set_callback fv_libav_calls.to_av_log_set_callback
#define av_malloc fv_libav_calls.to_av_malloc
#define av_match_list fv_libav_calls.to_av_match_list
#define av_packet_alloc fv_libav_calls.to_av_packet_alloc
#define av_packet_clone fv_libav_calls.to_av_packet_clone
#define av_packet_free fv_libav_calls.to_av_packet_free
#define av_packet_side_data_get fv_libav_calls.to_av_packet_side_data_get
#define av_packet_unref fv_libav_calls.to_av_packet_unref
#define av_pix_fmt_desc_get fv_libav_calls.to_av_pix_fmt_desc_get
#define av_probe_input_buffer2 fv_libav_calls.to_av_probe_input_buffer2
#define av_read_frame fv_libav_calls.to_av_read_frame
#define av_rescale fv_libav_calls.to_av_rescale
#define av_rescale_q fv_libav_calls.to_av_rescale_q
#define av_seek_frame fv_libav_calls.to_av_seek_frame
#define av_stream_get_side_data fv_libav_calls.to_av_stream_get_side_data
#define av_strerror fv_libav_calls.to_av_strerror
#define avcodec_alloc_context3 fv_libav_calls.to_avcodec_alloc_context3
#define avcodec_default_get_buffer2 fv_libav_calls.to_avcodec_default_get_buffer2
#define avcodec_descriptor_get fv_libav_calls.to_avcodec_descriptor_get
#define avcodec_find_decoder fv_libav_calls.to_avcodec_find_decoder
#define avcodec_flush_buffers fv_libav_calls.to_avcodec_flush_buffers
#define avcodec_free_context fv_libav_calls.to_avcodec_free_context
#define avcodec_get_name fv_libav_calls.to_avcodec_get_name
#define avcodec_open2 fv_libav_calls.to_avcodec_open2
#define avcodec_parameters_copy fv_libav_calls.to_avcodec_parameters_copy
#define avcodec_parameters_to_context fv_libav_calls.to_avcodec_parameters_to_context
#define avcodec_receive_frame fv_libav_calls.to_avcodec_receive_frame
#define avcodec_send_packet fv_libav_calls.to_avcodec_send_packet
#define avformat_alloc_context fv_libav_calls.to_avformat_alloc_context
#define avformat_close_input fv_libav_calls.to_avformat_close_input
#define avformat_find_stream_info fv_libav_calls.to_avformat_find_stream_info
#define avformat_index_get_entries_count fv_libav_calls.to_avformat_index_get_entries_count
#define avformat_index_get_entry fv_libav_calls.to_avformat_index_get_entry
#define avformat_open_input fv_libav_calls.to_avformat_open_input
#define avformat_version fv_libav_calls.to_avformat_version
#define avio_alloc_context fv_libav_calls.to_avio_alloc_context
#define avio_context_free fv_libav_calls.to_avio_context_free
