#include "picture.h"

#include "message.h"

#if FV_HAVE_PNG
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <png.h>

bool picture_available(void)
{
    return true;
}

/* False with a message from libpng or the system in `why`. */
static bool write_rows(FILE *file, const uint8_t *samples, int width, int height, int depth, int color,
                       size_t row_bytes)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    png_init_io(png, file);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, depth, color, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    if (depth == 16 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
        png_set_swap(png);
    for (int y = 0; y < height; y++)
        png_write_row(png, samples + (size_t)y * row_bytes);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    return true;
}

static FvStatus write_picture(const char *path, const uint8_t *samples, int width, int height, int depth, int color,
                              size_t row_bytes)
{
    errno = 0;
    FILE *file = fopen(path, "wb");
    bool good = file && write_rows(file, samples, width, height, depth, color, row_bytes);
    int why = errno;
    if (file && fclose(file)) {
        why = errno;
        good = false;
    }
    if (good)
        return FV_OK;
    if (file)
        remove(path);
    return complain(FV_ERROR_OUTPUT, "%s could not be written: %s", path, why ? strerror(why) : "libpng failed");
}

FvStatus picture_write_gray16(const char *path, const uint16_t *samples, int width, int height)
{
    return write_picture(path, (const uint8_t *)samples, width, height, 16, PNG_COLOR_TYPE_GRAY, (size_t)width * 2);
}

FvStatus picture_write_rgb8(const char *path, const uint8_t *samples, int width, int height)
{
    return write_picture(path, samples, width, height, 8, PNG_COLOR_TYPE_RGB, (size_t)width * 3);
}
#else
bool picture_available(void)
{
    return false;
}

FvStatus picture_write_gray16(const char *path, const uint16_t *samples, int width, int height)
{
    (void)samples, (void)width, (void)height;
    return complain(FV_ERROR_USAGE, "%s: this build has no libpng", path);
}

FvStatus picture_write_rgb8(const char *path, const uint8_t *samples, int width, int height)
{
    (void)samples, (void)width, (void)height;
    return complain(FV_ERROR_USAGE, "%s: this build has no libpng", path);
}
#endif
