/* Recognises picture files by their names, and decides how their RGB is scored. */
#include <string.h>
#include <strings.h>

#include "fovea/source.h"

bool fv_is_picture(const char *path)
{
    static const char *const endings[] = {"png", "jpg",  "jpeg", "webp", "avif", "jxl", "tif", "tiff",
                                          "bmp", "heic", "heif", "jp2",  "ppm",  "pgm", "pnm", "dpx"};
    const char *dot = path ? strrchr(path, '.') : NULL;
    for (size_t i = 0; dot && !strchr(path, '%') && i < sizeof endings / sizeof *endings; i++)
        if (!strcasecmp(dot + 1, endings[i]))
            return true;
    return false;
}

FvRgb fv_rgb_mode(int metrics, int taking, bool pictures)
{
    if (pictures)
        return taking ? FV_RGB_BOTH : FV_RGB_CONVERT;
    return taking && taking == metrics ? FV_RGB_KEEP : FV_RGB_REFUSE;
}
