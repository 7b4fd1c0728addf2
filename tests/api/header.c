/* Compiles one public header alone (HEADER) and then all, as strict C11 and, through header.cpp, as C++17. */
#include HEADER

#include <fovea/fovea.h>

int fv_test_header(void);
int fv_test_header(void)
{
    FvFormat format = {1, 1, FV_CHROMA_420, 8, FV_RANGE_FULL, 25, 1, 1, 1, 1, FV_SITING_LEFT, 1000};
    return fv_format_planes(&format);
}
