/*
 * Lets threads create hardware decoders one at a time. Creation takes 50 to 70 ms, and the driver blocks its other
 * calls during that time.
 */
#pragma once

/* Waits until no other decoder is being created, and no decoder with a smaller index in its video waits. */
void fv_hwdec_gate_enter(int index);
void fv_hwdec_gate_leave(void);
