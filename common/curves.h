/*
 * The constants of HDR's transfer functions. web/view_tone.js repeats them; tests/tree/owners.py compares both files.
 */
#ifndef FV_CURVES_H
#define FV_CURVES_H

/* SMPTE ST 2084, and ITU-R BT.2100, table 4: m1, m2, c1, c2 and c3 */
#define FV_PQ_M1 0.1593017578125
#define FV_PQ_M2 78.84375
#define FV_PQ_C1 0.8359375
#define FV_PQ_C2 18.8515625
#define FV_PQ_C3 18.6875

/* ITU-R BT.2100, table 5: a, b and c of HLG */
#define FV_HLG_A 0.17883277
#define FV_HLG_B 0.28466892
#define FV_HLG_C 0.55991072952956202

#endif
