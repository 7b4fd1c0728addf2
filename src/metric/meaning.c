/* The meaning of every score in words, and what its values are worth: docs/verdicts.md. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "fovea/meaning.h"

#define GRADES(name) .grades = (name), .grade_count = (int)(sizeof(name) / sizeof *(name))

/*
 * Netflix/vmaf, resource/doc/models.md: votes on a uniform scale, "bad" near 20 and "excellent" at 100. The border
 * between two words is halfway between their scores.
 */
static const FvGrade vmaf[] = {
    {-INFINITY, 1, "bad"}, {30, 2, "poor"}, {50, 3, "fair"}, {70, 4, "good"}, {90, 5, "excellent"}};
#define VMAF                                                                                                         \
    GRADES(vmaf), .sdr_only = true, .by = "Netflix",                                                                 \
                  .source = "viewers' words near 20, 40, 60, 80 and 100: Netflix/vmaf, resource/doc/models.md"

/*
 * Klaue, Rathke and Wolisz 2003 (EvalVid), cited from table 2 of doi 10.1155/2016/1730814. Other sources give the
 * borders 45, 33, 27.4 and 18.7.
 */
static const FvGrade psnr[] = {
    {-INFINITY, 1, "bad"}, {20, 2, "poor"}, {25, 3, "fair"}, {31, 4, "good"}, {37, 5, "excellent"}};
#define PSNR                                                                                                         \
    GRADES(psnr), .by = "rule of thumb", .rule_of_thumb = true, .sdr_only = true,                                    \
                  .source = "a rule of thumb, usually credited to EvalVid (Klaue and others, 2003); sources differ"

/*
 * github.com/cloudinary/ssimulacra2: 70 is a mean vote of 4, 50 of 3, 30 of 2, 10 of 1. Borders are halfway, as for
 * VMAF.
 */
static const FvGrade ssimulacra2[] = {
    {-INFINITY, 1, "bad"}, {20, 2, "poor"}, {40, 3, "fair"}, {60, 4, "good"}, {80, 5, "excellent"}};

static const FvGrade butteraugli[] = {{-INFINITY, 5, "not seen"}, {1, 4, "just seen"}, {2, 2, "clearly seen"}};

/* At 1 JND, 3 of 4 forced choices are right; by 1 - 0.5 * 2^-(J^1.3), 91 % are right at 2 JND and 97 % at 3 JND. */
static const FvGrade vdm[] = {
    {-INFINITY, 5, "not seen"}, {1, 4, "just seen"}, {2, 3, "seen"}, {3, 2, "clearly seen"}};
static const FvGrade vdm_whole[] = {{-INFINITY, 5, "not seen"}, {1, 4, "seen"}};
static const FvGrade vdm_choice[] = {{-INFINITY, 5, "not seen"}, {0.75, 4, "seen"}};
#define VDM_SOURCE .by = "forced choices", .source = "1 JND is seen in 3 of 4 forced choices: docs/metrics/vdm.md"
#define VDM GRADES(vdm), VDM_SOURCE

static const FvGrade cambi[] = {{-INFINITY, 5, "little"}, {5, 3, "annoying"}, {24, 1, "unwatchable"}};
#define CAMBI                                                                                                        \
    GRADES(cambi), .by = "Netflix", .artefact = "banding",                                                           \
                   .source = "5 is slightly annoying, 24 unwatchable: Netflix/vmaf, resource/doc/cambi.md"

#define ROW(name, words, short, means) .score = name, .title = words, .brief = short, .text = means
#define PART .display = FV_DISPLAY_PART, .fine = true
#define ASKED .display = FV_DISPLAY_ASKED
#define DB .unit = "dB"
#define EQUAL .scale = "1: equal", .fine = true

