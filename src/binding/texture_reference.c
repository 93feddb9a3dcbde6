/* Texture and surface references, which a module declares and programs bind memory to.
   Compilers for GPUs have none since CUDA 12, so they exist on the host device alone;
   elsewhere an error says what to do. A reference keeps its Module and what was bound
   last alive. */
#include "calls.h"
#include "arrays.h"

#define TEXREF(self) BD_HANDLE(CUtexref, self)

int bd_references_exist(const char *what)
{
    if (!drv_get_info() || drv_get_info()->is_host)
        return 0;
    PyErr_Format(
        PyExc_NotImplementedError,
        "%s: texture and surface references were removed from the compilers for GPUs "
        "with CUDA 12; pass driver.TextureObject(array) or driver.SurfaceObject(array) "
        "to the kernel, as a cudaTextureObject_t or cudaSurfaceObject_t, instead",
        what);
    return -1;
}

/* -- TextureReference ----------------------------------------------------------- */

BD_NEW(
    texref_new, 0, 0, "TextureReference()",
    "A texture that a module declares: Module.get_texref gives it. On the host device "
    "alone: compilers for GPUs have none since CUDA 12, use TextureObject. CUDA: "
    "cuTexRefCreate.")
{
    bd_context *context = bd_context_current(state);
    if (!context || bd_references_exist("TextureReference"))
        return NULL;
    return BD_MAKE(state, py_object_new_of(type, context, NULL), cuTexRefCreate,
                   CUtexref);
}

BD_DESTROYED(texref_release, cuTexRefDestroy)

BD_RUN(texref_set_array, 1, 1, cuTexRefSetArray, "set_array($self, array)",
       "Binds an Array; its format becomes the reference's.", .may_wait = 1,
       .passes = {PASS_SELF, ARG_ARRAY, PASS_CONSTANT},
       .constant = CU_TRSA_OVERRIDE_FORMAT, .holds = 1)

BD_METHOD(
    texref_set_address, 2, 3, "set_address($self, devptr, bytes, allow_offset=False)",
    "Binds device memory, for tex1Dfetch. Returns the offset in bytes that kernels "
    "have to add, which is 0 unless it is allowed. CUDA: cuTexRefSetAddress.")
{
    bd_state *state = bd_state_from(self);
    CUdeviceptr pointer;
    size_t bytes, offset = 0;
    int allowed = 0;
    if (bd_context_check_of(self) || bd_pointer(state, in[0], &pointer) ||
        py_size(in[1], "bytes", &bytes) || py_flag(in[2], &allowed) ||
        BD_CALL_UNLOCKED(state, cuTexRefSetAddress, &offset, TEXREF(self), pointer,
                         bytes))
        return NULL;
    if (offset && !allowed)
        return bd_raise_because(state, CUDA_ERROR_INVALID_VALUE,
                                "texture_reference::set_address",
                                "texture binding resulted in offset, but allow_offset "
                                "was false");
    Py_DECREF(bd_hold(self, in[0]));
    return PyLong_FromSize_t(offset);
}

BD_RUN(texref_set_address_2d, 3, 3, cuTexRefSetAddress2D,
       "set_address_2d($self, devptr, descr, pitch)",
       "Binds device memory of the shape that an ArrayDescriptor gives, with pitch "
       "bytes from row to row.",
       .may_wait = 1, .passes = {PASS_SELF, ARG_DESCRIPTOR, ARG_ADDRESS, ARG_SIZE},
       .order = {2, 1, 3}, .holds = 1)
BD_RUN(texref_set_format, 2, 2, cuTexRefSetFormat,
       "set_format($self, format, num_components)",
       "What bound memory is taken for: array_format and 1, 2 or 4.", .may_wait = 1,
       .passes = {PASS_SELF, ARG_UINT32, ARG_INT})
BD_RUN(texref_set_address_mode, 2, 2, cuTexRefSetAddressMode,
       "set_address_mode($self, dim, am)",
       "What lies outside along a dimension: address_mode.", .may_wait = 1,
       .passes = {PASS_SELF, ARG_INT, ARG_UINT32})
