/* Hardware decoders are made one at a time, in 50 to 70 ms each, and other calls of the driver wait meanwhile. */
#pragma once

/* Waits until no other decoder is being made and none with a smaller index in its video waits. */
void fv_hwdec_gate_enter(int index);
void fv_hwdec_gate_leave(void);
