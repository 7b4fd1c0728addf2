#include "input/hwdec/gate.h"

#include "input/hwdec/thread.h"

static struct {
    FvMutex lock;
    FvCondition changed;
    bool making;
    int waiting[FV_HWDEC_DECODERS]; /* number of waiting decoder threads, by index of the decoder */
} gate = {.lock = FV_MUTEX, .changed = FV_CONDITION};

static bool is_next(int index)
{
    for (int i = 0; i < index; i++)
        if (gate.waiting[i])
            return false;
    return !gate.making;
}

void fv_hwdec_gate_enter(int index)
{
    fv_lock(&gate.lock);
    gate.waiting[index]++;
    while (!is_next(index))
        fv_condition_wait(&gate.changed, &gate.lock);
    gate.waiting[index]--;
    gate.making = true;
    fv_unlock(&gate.lock);
}

void fv_hwdec_gate_leave(void)
{
    fv_lock(&gate.lock);
    gate.making = false;
    fv_condition_wake(&gate.changed);
    fv_unlock(&gate.lock);
}