BD_RUN(texref_set_filter_mode, 1, 1, cuTexRefSetFilterMode,
       "set_filter_mode($self, fm)", "POINT or LINEAR: filter_mode.", .may_wait = 1,
       .passes = {PASS_SELF, ARG_UINT32})
BD_RUN(texref_set_flags, 1, 1, cuTexRefSetFlags, "set_flags($self, flags)",
       "A sum of TRSF_READ_AS_INTEGER and TRSF_NORMALIZED_COORDINATES.", .may_wait = 1,
       .passes = {PASS_SELF, ARG_UINT32})
BD_RUN(texref_get_address, 0, 0, cuTexRefGetAddress, "get_address($self)",
       "The address that is bound.", .passes = {OUT_ADDRESS, PASS_SELF})
BD_RUN(texref_get_array, 0, 0, cuTexRefGetArray, "get_array($self)",
       "The Array that is bound.", .passes = {OUT_ARRAY, PASS_SELF})
BD_RUN(texref_get_address_mode, 1, 1, cuTexRefGetAddressMode,
       "get_address_mode($self, dim)", "The address_mode of a dimension.",
       .passes = {OUT_ENUM, PASS_SELF, ARG_INT}, .enumeration = "address_mode")
BD_RUN(texref_get_filter_mode, 0, 0, cuTexRefGetFilterMode, "get_filter_mode($self)",
       "The filter_mode.", .passes = {OUT_ENUM, PASS_SELF},
       .enumeration = "filter_mode")
BD_RUN(texref_get_format, 0, 0, cuTexRefGetFormat, "get_format($self)",
       "(array_format, number of channels).", .passes = {OUT_ENUM, OUT_INT, PASS_SELF},
       .enumeration = "array_format")
BD_RUN(texref_get_flags, 0, 0, cuTexRefGetFlags, "get_flags($self)",
       "A sum of TRSF_ flags.", .passes = {OUT_UINT, PASS_SELF})

static PyMethodDef texref_methods[] = {
    BD_ROW("set_array", texref_set_array),
    BD_ROW("set_address", texref_set_address),
    BD_ROW("set_address_2d", texref_set_address_2d),
    BD_ROW("set_format", texref_set_format),
    BD_ROW("set_address_mode", texref_set_address_mode),
    BD_ROW("set_filter_mode", texref_set_filter_mode),
    BD_ROW("set_flags", texref_set_flags),
    BD_ROW("get_address", texref_get_address),
    BD_ROW("get_array", texref_get_array),
    BD_ROW("get_address_mode", texref_get_address_mode),
    BD_ROW("get_filter_mode", texref_get_filter_mode),
    BD_ROW("get_format", texref_get_format),
    BD_ROW("get_flags", texref_get_flags),
    {NULL},
};

BD_CLASS(TEXTURE_REFERENCE, "TextureReference", bd_handle, texref_new_doc,
         .new = texref_new, .repr = bd_handle_repr, .methods = texref_methods,
         .getset = bd_handle_getset, PY_RELEASE(texref_release));

/* -- SurfaceReference ----------------------------------------------------------- */

BD_RUN(surfref_set_array, 1, 2, cuSurfRefSetArray, "set_array($self, array, flags=0)",
       "Binds an Array that was made with array3d_flags.SURFACE_LDST.", .may_wait = 1,
       .passes = {PASS_SELF, ARG_ARRAY, ARG_UINT32}, .holds = 1)
BD_RUN(surfref_get_array, 0, 0, cuSurfRefGetArray, "get_array($self)",
       "The Array that is bound.", .passes = {OUT_ARRAY, PASS_SELF})

static PyMethodDef surfref_methods[] = {
    BD_ROW("set_array", surfref_set_array),
    BD_ROW("get_array", surfref_get_array),
    {NULL},
};

BD_CLASS(SURFACE_REFERENCE, "SurfaceReference", bd_handle,
         "A surface that a module declares: Module.get_surfref gives it. On the host "
         "device alone: compilers for GPUs have none since CUDA 12, use SurfaceObject.",
         .repr = bd_handle_repr, .methods = surfref_methods,
         .getset = bd_handle_getset);
