#include "metric/cambi_heatmap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "arith/scalar.h"

#include "arith/cambi.h"
#include "cpu/cambi.h"
#include "error.h"

struct FvCambiHeatmap {
    const FvCambiPicture *picture;
    double scale;
    uint16_t *row;
    char *path[FV_CAMBI_SCALES];
    FILE *file[FV_CAMBI_SCALES];
};

double fv_cambi_heatmap_scale(const FvCambiPicture *picture)
{
    int most = (int)fv_cambi_weight[picture->tables->contrasts - 1] * picture->window * picture->window / 4;
    return most ? 65535.0 / most : 0;
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
    maps->picture = picture;
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

FvStatus fv_cambi_heatmap_write(FvCambiHeatmap *heatmap, void *frame, FvError *error)
{
    for (int s = 0; s < FV_CAMBI_SCALES; s++) {
        const FvCambiScale *scale = &heatmap->picture->scale[s];
        size_t width = (size_t)scale->width;
        for (int y = 0; y < scale->height; y++) {
            const float *c = fv_cambi_c(scale, frame, y);
            for (size_t x = 0; x < width; x++)
                heatmap->row[x] = fv_cambi_heatmap_sample(heatmap->scale, c[x]);
            if (fwrite(heatmap->row, sizeof *heatmap->row, width, heatmap->file[s]) != width)
                return fv_fail(error, FV_ERROR_OUTPUT, "cambi: '%s' cannot be written: %s", heatmap->path[s],
                               strerror(errno));
        }
        if (fflush(heatmap->file[s]))
            return fv_fail(error, FV_ERROR_OUTPUT, "cambi: '%s' cannot be written: %s", heatmap->path[s],
                           strerror(errno));
    }
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
