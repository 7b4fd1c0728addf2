#include "each.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fovea/fovea.h"

int each_gpu(void (*test)(Tap *tap, const char *device, const char *paths[2]))
{
    Tap tap = {0};
    char ref[] = "gpu-ref-XXXXXX", dis[] = "gpu-dis-XXXXXX";
    close(mkstemp(ref));
    close(mkstemp(dis));
    FvDeviceList *list = NULL;
    if (fv_devices_list(&list, NULL))
        return 1;
    for (int i = 0; i < fv_devices_count(list); i++) {
        const FvDeviceInfo *device = fv_devices_info(list, i);
        if (device->usable && strcmp(device->name, "cpu"))
            test(&tap, device->name, (const char *[2]){ref, dis});
    }
    fv_devices_close(&list);
    unlink(ref);
    unlink(dis);
    if (!tap.count)
        tap_skip(&tap, "no GPU here", "nothing to compare");
    return tap_done(&tap);
}
