/*
 * Lets threads create hardware decoders one at a time, as the driver does, in the order in which the decoders are
 * needed. Creation takes 65 to 110 ms.
 */
#pragma once

/* Waits until no other decoder is being created, and no decoder with a smaller index in its video waits. */
void fv_hwdec_gate_enter(int index);
void fv_hwdec_gate_leave(void);
