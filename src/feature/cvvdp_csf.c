/* The table of castleCSF, which the specification has: for fv_cvvdp_csf in feature/cvvdp.h. */
#include "feature/cvvdp.h"

const int32_t fv_cvvdp_csf[FV_CVVDP_CHANNELS][FV_CVVDP_CSF][FV_CVVDP_CSF] = {
#include "../../vectors/spec/cvvdp_csf.h"
};
