/* The table of castleCSF: fv_cvvdp_csf of feature/cvvdp.h. The numbers are in vectors/spec/. */
#include "feature/cvvdp.h"

const int32_t fv_cvvdp_csf[FV_CVVDP_CHANNELS][FV_CVVDP_CSF][FV_CVVDP_CSF] = {
#include "../../vectors/spec/cvvdp_csf.h"
};
