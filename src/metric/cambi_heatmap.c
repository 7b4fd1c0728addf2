#include "metric/cambi_heatmap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "little_endian.h"
#include "os/file.h"
#include "os/folder.h"
#include "os/output.h"

struct FvCambiHeatmap {
    double scale;
    uint16_t *row;
    FvOutput *output[FV_CAMBI_SCALES];
    bool any; /* a heat map has been written */
};

/* Returns the factor from c-values to samples, which maps the maximum c-value under the options to 65535. */
static double scale_of(const FvCambiPicture *picture)
{
    double most = fv_cambi_greatest(picture);
    return most > 0 ? 65535.0 / most : 0;
}

static uint16_t sample_of(double scale, float c)
{
    double sample = scale * (double)c;
    return sample < 65535 ? (uint16_t)sample : 65535;
}

static FvStatus make_folder(const char *folder, FvFileId *id, FvError *error)
{
    char *path = strdup(folder);
    if (!path)
        return fv_fail_memory(error, strlen(folder));
    FvStatus status = FV_OK;
    for (char *slash = path; slash && !status;) {
        slash = strchr(slash + 1, '/');
        if (slash)
            *slash = '\0';
        if (!fv_folder_make(path, 0770))
            status = fv_fail(error, FV_ERROR_OUTPUT, "cambi: the folder '%s' for heat maps cannot be made: %s", path,
                             strerror(errno));
        if (slash)
            *slash = '/';
    }
    free(path);
    FvFileFacts facts = {.size = 0};
    if (!status)
        fv_file_facts_of(folder, &facts);
    *id = facts.id;
    return status;
}

static FvStatus check_place(const char *path, bool overwrite, FvError *error)
{
    FvFileFacts facts;
    if (fv_file_is_link(path))
        return fv_fail(error, FV_ERROR_USAGE,
                       "cambi: %s is a symbolic link, and heat maps follow none: remove it, or name another folder",
                       path);
    if (!overwrite && fv_file_facts_of(path, &facts) && facts.kind == FV_FILE_REGULAR)
        return fv_fail(error, FV_ERROR_USAGE,
                       "cambi: %s exists already; name another folder, or replace it with `overwrite`", path);
    return FV_OK;
}

FvStatus fv_cambi_heatmap_open(FvCambiHeatmap **heatmap, const FvCambiHeatmapParams *params, FvFileId *id,
                               FvError *error)
{
    const FvCambiPicture *picture = params->picture;
    if (!*params->folder)
        return fv_fail(error, FV_ERROR_USAGE, "cambi: heatmaps_path is empty; name a folder");
    FvStatus status = make_folder(params->folder, id, error);
    if (status)
        return status;
    FvCambiHeatmap *maps = *heatmap = calloc(1, sizeof *maps);
    if (!maps)
        return fv_fail_memory(error, sizeof *maps);
    maps->scale = scale_of(picture);
    maps->row = malloc((size_t)picture->width * sizeof *maps->row);
    if (!maps->row)
        return fv_fail_memory(error, (size_t)picture->width * sizeof *maps->row);
    for (int s = 0; s < FV_CAMBI_SCALES && !status; s++) {
        char *path;
        if (asprintf(&path, "%s/cambi_heatmap_scale_%d_%dx%d_16b.gray", params->folder, s, picture->scale[s].width,
                     picture->scale[s].height) < 0)
            return fv_fail_memory(error, strlen(params->folder));
        status = fv_output_check_guarded(path, params->guard, error);
        if (!status)
            status = check_place(path, params->overwrite, error);
        if (!status)
            status = fv_output_open_guarded(&maps->output[s], path, params->guard, params->cancel, error);
        free(path);
    }
    return status;
}

FvStatus fv_cambi_heatmap_write(FvCambiHeatmap *heatmap, const FvMap *map, FvError *error)
{
    FvOutput **output = &heatmap->output[map->map];
    size_t width = (size_t)map->width;
    heatmap->any = true;
    for (int y = 0; y < map->height; y++) {
        for (size_t x = 0; x < width; x++)
            heatmap->row[x] = sample_of(heatmap->scale, map->data[y * map->stride + (ptrdiff_t)x]);
        if (!fv_write_little(fv_output_file(*output), heatmap->row, sizeof *heatmap->row * width,
                             sizeof *heatmap->row))
            return fv_output_close(output, error); /* the close reports the error */
    }
    return FV_OK;
}

FvStatus fv_cambi_heatmap_finish(FvCambiHeatmap *heatmap, FvError *error)
{
    FvStatus status = FV_OK;
    for (int s = 0; s < FV_CAMBI_SCALES && !status; s++)
        status = fv_output_close(&heatmap->output[s], error);
    return status;
}

FvStatus fv_cambi_heatmap_keep(FvCambiHeatmap *heatmap, char *kept, size_t size, FvError *error)
{
    char name[4096];
    FvStatus status = FV_OK;
    for (int s = 0; s < FV_CAMBI_SCALES && heatmap->any && !status; s++) {
        status = fv_output_keep_partial(&heatmap->output[s], name, sizeof name, error);
        if (!status && *name && !*kept)
            snprintf(kept, size, "the earlier heat maps are kept in %.400s, and the others next to it", name);
    }
    return status;
}

void fv_cambi_heatmap_close(FvCambiHeatmap **heatmap)
{
    if (!*heatmap)
        return;
    for (int s = 0; s < FV_CAMBI_SCALES; s++)
        fv_output_discard(&(*heatmap)->output[s]);
    free((*heatmap)->row);
    free(*heatmap);
    *heatmap = NULL;
}
