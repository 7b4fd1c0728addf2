#include "extractor.h"

#include <stdio.h>
#include <string.h>

#define ADM(x) "VMAF_integer_feature_" x "_score"

static const LvExtractor extractors[] = {
    {.name = "adm",
     .metric = "adm",
     .column = {{ADM("adm2"), "integer_adm2", false},
                {ADM("aim"), "integer_aim", false},
                {ADM("adm3"), "integer_adm3", false},
                {"integer_adm_scale0", "integer_adm_scale0", false},
                {"integer_adm_scale1", "integer_adm_scale1", false},
                {"integer_adm_scale2", "integer_adm_scale2", false},
                {"integer_adm_scale3", "integer_adm_scale3", false},
                {"integer_adm", "integer_adm", false},
                {"integer_adm_num", "integer_adm_num", false},
                {"integer_adm_den", "integer_adm_den", false},
                {"integer_adm_num_scale0", "integer_adm_num_scale0", false},
                {"integer_adm_den_scale0", "integer_adm_den_scale0", false},
                {"integer_adm_num_scale1", "integer_adm_num_scale1", false},
                {"integer_adm_den_scale1", "integer_adm_den_scale1", false},
                {"integer_adm_num_scale2", "integer_adm_num_scale2", false},
                {"integer_adm_den_scale2", "integer_adm_den_scale2", false},
                {"integer_adm_num_scale3", "integer_adm_num_scale3", false},
                {"integer_adm_den_scale3", "integer_adm_den_scale3", false}}},
    {.name = "vif",
     .metric = "vif",
     .column = {{"VMAF_integer_feature_vif_scale0_score", "integer_vif_scale0", false},
                {"VMAF_integer_feature_vif_scale1_score", "integer_vif_scale1", false},
                {"VMAF_integer_feature_vif_scale2_score", "integer_vif_scale2", false},
                {"VMAF_integer_feature_vif_scale3_score", "integer_vif_scale3", false},
                {"integer_vif", "integer_vif", false},
                {"integer_vif_num", "integer_vif_num", false},
                {"integer_vif_den", "integer_vif_den", false},
                {"integer_vif_num_scale0", "integer_vif_num_scale0", false},
                {"integer_vif_den_scale0", "integer_vif_den_scale0", false},
                {"integer_vif_num_scale1", "integer_vif_num_scale1", false},
                {"integer_vif_den_scale1", "integer_vif_den_scale1", false},
                {"integer_vif_num_scale2", "integer_vif_num_scale2", false},
                {"integer_vif_den_scale2", "integer_vif_den_scale2", false},
                {"integer_vif_num_scale3", "integer_vif_num_scale3", false},
                {"integer_vif_den_scale3", "integer_vif_den_scale3", false}}},
    /* The session computes the change of each picture; the scores that look ahead are computed from it at the end. */
    {.name = "motion",
     .metric = "motion",
     .every = true,
     .always = "motion_change_only=true",
     .column = {{"VMAF_integer_feature_motion_sad_score", "integer_motion", false},
                {"VMAF_integer_feature_motion_score", "integer_motion", false},
                {"VMAF_integer_feature_motion2_score", NULL, false},
                {"VMAF_integer_feature_motion3_score", NULL, false}}},
    {.name = "cambi",
     .metric = "cambi",
     .column = {{"Cambi_feature_cambi_score", "cambi", false},
                {"cambi_source", "cambi_source", true},
                {"cambi_full_reference", "cambi_full_reference", true}}},
    {.name = "speed_chroma",
     .metric = "speed_chroma",
     .chroma = true,
     .column = {{"Speed_chroma_feature_speed_chroma_u_score", "speed_chroma_u", false},
                {"Speed_chroma_feature_speed_chroma_v_score", "speed_chroma_v", false},
                {"Speed_chroma_feature_speed_chroma_uv_score", "speed_chroma_uv", false}}},
    {.name = "speed_temporal",
     .metric = "speed_temporal",
     .every = true,
     .first = true,
     .column = {{"Speed_temporal_feature_speed_temporal_score", "speed_temporal", false}}},
    {.name = "psnr",
     .metric = "psnr",
     .chroma = true,
     .every = true,
     .first = true,
     .column = {{"psnr_y", "psnr_y", false},
                {"mse_y", "mse_y", true},
                {"psnr_cb", "psnr_cb", false},
                {"mse_cb", "mse_cb", true},
                {"psnr_cr", "psnr_cr", false},
                {"mse_cr", "mse_cr", true}}},
    {.name = "psnr_hvs",
     .metric = "psnr_hvs",
     .chroma = true,
     .column = {{"psnr_hvs_y", "psnr_hvs_y", false},
                {"psnr_hvs_cb", "psnr_hvs_cb", false},
                {"psnr_hvs_cr", "psnr_hvs_cr", false},
                {"psnr_hvs", "psnr_hvs", false}}},
    {.name = "ciede",
     .metric = "ciede",
     .chroma = true,
     .always = "peer_layout=true",
     .column = {{"ciede2000", "ciede2000", false}}},
    {.name = "float_ssim",
     .metric = "float_ssim",
     .column = {{"float_ssim", "float_ssim", false},
                {"float_ssim_l", "float_ssim_l", true},
                {"float_ssim_c", "float_ssim_c", true},
                {"float_ssim_s", "float_ssim_s", true}}},
    {.name = "float_ms_ssim",
     .metric = "float_ms_ssim",
     .column = {{"float_ms_ssim", "float_ms_ssim", false},
                {"float_ms_ssim_l_scale0", "float_ms_ssim_l_scale0", true},
                {"float_ms_ssim_l_scale1", "float_ms_ssim_l_scale1", true},
                {"float_ms_ssim_l_scale2", "float_ms_ssim_l_scale2", true},
                {"float_ms_ssim_l_scale3", "float_ms_ssim_l_scale3", true},
                {"float_ms_ssim_l_scale4", "float_ms_ssim_l_scale4", true},
                {"float_ms_ssim_c_scale0", "float_ms_ssim_c_scale0", true},
                {"float_ms_ssim_c_scale1", "float_ms_ssim_c_scale1", true},
                {"float_ms_ssim_c_scale2", "float_ms_ssim_c_scale2", true},
                {"float_ms_ssim_c_scale3", "float_ms_ssim_c_scale3", true},
                {"float_ms_ssim_c_scale4", "float_ms_ssim_c_scale4", true},
                {"float_ms_ssim_s_scale0", "float_ms_ssim_s_scale0", true},
                {"float_ms_ssim_s_scale1", "float_ms_ssim_s_scale1", true},
                {"float_ms_ssim_s_scale2", "float_ms_ssim_s_scale2", true},
                {"float_ms_ssim_s_scale3", "float_ms_ssim_s_scale3", true},
                {"float_ms_ssim_s_scale4", "float_ms_ssim_s_scale4", true}}},
    {.name = "null"},
    {.name = "ssimulacra2", .metric = "ssimulacra2", .own = true, .chroma = true},
    {.name = "butteraugli", .metric = "butteraugli", .own = true, .chroma = true},
    {.name = "pu_psnr", .metric = "pu_psnr", .own = true, .chroma = true},
    {.name = "pu_ssim", .metric = "pu_ssim", .own = true, .chroma = true},
    {.name = "delta_e_itp", .metric = "delta_e_itp", .own = true, .chroma = true},
    {.name = "xpsnr", .metric = "xpsnr", .own = true, .chroma = true, .every = true},
    {.name = "vdm", .metric = "vdm", .own = true, .every = true},
    {.name = "cvvdp", .metric = "cvvdp", .own = true, .chroma = true, .every = true},
};

