/*
 * PSNR-HVS, written from the specification alone. Run it as the checker does: psnr_hvs psnr_hvs REF.y4m DIS.y4m
 *  Build: cc -O2 -ffp-contract=off -o psnr_hvs psnr_hvs.c -lm
 */
#include "common.h"

/* Weights of section 7: Y, Cb, Cr. */
static const float C[3][8][8] = {{{1.6193873005f, 2.2901594831f, 2.08509755623f, 1.48366094411f, 1.00227514334f,
                                   0.678296995242f, 0.466224900598f, 0.3265091542f},
                                  {2.2901594831f, 1.94321815382f, 2.04793073064f, 1.68731108984f, 1.2305666963f,
                                   0.868920337363f, 0.61280991668f, 0.436405793551f},
                                  {2.08509755623f, 2.04793073064f, 1.34329019223f, 1.09205635862f, 0.875748795257f,
                                   0.670882927016f, 0.501731932449f, 0.372504254596f},
                                  {1.48366094411f, 1.68731108984f, 1.09205635862f, 0.772819797575f, 0.605636379554f,
                                   0.48309405692f, 0.380429446972f, 0.295774038565f},
                                  {1.00227514334f, 1.2305666963f, 0.875748795257f, 0.605636379554f, 0.448996256676f,
                                   0.352889268808f, 0.283006984131f, 0.226951348204f},
                                  {0.678296995242f, 0.868920337363f, 0.670882927016f, 0.48309405692f, 0.352889268808f,
                                   0.27032073436f, 0.215017739696f, 0.17408067321f},
                                  {0.466224900598f, 0.61280991668f, 0.501731932449f, 0.380429446972f, 0.283006984131f,
                                   0.215017739696f, 0.168869545842f, 0.136153931001f},
                                  {0.3265091542f, 0.436405793551f, 0.372504254596f, 0.295774038565f, 0.226951348204f,
                                   0.17408067321f, 0.136153931001f, 0.109083846276f}},
                                 {{1.91113096927f, 2.46074210438f, 1.18284184739f, 1.14982565193f, 1.05017074788f,
                                   0.898018824055f, 0.74725392039f, 0.615105596242f},
                                  {2.46074210438f, 1.58529308355f, 1.21363250036f, 1.38190029285f, 1.33100189972f,
                                   1.17428548929f, 0.996404342439f, 0.830890433625f},
                                  {1.18284184739f, 1.21363250036f, 0.978712413627f, 1.02624506078f, 1.03145147362f,
                                   0.960060382087f, 0.849823426169f, 0.731221236837f},
                                  {1.14982565193f, 1.38190029285f, 1.02624506078f, 0.861317501629f, 0.801821139099f,
                                   0.751437590932f, 0.685398513368f, 0.608694761374f},
                                  {1.05017074788f, 1.33100189972f, 1.03145147362f, 0.801821139099f, 0.676555426187f,
                                   0.605503172737f, 0.55002013668f, 0.495804539034f},
                                  {0.898018824055f, 1.17428548929f, 0.960060382087f, 0.751437590932f, 0.605503172737f,
                                   0.514674450957f, 0.454353482512f, 0.407050308965f},
                                  {0.74725392039f, 0.996404342439f, 0.849823426169f, 0.685398513368f, 0.55002013668f,
                                   0.454353482512f, 0.389234902883f, 0.342353999733f},
                                  {0.615105596242f, 0.830890433625f, 0.731221236837f, 0.608694761374f,
                                   0.495804539034f, 0.407050308965f, 0.342353999733f, 0.295530605237f}},
                                 {{2.03871978502f, 2.62502345193f, 1.26180942886f, 1.11019789803f, 1.01397751469f,
                                   0.867069376285f, 0.721500455585f, 0.593906509971f},
                                  {2.62502345193f, 1.69112867013f, 1.17180569821f, 1.3342742857f, 1.28513006198f,
                                   1.13381474809f, 0.962064122248f, 0.802254508198f},
                                  {1.26180942886f, 1.17180569821f, 0.944981930573f, 0.990876405848f, 0.995903384143f,
                                   0.926972725286f, 0.820534991409f, 0.706020324706f},
                                  {1.11019789803f, 1.3342742857f, 0.990876405848f, 0.831632933426f, 0.77418706195f,
                                   0.725539939514f, 0.661776842059f, 0.587716619023f},
                                  {1.01397751469f, 1.28513006198f, 0.995903384143f, 0.77418706195f, 0.653238524286f,
                                   0.584635025748f, 0.531064164893f, 0.478717061273f},
                                  {0.867069376285f, 1.13381474809f, 0.926972725286f, 0.725539939514f, 0.584635025748f,
                                   0.496936637883f, 0.438694579826f, 0.393021669543f},
                                  {0.721500455585f, 0.962064122248f, 0.820534991409f, 0.661776842059f,
                                   0.531064164893f, 0.438694579826f, 0.375820256136f, 0.330555063063f},
                                  {0.593906509971f, 0.802254508198f, 0.706020324706f, 0.587716619023f,
                                   0.478717061273f, 0.393021669543f, 0.330555063063f, 0.285345396658f}}};