/* The score of a metric of one video. With a reference, the metric has one score for each video. */
#define ONE(name, words, short, means, show, ...)                                                                    \
    {ROW(name, words, short, means), .display = FV_DISPLAY_##show, __VA_ARGS__},                                     \
    {                                                                                                                \
        ROW(name "_ref", words ", reference", short "*", means ", of the reference"), .display = FV_DISPLAY_ASKED,   \
                                                                                      __VA_ARGS__                    \
    }

/* The meanings of scores, in the order in which tables show them. */
static const FvMeaning table[] = {
    {ROW("vmaf", "VMAF", "VMAF", "the rating that viewers would give, for a stated display"), .scale = "of 100",
     VMAF},
    {ROW("vmaf_bagging", "VMAF, mean of the models", "VMAF, mean", "mean of the models' ratings"), .scale = "of 100",
     ASKED, VMAF},
    {ROW("vmaf_stddev", "VMAF, spread", "VMAF, spread", "deviation of the models' ratings"), ASKED},
    {ROW("vmaf_ci_p95_lo", "VMAF, at least", "VMAF, at least", "lower end of the models' 95 % interval"),
     .scale = "of 100", ASKED, VMAF},
    {ROW("vmaf_ci_p95_hi", "VMAF, at most", "VMAF, at most", "upper end of the models' 95 % interval"),
     .scale = "of 100", ASKED, VMAF},
    {ROW("vmaf_0000", "VMAF, one model", "VMAF, one model", "the rating by one model of the collection"),
     .scale = "of 100", ASKED, VMAF},

    {ROW("cvvdp", "ColorVideoVDP", "ColorVideoVDP", "quality in just-objectionable differences on a stated display"),
     .unit = "JOD", .scale = "10: equal"},
    {ROW("cvvdp_q", "ColorVideoVDP, difference", "CVVDP, frame", "difference of the last quarter of a second"), ASKED,
     .scale = "0: equal"},

    {ROW("psnr_y", "PSNR, luma", "PSNR, luma", "size of the error, logarithmic"), DB, PSNR},
    {ROW("psnr_cb", "PSNR, Cb", "PSNR, Cb", "size of the error in blue against luma"), DB, ASKED},
    {ROW("psnr_cr", "PSNR, Cr", "PSNR, Cr", "size of the error in red against luma"), DB, ASKED},
    {ROW("psnr_yuv", "PSNR-YUV", "PSNR-YUV", "mean of the planes' PSNR, weighted by test conditions"), DB, ASKED},
    {ROW("apsnr_y", "PSNR of the clip, luma", "PSNR clip, luma", "of the clip's mean squared error"), DB, ASKED,
     PSNR},
    {ROW("apsnr_cb", "PSNR of the clip, Cb", "PSNR clip, Cb", "of the clip's mean squared error"), DB, ASKED},
    {ROW("apsnr_cr", "PSNR of the clip, Cr", "PSNR clip, Cr", "of the clip's mean squared error"), DB, ASKED},
    {ROW("apsnr_yuv", "PSNR-YUV of the clip", "PSNR-YUV, clip",
         "of the clip's mean squared errors, weighted by test conditions"),
     DB, ASKED},
    {ROW("mse_y", "Squared error, luma", "Sq. error, luma", "mean of the squared differences"), .scale = "0: equal",
     ASKED},
    {ROW("mse_cb", "Squared error, Cb", "Sq. error, Cb", "mean of the squared differences"), .scale = "0: equal",
     ASKED},
    {ROW("mse_cr", "Squared error, Cr", "Sq. error, Cr", "mean of the squared differences"), .scale = "0: equal",
     ASKED},

    {ROW("psnr_hvs", "PSNR-HVS", "PSNR-HVS", "PSNR with errors weighted by how well the eye sees them"), DB},
    {ROW("psnr_hvs_y", "PSNR-HVS, luma", "PSNR-HVS, luma", "PSNR-HVS of luma alone"), DB, ASKED},
    {ROW("psnr_hvs_cb", "PSNR-HVS, Cb", "PSNR-HVS, Cb", "PSNR-HVS of Cb alone"), DB, ASKED},
    {ROW("psnr_hvs_cr", "PSNR-HVS, Cr", "PSNR-HVS, Cr", "PSNR-HVS of Cr alone"), DB, ASKED},

    {ROW("pu_psnr", "PSNR, perceived luminance", "PU-PSNR",
         "size of the error in steps that look equal, on a stated display; its peak is SDR white"),
     DB},
    {ROW("pu_apsnr", "PSNR of the clip, perceived luminance", "PU-PSNR, clip", "of the clip's mean squared error"),
     DB, ASKED},
    {ROW("pu_ssim", "SSIM, perceived luminance", "PU-SSIM",
         "likeness of structure in steps that look equal, on a stated display"),
     EQUAL},

    {ROW("vdm_mean", "Visible difference", "Visible diff.",
         "just noticeable differences at a stated distance and display, mean of the picture"),
     .unit = "JND", VDM},
    {ROW("vdm_p95", "Visible difference, worst 5 % of the picture", "Visible, p95", "95th percentile of the picture"),
     .unit = "JND", ASKED, VDM},
    {ROW("vdm_p99", "Visible difference, worst 1 % of the picture", "Visible, p99", "99th percentile of the picture"),
     .unit = "JND", ASKED, VDM},
    {ROW("vdm_p50", "Visible difference, median", "Visible, p50", "median of the picture"), .unit = "JND", ASKED,
     VDM},
    {ROW("vdm_min", "Visible difference, least", "Visible, least", "at the best place of the picture"), .unit = "JND",
     ASKED, VDM},
    {ROW("vdm_max", "Visible difference, greatest", "Visible, most", "at the worst place of the picture"),
     .unit = "JND", ASKED, VDM},
    {ROW("vdm_minkowski", "Visible difference, fourth-power mean", "Visible, power", "stresses the worst places"),
     .unit = "JND", ASKED, VDM},
    {ROW("vdm_detect", "Visible difference as a whole", "Visible, whole", "summed over the area; 1: just seen"),
     ASKED, GRADES(vdm_whole), VDM_SOURCE},
    {ROW("vdm_visible", "Visible area", "Visible area", "part of the picture with 1 JND or more"), .unit = "%",
     .share = true, ASKED},
    {ROW("vdm_correct_2afc", "Chance to tell apart", "Told apart", "right forced choices at the worst place"),
     .unit = "%", .share = true, ASKED, GRADES(vdm_choice), VDM_SOURCE},

    {ROW("cambi", "Banding", "Banding", "false contours in smooth areas"), .scale = "0 to 24", CAMBI},
    {ROW("cambi_full_reference", "Banding added", "Banding added", "banding that the reference does not have"),
     .scale = "0 to 24", ASKED, CAMBI},
    {ROW("cambi_source", "Banding of the reference", "Banding, ref.", "banding that was there before"),
     .scale = "0 to 24", ASKED, CAMBI},

    {ROW("ssimulacra2", "SSIMULACRA 2", "SSIMULACRA 2", "rating of single pictures seen from close"),
     .scale = "of 100", GRADES(ssimulacra2), .by = "Cloudinary",
     .source = "mean votes 4 at 70, 3 at 50, 2 at 30, 1 at 10: github.com/cloudinary/ssimulacra2",
     .conditions = "It rates single pictures seen from close."},
    {ROW("butteraugli", "Butteraugli", "Butteraugli", "distance at the worst place"), .scale = "0: equal",
     GRADES(butteraugli), .by = "libjxl",
     .source = "below 1 hardly seen, above 2 visible: docs/metrics/butteraugli.md"},
    {ROW("butteraugli_3norm", "Butteraugli, mean norms", "Butteraugli, 3n", "distance over the picture"),
     .scale = "0: equal", ASKED},
    {ROW("butteraugli_p3", "Butteraugli, 3-norm", "Butteraugli, p3", "distance over the picture"),
     .scale = "0: equal", ASKED},
    {ROW("butteraugli_p5", "Butteraugli, 5-norm", "Butteraugli, p5", "distance over the picture"),
     .scale = "0: equal", ASKED},

    {ROW("xpsnr_y", "XPSNR, luma", "XPSNR, luma", "PSNR that forgives errors in busy places"), DB},
    {ROW("xpsnr_cb", "XPSNR, Cb", "XPSNR, Cb", "XPSNR of blue against luma"), DB, ASKED},
    {ROW("xpsnr_cr", "XPSNR, Cr", "XPSNR, Cr", "XPSNR of red against luma"), DB, ASKED},
    {ROW("xpsnr_w", "XPSNR of the clip, 4:1:1", "XPSNR, 4:1:1", "of the clip, planes weighted 4, 1 and 1"), DB,
     ASKED},
    {ROW("xpsnr_min", "XPSNR of the clip, least plane", "XPSNR, least", "of the clip's worst plane"), DB, ASKED},
    {ROW("xpsnr_clip_y", "XPSNR of the clip, luma", "XPSNR clip, luma", "of the clip's mean root error"), DB, ASKED},
    {ROW("xpsnr_clip_cb", "XPSNR of the clip, Cb", "XPSNR clip, Cb", "of the clip's mean root error"), DB, ASKED},
    {ROW("xpsnr_clip_cr", "XPSNR of the clip, Cr", "XPSNR clip, Cr", "of the clip's mean root error"), DB, ASKED},

    {ROW("float_ssim", "SSIM", "SSIM", "likeness of structure"), EQUAL},
    {ROW("float_ssim_l", "SSIM, luminance", "SSIM, luminance", "the luminance term of SSIM"), EQUAL, ASKED},
    {ROW("float_ssim_c", "SSIM, contrast", "SSIM, contrast", "the contrast term of SSIM"), EQUAL, ASKED},
    {ROW("float_ssim_s", "SSIM, structure", "SSIM, structure", "the structure term of SSIM"), EQUAL, ASKED},
    {ROW("float_ms_ssim", "MS-SSIM", "MS-SSIM", "likeness of structure over five sizes"), EQUAL},
#define SCALES(X) X(0) X(1) X(2) X(3) X(4)
#define LUMINANCE(n)                                                                                                 \
    {ROW("float_ms_ssim_l_scale" #n, "MS-SSIM, luminance, size " #n, "MS-SSIM, l" #n, "a term of MS-SSIM"), PART},
#define CONTRAST(n)                                                                                                  \
    {ROW("float_ms_ssim_c_scale" #n, "MS-SSIM, contrast, size " #n, "MS-SSIM, c" #n, "a term of MS-SSIM"), PART},
#define STRUCTURE(n)                                                                                                 \
    {ROW("float_ms_ssim_s_scale" #n, "MS-SSIM, structure, size " #n, "MS-SSIM, s" #n, "a term of MS-SSIM"), PART},
    SCALES(LUMINANCE) SCALES(CONTRAST) SCALES(STRUCTURE)

        {ROW("ciede2000", "Colour difference", "Colour diff.", "45 - 20 log10 of the mean CIEDE2000"), DB},
    {ROW("delta_e_itp", "Colour difference, HDR", "Colour diff, HDR",
         "mean colour difference on a stated display; 1 is about just noticeable"),
     .scale = "0: equal"},
    {ROW("delta_e_itp_visible", "Visible colour difference", "Visible colour",
         "part of the picture with a colour difference above 1"),
     .unit = "%", .share = true, ASKED},
    {ROW("speed_chroma_uv", "Colour detail (SpEED)", "Colour detail", "information that differs in colour"),
     .scale = "0: equal", .fine = true},
    {ROW("speed_chroma_u", "Colour detail, Cb", "Col. detail, Cb", "information that differs in Cb"),
     .scale = "0: equal", .fine = true, ASKED},
    {ROW("speed_chroma_v", "Colour detail, Cr", "Col. detail, Cr", "information that differs in Cr"),
     .scale = "0: equal", .fine = true, ASKED},
    {ROW("speed_temporal", "Motion detail (SpEED)", "Motion detail", "difference in the change between frames"),
     .scale = "0: equal", .fine = true},

    {ROW("integer_adm3", "Detail kept and added", "Detail", "detail kept, less damage added"), EQUAL},
    {ROW("integer_adm2", "Detail kept", "Detail kept", "part of the reference's detail that is kept"), EQUAL, ASKED},
    {ROW("integer_aim", "Added damage", "Added damage", "what was added next to the reference's detail"),
     .scale = "0: none", .fine = true, ASKED},
    {ROW("integer_adm", "Detail kept", "Detail kept", "the same as integer_adm2"), EQUAL, ASKED},
    {ROW("integer_vif", "Information left (VIF)", "Information", "part of the information that is left"), EQUAL},
#define DETAIL(n, size)                                                                                              \
    {                                                                                                                \
        ROW("integer_adm_scale" #n, "Detail kept, " size, "Detail, size " #n, "detail of this size that is kept"),   \
            PART                                                                                                     \
    }
#define INFORMATION(n, size)                                                                                         \
    {                                                                                                                \
        ROW("integer_vif_scale" #n, "Information left, " size, "Inform., size " #n,                                  \
            "part of the information of this size that is left"),                                                    \
            PART                                                                                                     \
    }
#define AMOUNT(score, n)                                                                                             \
    {ROW("integer_" score "_num" n, "Numerator of " score n, score n " num", "amount that is left"), PART},          \
    {                                                                                                                \
        ROW("integer_" score "_den" n, "Denominator of " score n, score n " den", "amount that the reference has"),  \
            PART                                                                                                     \
    }
    DETAIL(0, "finest"),
    DETAIL(1, "fine"),
    DETAIL(2, "coarse"),
    DETAIL(3, "coarsest"),
    INFORMATION(0, "finest"),
    INFORMATION(1, "fine"),
    INFORMATION(2, "coarse"),
    INFORMATION(3, "coarsest"),
    AMOUNT("adm", ""),
    AMOUNT("adm", "_scale0"),
    AMOUNT("adm", "_scale1"),
    AMOUNT("adm", "_scale2"),
    AMOUNT("adm", "_scale3"),
    AMOUNT("vif", ""),
    AMOUNT("vif", "_scale0"),
    AMOUNT("vif", "_scale1"),
    AMOUNT("vif", "_scale2"),
    AMOUNT("vif", "_scale3"),
    {ROW("integer_motion2", "Motion", "Motion",
         "the smaller change, from the frame before or to the frame after; no verdict"),
     ASKED},
    {ROW("integer_motion3", "Motion, blended", "Motion, blended", "change between frames; no verdict"), ASKED},
    {ROW("integer_motion", "Motion since the frame before", "Motion, before", "change since the frame before"),
     ASKED},
    ONE("si", "Spatial information", "Spatial info", "spread of the gradients: how much detail", FIRST,
        .share = false),
    ONE("ti", "Temporal information", "Temporal info", "spread of the changes between frames", FIRST, .share = false),
    ONE("repeat", "Repeated frames", "Repeated", "part of the frames that equal the frame before", FIRST,
        .share = true),
    ONE("frame_diff", "Change between frames", "Change", "mean difference from the frame before", ASKED,
        .share = true),
    ONE("frame_diff_peak", "Greatest change of a block", "Change, block",
        "mean difference of the block that changed most", ASKED, .share = false),
    ONE("black", "Black", "Black", "part of luma that is black", FIRST, .share = true),
    ONE("bar_top", "Bar above", "Bar above", "rows of black", ASKED, .unit = "px"),
    ONE("bar_bottom", "Bar below", "Bar below", "rows of black", ASKED, .unit = "px"),
    ONE("bar_left", "Bar at the left", "Bar left", "columns of black", ASKED, .unit = "px"),
    ONE("bar_right", "Bar at the right", "Bar right", "columns of black", ASKED, .unit = "px"),
    ONE("y_mean", "Luma", "Luma", "mean code of luma", FIRST, .share = false),
    ONE("y_min", "Luma, least", "Luma, least", "least code of luma", ASKED, .share = false),
    ONE("y_p1", "Luma, 1 %", "Luma, 1 %", "not exceeded by 1 % of the picture", ASKED, .share = false),
    ONE("y_p5", "Luma, 5 %", "Luma, 5 %", "not exceeded by 5 % of the picture", ASKED, .share = false),
    ONE("y_p50", "Luma, median", "Luma, median", "not exceeded by half of the picture", ASKED, .share = false),
    ONE("y_p95", "Luma, 95 %", "Luma, 95 %", "not exceeded by 95 % of the picture", ASKED, .share = false),
    ONE("y_p99", "Luma, 99 %", "Luma, 99 %", "not exceeded by 99 % of the picture", ASKED, .share = false),
    ONE("y_max", "Luma, greatest", "Luma, most", "greatest code of luma", ASKED, .share = false),
    ONE("u_min", "Cb, least", "Cb, least", "least code of Cb", ASKED, .share = false),
    ONE("u_max", "Cb, greatest", "Cb, most", "greatest code of Cb", ASKED, .share = false),
    ONE("v_min", "Cr, least", "Cr, least", "least code of Cr", ASKED, .share = false),
    ONE("v_max", "Cr, greatest", "Cr, most", "greatest code of Cr", ASKED, .share = false),
    ONE("y_low", "Black or below", "At black", "part of luma at black or below", ASKED, .share = true),
    ONE("y_high", "White or above", "At white", "part of luma at white or above", ASKED, .share = true),
    ONE("y_below", "Below black", "Below black", "part of luma below black", ASKED, .share = true),
    ONE("y_above", "Above white", "Above white", "part of luma above white", ASKED, .share = true),
    ONE("illegal", "Outside R 103", "Outside R 103", "part of the picture outside EBU R 103", ASKED, .share = true),
    ONE("reserved", "Reserved codes", "Reserved", "samples with codes that SDI reserves", ASKED, .share = false),
    ONE("light_max", "Light, greatest", "Light, most", "greatest component of a pixel", FIRST, .unit = "cd/m2"),
    ONE("light_mean", "Light, mean", "Light, mean", "mean of the greatest components", ASKED, .unit = "cd/m2"),
    ONE("light_p99", "Light, 99 %", "Light, 99 %", "not exceeded by 99 % of the pixels", ASKED, .unit = "cd/m2"),
    ONE("light_p9999", "Light, 99.99 %", "Light, 99.99 %", "not exceeded by 99.99 % of the pixels", ASKED,
        .unit = "cd/m2"),
    ONE("outside_bt709", "Outside BT.709", "Outside 709", "part of the picture with colours outside BT.709", ASKED,
        .share = true),
    ONE("outside_p3", "Outside P3", "Outside P3", "part of the picture with colours outside P3", ASKED,
        .share = true),
    ONE("max_cll", "MaxCLL", "MaxCLL", "greatest light of the clip", ASKED, .unit = "cd/m2"),
    ONE("max_fall", "MaxFALL", "MaxFALL", "greatest mean light of a frame", ASKED, .unit = "cd/m2"),
    ONE("flash_transitions", "Flashing", "Flashing", "changes between dark and bright in a second; no certificate",
        FIRST, .share = false),
    ONE("red_flash_transitions", "Red flashing", "Red flashing", "changes of saturated red in a second", ASKED,
        .share = false),
    ONE("comb", "Combing", "Combing", "most combed pixels of a block", FIRST, .unit = "px"),
    ONE("blockiness_h", "Blockiness, columns", "Blocks, columns", "steps at every eighth column; 1: none", FIRST,
        .fine = true),
    ONE("blockiness_v", "Blockiness, rows", "Blocks, rows", "steps at every eighth row; 1: none", ASKED,
        .fine = true),
    ONE("noise", "Noise", "Noise", "deviation of noise and fine detail", ASKED, .share = false),
    ONE("noise_floor", "Noise of even parts", "Noise, floor", "deviation of noise where there is least detail", ASKED,
        .share = false),
    ONE("low_seconds", "Low seconds", "Low seconds", "time that the clip's verdict calls low", ASKED, .share = false),
};

int fv_meaning_count(void)
{
    return sizeof table / sizeof *table;
}

const FvMeaning *fv_meaning_at(int i)
{
    FV_FLOAT_MODE;
    return i >= 0 && i < fv_meaning_count() ? &table[i] : NULL;
}

const FvMeaning *fv_meaning(const char *score)
{
    FV_FLOAT_MODE;
    for (int i = 0; score && i < fv_meaning_count(); i++)
        if (!strcmp(table[i].score, score))
            return &table[i];
    return NULL;
}
