#include "align/reverse.h"

#include <string.h>

#include "base/error.h"
#include "os/memory.h"

#define APART                                                                                                        \
    (FV_SIGNATURE * FV_EVEN_CONTRAST / 8) /* distance of frames that differ by an eighth of their contrast */
#define LEAST_PAIRS 4

/* Adds a pair. When `kept` is full, every second kept pair is dropped and the distance of kept pairs doubles. */
FvStatus fv_reverse_add(FvReverse *reverse, const int32_t reference[FV_SIGNATURE],
                        const int32_t distorted[FV_SIGNATURE], FvError *error)
{
    const int32_t *const signature[2] = {reference, distorted};
    const size_t bytes = 2 * FV_REVERSE_MOST * sizeof *reverse->kept;
    if (!reverse->kept) {
        reverse->kept = fv_alloc(bytes);
        if (!reverse->kept)
            return fv_fail_memory(error, bytes);
        reverse->step = 1;
    }
    if (reverse->pairs % reverse->step == 0 && reverse->count == FV_REVERSE_MOST) {
        reverse->count /= 2;
        reverse->step *= 2;
        for (int k = 1; k < reverse->count; k++)
            memcpy(&reverse->kept[2 * k], &reverse->kept[4 * k], 2 * sizeof *reverse->kept);
    }
    if (reverse->pairs % reverse->step == 0) {
        for (int side = 0; side < 2; side++)
            fv_even_make(&reverse->kept[2 * reverse->count + side], signature[side], fv_even_mean(signature[side]),
                         0);
        reverse->count++;
    }
    reverse->pairs++;
    return FV_OK;
}

bool fv_reverse_found(const FvReverse *reverse)
{
    int64_t own = 0, other = 0, count = 0;
    const int64_t step = reverse->step, pairs = reverse->pairs;
    for (int k = 0; k < reverse->count; k++) {
        const int64_t i = k * step, nearest = (2 * (pairs - 1 - i) + step) / (2 * step);
        const int64_t j = nearest < reverse->count ? nearest : reverse->count - 1;
        const int64_t away = i < j * step ? j * step - i : i - j * step;
        const FvEven *dis = &reverse->kept[2 * k + 1], *ref = &reverse->kept[2 * k],
                     *mirrored = &reverse->kept[2 * j];
        if (4 * away < pairs || dis->flat || ref->flat || mirrored->flat)
            continue;
        count++;
        own += fv_even_distance(dis, ref);
        other += fv_even_distance(dis, mirrored);
    }
    return count >= LEAST_PAIRS && own > count * APART && 3 * other <= own;
}

void fv_reverse_close(FvReverse *reverse)
{
    fv_free(reverse->kept);
    *reverse = (FvReverse){.kept = NULL};
}