static float K[3][8][8]; /* the mask table of section 7 */

/* ---- Section 6: the integer transform ---- */

static int T(int a)
{
    return (a + (a < 0)) >> 1;
}

static int M(int a, int c, int s)
{
    return (a * c + (1 << (s - 1))) >> s;
}

/* Transforms one dimension: samples x[0], x[step], ... to y[0], y[step], ... */
static void transform(const int *x, int *y, int step)
{
    const int x0 = x[0], x1 = x[step], x2 = x[2 * step], x3 = x[3 * step], x4 = x[4 * step], x5 = x[5 * step],
              x6 = x[6 * step], x7 = x[7 * step];
    const int d0 = x0 - x7, h0 = T(d0), s0 = x0 - h0, s1 = x1 + x6, h1 = T(s1), d1 = x6 - h1, d2 = x2 - x5,
              s2 = x2 - T(d2), s3 = x3 + x4, h3 = T(s3), d3 = h3 - x4, e0 = s0 + h3, e3 = e0 - s3, e2 = h1 - s2,
              e1 = e2 - s1;
    const int a0 = e0 - M(e1, 13573, 15), y4 = e1 + M(a0, 11585, 14), y0 = a0 - M(y4, 13573, 15);
    const int b0 = e3 - M(e2, 21895, 15), y2 = e2 + M(b0, 15137, 14), y6 = b0 - M(y2, 21895, 15);
    const int c2 = d2 + M(d1, 19195, 15), c1 = d1 + M(c2, 11585, 14), c3 = c2 - M(c1, 7489, 13), g3 = T(c1) - d3,
              g1 = c1 - g3, g2 = h0 - c3, g0 = d0 - g2, r3 = g3 + M(g0, 3227, 15), y1 = g0 - M(r3, 6393, 15),
              y7 = r3 + M(y1, 3227, 15), q1 = g1 + M(g2, 2485, 13), y3 = g2 - M(q1, 18205, 15),
              y5 = q1 + M(y3, 2485, 13);
    const int all[8] = {y0, y1, y2, y3, y4, y5, y6, y7};
    for (int k = 0; k < 8; k++)
        y[k * step] = all[k];
}

static void transform_block(const int p[64], int f[64])
{
    int columns[64];
    for (int j = 0; j < 8; j++)
        transform(p + j, columns + j, 8);
    for (int v = 0; v < 8; v++)
        transform(columns + 8 * v, f + 8 * v, 1);
}

/* ---- Sections 5 and 8: how much a block masks ---- */

