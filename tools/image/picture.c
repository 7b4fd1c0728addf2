#include "image/picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "little_endian.h"
#include "text.h"

/* Fills *error as the library does. */
static FvStatus fail_picture(FvError *error, FvStatus status, const char *path, const char *why)
{
    *error = (FvError){.status = status};
    snprintf(error->message, sizeof error->message, "%s could not be written: %s", path, why);
    return status;
}

#if FV_HAVE_PNG
#include <png.h>

bool picture_has_png(void)
{
    return true;
}

static bool write_png(FILE *file, const uint8_t *samples, int width, int height, int depth, int color,
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

static bool write_kind(FILE *file, PictureKind kind, const void *samples, int width, int height)
{
    int depth = kind == PICTURE_GRAY16 ? 16 : 8;
    int color = kind == PICTURE_RGB8 ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY;
    size_t row_bytes = (size_t)width * (kind == PICTURE_RGB8 ? 3 : (size_t)depth / 8);
    return write_png(file, samples, width, height, depth, color, row_bytes);
}
#else
bool picture_has_png(void)
{
    return false;
}

static bool write_kind(FILE *file, PictureKind kind, const void *samples, int width, int height)
{
    return false;
}
#endif

/* Portable float map: text lines, then rows from the lowest up; a negative scale means that low bytes come first. */
static void write_pfm(FILE *file, const float *samples, int width, int height)
{
    fprintf(file, "Pf\n%d %d\n-1.0\n", width, height);
    for (int y = height - 1; y >= 0; y--)
        fv_write_little(file, samples + (size_t)y * (size_t)width, sizeof *samples * (size_t)width, sizeof *samples);
}

FvStatus picture_write(const FvOutputParams *params, PictureKind kind, const void *samples, int width, int height,
                       FvError *error)
{
    FvOutput *output = NULL;
    if (kind != PICTURE_PFM && !picture_has_png())
        return fail_picture(error, FV_ERROR_USAGE, params->path, "this build has no libpng");
    FvStatus status = fv_output_open(&output, params, error);
    if (status)
        return status;
    if (kind == PICTURE_PFM)
        write_pfm(fv_output_file(output), samples, width, height);
    else if (!write_kind(fv_output_file(output), kind, samples, width, height) && !ferror(fv_output_file(output))) {
        fv_output_discard(&output);
        /* Lack of memory is the only failure of libpng here. */
        return fail_picture(error, FV_ERROR_MEMORY, params->path, "libpng lacks memory");
    }
    return fv_output_close(&output, error);
}

FvStatus picture_encode(PictureKind kind, const void *samples, int width, int height, void **png, size_t *bytes,
                        FvError *error)
{
    char *made;
    *png = NULL;
    *bytes = 0;
    if (!picture_has_png())
        return fail_picture(error, FV_ERROR_USAGE, "a picture", "this build has no libpng");
    FILE *file = fv_text_open(&made, bytes);
    const bool whole = file && write_kind(file, kind, samples, width, height);
    if (fv_text_close(file, &made) && whole) {
        *png = made;
        return FV_OK;
    }
    free(made);
    return fail_picture(error, FV_ERROR_MEMORY, "a picture", "out of memory");
}
