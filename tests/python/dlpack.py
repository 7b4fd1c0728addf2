"""A tensor that offers only DLPack, for the tests of the package."""

import ctypes


class Exporter:
    """A tensor that offers only DLPack, of version 1 or of the unversioned protocol of older libraries."""
    live = 0

    class Tensor(ctypes.Structure):
        _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2), ("ndim", ctypes.c_int32),
                    ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                    ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                    ("byte_offset", ctypes.c_uint64)]

    DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)

    class Old(ctypes.Structure):
        pass

    class New(ctypes.Structure):
        pass

    def __init__(self, view, versioned, code=1, device=1, lies=None, strides=True, offset=0):
        self.view, self.versioned, self.device, self.capsule = view, versioned, device, None
        size = view.itemsize
        backing = (ctypes.c_char * (view.nbytes + offset))()
        ctypes.memmove(ctypes.addressof(backing) + offset, view.tobytes(), view.nbytes)
        count = len(view.shape)
        shape = (ctypes.c_int64 * count)(*view.shape)
        steps = (ctypes.c_int64 * count)(*(step // size for step in view.strides))
        tensor = self.Tensor(ctypes.addressof(backing), (lies or device, 0), count, code, 8 * size, 1, shape,
                             steps if strides else None, offset)
        self.kept = [backing, shape, steps]
        deleter = self.DELETER(self.let_go)
        self.managed = self.New(1, 0, None, deleter, 0, tensor) if versioned else self.Old(tensor, None, deleter)
        self.kept.append(deleter)
        Exporter.live += 1

    def let_go(self, unused):
        Exporter.live -= 1

    def __dlpack_device__(self):
        return self.device, 0

    def __dlpack__(self, **keywords):
        if keywords and not self.versioned:
            raise TypeError("unexpected keyword max_version")
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.managed), b"dltensor_versioned" if self.versioned else b"dltensor", None)


Exporter.Old._fields_ = [("tensor", Exporter.Tensor), ("context", ctypes.c_void_p), ("deleter", Exporter.DELETER)]
Exporter.New._fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
                         ("deleter", Exporter.DELETER), ("flags", ctypes.c_uint64), ("tensor", Exporter.Tensor)]