/* Returns the ratio of the variances of a block's quadrants to the block's variance. */
static float ratio(const int p[64])
{
    int sum = 0, quarter[4] = {0};
    float whole = 0, part[4] = {0};
    for (int n = 0; n < 64; n++) {
        sum += p[n];
        quarter[(n >= 32) + 2 * (n % 8 >= 4)] += p[n];
    }
    for (int n = 0; n < 64; n++) {
        const int k = (n >= 32) + 2 * (n % 8 >= 4);
        const float d = (float)p[n] - (float)sum / 64, q = (float)p[n] - (float)quarter[k] / 16;
        whole += d * d;
        part[k] += q * q;
    }
    whole *= 0x1.041042p+0f;
    for (int k = 0; k < 4; k++)
        part[k] *= 0x1.111112p+0f;
    return whole > 0 ? (((part[0] + part[1]) + part[2]) + part[3]) / whole : 0;
}

static float threshold(int c, const int p[64], const int f[64])
{
    float energy = 0;
    for (int n = 1; n < 64; n++)
        energy += (float)(f[n] * f[n]) * K[c][n / 8][n % 8];
    return sqrtf(energy * ratio(p)) / 32;
}

/* ---- Section 9: the plane ---- */

static float plane_score(int c, const Picture pair[2], int w, int h, int stride)
{
    float total = 0;
    int64_t blocks = 0;
    for (int y = 0; y <= h - 8; y += 7)
        for (int x = 0; x <= w - 8; x += 7, blocks++) {
            int f[2][64];
            float theta = 0;
            for (int s = 0; s < 2; s++) {
                int p[64];
                for (int n = 0; n < 64; n++)
                    p[n] = pair[s].p[c][(size_t)(y + n / 8) * stride + x + n % 8];
                transform_block(p, f[s]);
                theta = max32(theta, threshold(c, p, f[s]));
            }
            for (int n = 0; n < 64; n++) {
                float error = (float)abs(f[0][n] - f[1][n]);
                const float hidden = n ? theta / K[c][n / 8][n % 8] : 0, weight = C[c][n / 8][n % 8];
                error = error < hidden ? 0 : error - hidden;
                total += (error * weight) * (error * weight);
            }
        }
    const int64_t peak = (1 << pair[0].depth) - 1;
    return total / (float)(64 * blocks) / (float)(peak * peak);
}

static void print(int frame, const char *name, double linear)
{
    const double decibel = linear > 0 ? 10 * -(double)log10l(linear)
                                      : INFINITY; /* correctly rounded, unlike log10() of some C libraries */
    printf("frame %d psnr_hvs%s %a\n", frame, name, decibel);
}

int main(int argc, char **argv)
{
    if (argc != 4 || !strcmp(argv[2], "-"))
        die("usage: psnr_hvs METRIC REF DIS; there are no options");
    Clip clips[2];
    Picture pair[2];
    open_pair(argv, &clips[0], &clips[1]);
    const int chroma = clips[0].chroma, w = clips[0].w, h = clips[0].h;
    const int cw = chroma == 444 ? w : w / 2, ch = chroma == 420 ? h / 2 : h,
              stride = chroma == 444 ? w : (w + 1) / 2;
    if (chroma == 400 || clips[0].depth > 12 || w < 8 || h < 8 || cw < 8 || ch < 8)
        die("the format has no PSNR-HVS");
    for (int n = 0; n < 192; n++) {
        const double u = (double)C[n / 64][n / 8 % 8][n % 8] * 0.3885746225901003;
        K[n / 64][n / 8 % 8][n % 8] = (float)(u * u);
    }
    for (int n = 0; read_picture(&clips[0], &pair[0]) && read_picture(&clips[1], &pair[1]); n++) {
        const double y = plane_score(0, pair, w, h, w), cb = plane_score(1, pair, cw, ch, stride),
                     cr = plane_score(2, pair, cw, ch, stride);
        print(n, "_y", y);
        print(n, "_cb", cb);
        print(n, "_cr", cr);
        print(n, "", 0.8 * y + 0.1 * (cb + cr));
        for (int k = 0; k < 6; k++)
            free(pair[k / 3].p[k % 3]);
    }
    return 0;
}
