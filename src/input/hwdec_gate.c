#include "input/hwdec_gate.h"

#include "input/hwdec_lane.h"

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool making;
    int waiting[FV_HWDEC_DECODERS]; /* by index */
} gate = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static bool is_next(int index)
{
    for (int i = 0; i < index; i++)
        if (gate.waiting[i])
            return false;
    return !gate.making;
}

void fv_hwdec_gate_enter(int index)
{
    pthread_mutex_lock(&gate.lock);
    gate.waiting[index]++;
    while (!is_next(index))
        pthread_cond_wait(&gate.changed, &gate.lock);
    gate.waiting[index]--;
    gate.making = true;
    pthread_mutex_unlock(&gate.lock);
}

void fv_hwdec_gate_leave(void)
{
    pthread_mutex_lock(&gate.lock);
    gate.making = false;
    pthread_cond_broadcast(&gate.changed);
    pthread_mutex_unlock(&gate.lock);
}
