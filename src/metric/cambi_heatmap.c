#include "metric/cambi_heatmap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "error.h"

struct FvCambiHeatmap {
    double scale;
    uint16_t *row;
    char *path[FV_CAMBI_SCALES];
    FILE *file[FV_CAMBI_SCALES];
};

double fv_cambi_heatmap_scale(const FvCambiPicture *picture)
{
    double most = fv_cambi_greatest(picture);
    return most > 0 ? 65535.0 / most : 0;
}

uint16_t fv_cambi_heatmap_sample(double scale, float c)
{
    double sample = scale * (double)c;
    return sample < 65535 ? (uint16_t)sample : 65535;
}

static FvStatus make_folder(const char *folder, FvError *error)
{
    char *path = strdup(folder);
    if (!path)
        return fv_fail_memory(error, strlen(folder));
    FvStatus status = FV_OK;
    for (char *slash = path; slash && !status;) {
        slash = strchr(slash + 1, '/');
        if (slash)
            *slash = '\0';
        if (mkdir(path, 0770) && errno != EEXIST)
            status = fv_fail(error, FV_ERROR_OUTPUT, "cambi: the folder '%s' for heat maps cannot be made: %s", path,
                             strerror(errno));
        if (slash)
            *slash = '/';
    }
    free(path);
    return status;
}

FvStatus fv_cambi_heatmap_open(FvCambiHeatmap **heatmap, const FvCambiPicture *picture, const char *folder,
                               FvError *error)
{
    if (!*folder)
        return fv_fail(error, FV_ERROR_USAGE, "cambi: heatmaps_path is empty; name a folder");
    FvStatus status = make_folder(folder, error);
    if (status)
        return status;
    FvCambiHeatmap *maps = *heatmap = calloc(1, sizeof *maps);
    if (!maps)
        return fv_fail_memory(error, sizeof *maps);
    maps->scale = fv_cambi_heatmap_scale(picture);
    maps->row = malloc((size_t)picture->width * sizeof *maps->row);
    if (!maps->row)
        return fv_fail_memory(error, (size_t)picture->width * sizeof *maps->row);
    for (int s = 0; s < FV_CAMBI_SCALES; s++) {
        if (asprintf(&maps->path[s], "%s/cambi_heatmap_scale_%d_%dx%d_16b.gray", folder, s, picture->scale[s].width,
                     picture->scale[s].height) < 0) {
            maps->path[s] = NULL;
            return fv_fail_memory(error, strlen(folder));
        }
        maps->file[s] = fopen(maps->path[s], "wb");
        if (!maps->file[s])
            return fv_fail(error, FV_ERROR_OUTPUT, "cambi: '%s' cannot be written: %s", maps->path[s],
                           strerror(errno));
    }
    return FV_OK;
}

FvStatus fv_cambi_heatmap_write(FvCambiHeatmap *heatmap, const FvMap *map, FvError *error)
{
    int s = map->map;
    size_t width = (size_t)map->width;
    bool good = true;
    for (int y = 0; y < map->height && good; y++) {
        for (size_t x = 0; x < width; x++)
            heatmap->row[x] = fv_cambi_heatmap_sample(heatmap->scale, map->data[y * map->stride + (ptrdiff_t)x]);
        good = fwrite(heatmap->row, sizeof *heatmap->row, width, heatmap->file[s]) == width;
    }
    if (!good || fflush(heatmap->file[s]))
        return fv_fail(error, FV_ERROR_OUTPUT, "cambi: '%s' cannot be written: %s", heatmap->path[s],
                       strerror(errno));
    return FV_OK;
}

void fv_cambi_heatmap_close(FvCambiHeatmap **heatmap)
{
    if (!*heatmap)
        return;
    for (int s = 0; s < FV_CAMBI_SCALES; s++) {
        if ((*heatmap)->file[s])
            fclose((*heatmap)->file[s]);
        free((*heatmap)->path[s]);
    }
    free((*heatmap)->row);
    free(*heatmap);
    *heatmap = NULL;
}