const LvExtractor *lv_extractor_find(const char *name)
{
    for (size_t i = 0; i < sizeof extractors / sizeof *extractors; i++)
        if (!strcmp(extractors[i].name, name))
            return &extractors[i];
    return NULL;
}

const LvExtractor *lv_extractor_of(const char *feature)
{
    for (size_t i = 0; i < sizeof extractors / sizeof *extractors; i++)
        for (const LvColumn *column = extractors[i].column; column->name; column++)
            if (!column->plain && !strcmp(column->name, feature))
                return &extractors[i];
    return NULL;
}

/* ---- Names ----------------------------------------------------------------------------------------------------- */

/* A feature named `before` + middle + "_score" is reported as `instead` + middle, if that name is in `between`. */
static const struct {
    const char *before, *instead, *between[16];
} aliases[] = {
    {"VMAF_feature_",
     "",
     {"adm2", "aim", "adm3", "adm_scale0", "adm_scale1", "adm_scale2", "adm_scale3", "motion", "motion2", "motion3",
      "vif_scale0", "vif_scale1", "vif_scale2", "vif_scale3"}},
    {"VMAF_integer_feature_",
     "integer_",
     {"integer_adm2", "integer_aim", "integer_adm3", "integer_motion", "integer_motion2", "integer_motion3",
      "integer_vif_scale0", "integer_vif_scale1", "integer_vif_scale2", "integer_vif_scale3"}},
    {"Cambi_feature_", "", {"cambi"}},
    {"Speed_chroma_feature_", "", {"speed_chroma_u", "speed_chroma_v", "speed_chroma_uv"}},
    {"Speed_temporal_feature_", "", {"speed_temporal"}},
};

const char *lv_alias(const char *feature)
{
    static const char after[] = "_score";
    size_t length = strlen(feature);
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        size_t before = strlen(aliases[i].before), instead = strlen(aliases[i].instead);
        if (strncmp(feature, aliases[i].before, before) || length < before + sizeof after - 1 ||
            strcmp(feature + length - (sizeof after - 1), after))
            continue;
        for (const char *const *name = aliases[i].between; *name; name++) {
            size_t rest = length - before - (sizeof after - 1);
            if (strlen(*name) == instead + rest && !strncmp(*name + instead, feature + before, rest))
                return *name;
        }
    }
    return feature;
}

bool lv_looks_at_chroma(const LvExtractor *extractor, const LvOptions *options)
{
    return extractor->chroma && !options->luma;
}

void lv_column_name(const LvColumn *column, const char *suffix, char name[LV_NAME])
{
    bool bare = column->plain || !*suffix;
    snprintf(name, LV_NAME, "%s%s", bare ? column->name : lv_alias(column->name), bare ? "" : suffix);
}
