/* The types in the argument structs of src/kernel/ for the host, where a device address is a number. */
#ifndef FV_KERNEL_HOST_H
#define FV_KERNEL_HOST_H

#include <stddef.h>
#include <stdint.h>

#include "arith/scalar.h"

#define FV_POINTER(type, pointer) typedef uint64_t pointer
FV_POINTER(uint8_t, fv_u8_p);
FV_POINTER(uint16_t, fv_u16_p);
FV_POINTER(int16_t, fv_i16_p);
FV_POINTER(uint32_t, fv_u32_p);
FV_POINTER(int32_t, fv_i32_p);
FV_POINTER(float, fv_f32_p);

#endif
