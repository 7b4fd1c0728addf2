/* Decoders of GPUs are made one at a time, in 50 to 70 ms, and what others ask of the driver meanwhile takes long. */
#ifndef FV_INPUT_HWDEC_GATE_H
#define FV_INPUT_HWDEC_GATE_H

/* Waits until no other decoder is being made, nor any that has a smaller index among those of its video. */
void fv_chip_gate_enter(int index);
void fv_chip_gate_leave(void);

#endif
