/* Texture and surface references: programs from before CUDA 12 declare them in a
   module, and the host binds memory to them. A reference is a description and, when
   something is bound, a record made of it, whose address is the value of the module's
   variable. Each change makes the record anew when the context's work is done, so that
   kernels that were launched before still read what was bound then. */
#include "entry.h"
#include "hostcuda/core/device_limits.h"
#include "hostcuda/run/waits.h"
#include "texture_refs.h"
#include "textures.h"

struct hd_reference {
    hd_object object;
    hd_reference *next;      /* of the same module */
    const hc_global *global; /* borrowed from the module; NULL: of no module */
    bool surface, bound;
    CUDA_RESOURCE_DESC resource;
    CUDA_TEXTURE_DESC texture;
    CUarray_format format;
    unsigned channels;
    __hc_texture record;
};

/* -- Life -------------------------------------------------------------------------- */

/* CUDA's defaults for a reference. */
static void set_defaults(hd_reference *reference)
{
    const hc_global *global = reference->global;
    bool declared = global && global->format != 0;

    for (int d = 0; d < 3; d++)
        reference->texture.addressMode[d] = CU_TR_ADDRESS_MODE_CLAMP;
    reference->format = declared ? (CUarray_format)global->format : CU_AD_FORMAT_FLOAT;
    reference->channels = declared ? global->channels : 1;
    if (declared && global->as_is)
        reference->texture.flags = CU_TRSF_READ_AS_INTEGER;
}

void hd_references_destroy(hd_module *module)
{
    while (module->references) {
        hd_reference *reference = module->references;
        module->references = reference->next;
        hd_handle_retire(&reference->object);
        free(reference);
    }
}

static CUresult module_reference(void *answer, CUmodule handle, const char *name,
                                 hc_global_kind kind)
{
    const hc_global *global = NULL;
    HD_ENTER_FIND(hd_module, module, HD_MODULE, handle);
    HD_NEED(answer && name);
    for (uint32_t i = 0; i < module->nglobals && !global; i++) {
        if (module->image->globals[i].kind == kind &&
            strcmp(module->image->globals[i].name, name) == 0)
            global = &module->image->globals[i];
    }
    HD_FAIL_IF(!global, CUDA_ERROR_NOT_FOUND, "the module has no %s reference \"%s\"",
               kind == HC_SURFACE ? "surface" : "texture", name);
    hd_reference *reference = module->references;
    while (reference && reference->global != global)
        reference = reference->next;
    if (!reference) {
        HD_TRY(hd_object_create(HD_REFERENCE, module->object.context, sizeof *reference,
                                &reference));
        reference->global = global;
        reference->surface = kind == HC_SURFACE;
        set_defaults(reference);
        reference->next = module->references;
        module->references = reference;
    }
    *(void **)answer = reference->object.handle;
    return CUDA_SUCCESS;
}

CUresult cuModuleGetTexRef(CUtexref *answer, CUmodule module, const char *name)
{
    return module_reference(answer, module, name, HC_TEXTURE);
}

CUresult cuModuleGetSurfRef(CUsurfref *answer, CUmodule module, const char *name)
{
    return module_reference(answer, module, name, HC_SURFACE);
}

CUresult cuTexRefCreate(CUtexref *answer)
{
    hd_reference *reference = NULL;
    HD_ENTER_CONTEXT(context);
    HD_NEED(answer);
    HD_TRY(hd_child_create(context, HD_REFERENCE, sizeof *reference, hd_child_destroy,
                           &reference));
    set_defaults(reference);
    *answer = reference->object.handle;
    return CUDA_SUCCESS;
}

static CUresult find(const void *handle, bool surface, hd_reference **reference)
{
    HD_TRY(hd_handle_find(HD_REFERENCE, handle, reference));
    if ((*reference)->surface != surface)
        return hd_fail(CUDA_ERROR_INVALID_HANDLE, "%p is not a %s reference",
                       (void *)(uintptr_t)handle, surface ? "surface" : "texture");
    return CUDA_SUCCESS;
}

CUresult cuTexRefDestroy(CUtexref handle)
{
    HD_ENTER_WITH(hd_reference, reference, find(handle, false, &reference));
    HD_REFUSE_IF(reference->global, "the texture reference is its module's");
    hd_child_destroy(&reference->object);
    return CUDA_SUCCESS;
}

/* -- Changes: a description is made, tried, and then it counts --------------------- */

/* Replaces the reference by the changed copy, if that is valid. */
static CUresult change(const hd_reference *wanted)
{
    hd_reference *reference = NULL, made = *wanted;
    typeof(made.resource.res) *resource = &made.resource.res;
    const hc_global *global = made.global;
    const void *handle = made.object.handle;
    bool as_is = global && global->format != 0 && global->as_is;

    if (made.resource.resType == CU_RESOURCE_TYPE_LINEAR) {
        resource->linear.format = made.format;
        resource->linear.numChannels = made.channels;
    } else if (made.resource.resType == CU_RESOURCE_TYPE_PITCH2D) {
        resource->pitch2D.format = made.format;
        resource->pitch2D.numChannels = made.channels;
    }
    if (made.bound)
        HD_TRY(hd_texture_fill(&made.record, &made.resource,
                               made.surface ? NULL : &made.texture, as_is));
    HD_TRY(hd_context_drain(made.object.context));
    HD_TRY(find(handle, made.surface, &reference)); /* the lock was dropped */
    made.next = reference->next;
    made.object = reference->object;
    *reference = made;
    if (made.bound && global)
        *(uint64_t *)global->address = (uintptr_t)&reference->record;
    return CUDA_SUCCESS;
}

static CUresult set_array(const void *handle, CUarray array, bool surface)
{
    CUDA_ARRAY3D_DESCRIPTOR descriptor;
    HD_TRY(cuArray3DGetDescriptor_v2(&descriptor, array));
    HD_ENTER_WITH(hd_reference, reference, find(handle, surface, &reference));
    hd_reference wanted = *reference;
    wanted.bound = true;
    wanted.format = descriptor.Format;
    wanted.channels = descriptor.NumChannels;
    wanted.resource = (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_ARRAY};
    wanted.resource.res.array.hArray = array;
    HD_REFUSE_IF(surface && !(descriptor.Flags & CUDA_ARRAY3D_SURFACE_LDST),
                 "the array was made without the flag SURFACE_LDST");
    return change(&wanted);
}

CUresult cuTexRefSetArray(CUtexref handle, CUarray array, unsigned int flags)
{
    HD_REFUSE_IF(flags != CU_TRSA_OVERRIDE_FORMAT,
                 "the flags must be CU_TRSA_OVERRIDE_FORMAT");
    return set_array(handle, array, false);
}

CUresult cuSurfRefSetArray(CUsurfref handle, CUarray array, unsigned int flags)
{
    HD_REFUSE_IF(flags != 0, "the flags must be 0");
    return set_array(handle, array, true);
}

CUresult cuTexRefSetAddress_v2(size_t *offset, CUtexref handle, CUdeviceptr address,
                               size_t bytes)
{
    size_t over = address % HD_TEXTURE_ALIGNMENT;
    HD_ENTER_WITH(hd_reference, reference, find(handle, false, &reference));
    hd_reference wanted = *reference;
    HD_REFUSE_IF(!offset && over != 0,
                 "0x%llx is %zu bytes past a multiple of %d, and the offset is not "
                 "asked for",
                 address, over, HD_TEXTURE_ALIGNMENT);
    wanted.bound = true;
    wanted.resource = (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_LINEAR};
    wanted.resource.res.linear.devPtr = address - over;
    wanted.resource.res.linear.sizeInBytes = bytes + over;
    HD_TRY(change(&wanted));
    if (offset)
        *offset = over;
    return CUDA_SUCCESS;
}

CUresult cuTexRefSetAddress2D_v3(CUtexref handle, const CUDA_ARRAY_DESCRIPTOR *shape,
                                 CUdeviceptr address, size_t pitch)
{
    HD_ENTER_WITH(hd_reference, reference, find(handle, false, &reference));
    hd_reference wanted = *reference;
    HD_NEED(shape);
    wanted.bound = true;
    wanted.format = shape->Format;
    wanted.channels = shape->NumChannels;
    wanted.resource = (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_PITCH2D};
    wanted.resource.res.pitch2D.devPtr = address;
    wanted.resource.res.pitch2D.width = shape->Width;
    wanted.resource.res.pitch2D.height = shape->Height;
    wanted.resource.res.pitch2D.pitchInBytes = pitch;
    return change(&wanted);
}

CUresult cuTexRefSetFormat(CUtexref handle, CUarray_format format, int channels)
{
    HD_ENTER_WITH(hd_reference, reference, find(handle, false, &reference));
    hd_reference wanted = *reference;
    wanted.format = format;
    wanted.channels = (unsigned)channels;
    return change(&wanted);
}

CUresult cuTexRefSetAddressMode(CUtexref handle, int dimension, CUaddress_mode mode)
{
    HD_ENTER_WITH(hd_reference, reference, find(handle, false, &reference));
    hd_reference wanted = *reference;
    HD_REFUSE_IF(dimension < 0 || dimension > 2, "no texture has a dimension %d",
                 dimension);
    HD_REFUSE_IF((unsigned)mode > CU_TR_ADDRESS_MODE_BORDER,
                 "%d is not an address mode", (int)mode);
    wanted.texture.addressMode[dimension] = mode;
    return change(&wanted);
}

CUresult cuTexRefSetFilterMode(CUtexref handle, CUfilter_mode mode)
{
    HD_ENTER_WITH(hd_reference, reference, find(handle, false, &reference));
    hd_reference wanted = *reference;
    HD_REFUSE_IF((unsigned)mode > CU_TR_FILTER_MODE_LINEAR, "%d is not a filter mode",
                 (int)mode);
    wanted.texture.filterMode = mode;
    return change(&wanted);
}

CUresult cuTexRefSetFlags(CUtexref handle, unsigned int flags)
{
    HD_ENTER_WITH(hd_reference, reference, find(handle, false, &reference));
    hd_reference wanted = *reference;
    wanted.texture.flags = flags;
    return change(&wanted);
}

CUresult hd_reference_check(const hd_context *context, CUtexref handle)
{
    hd_reference *reference = NULL;

    HD_TRY(find(handle, false, &reference));
    HD_FAIL_IF(reference->object.context != context, CUDA_ERROR_INVALID_HANDLE,
               "the texture reference belongs to another context than the current one");
    HD_REFUSE_IF(!reference->global, "the texture reference is of no module");
    return CUDA_SUCCESS;
}

/* -- Questions --------------------------------------------------------------------- */

/* A reference to which a resource of that type is bound. */
static CUresult find_bound(const void *handle, bool surface, CUresourcetype type,
                           hd_reference **reference)
{
    HD_TRY(find(handle, surface, reference));
    HD_REFUSE_IF(!(*reference)->bound || (*reference)->resource.resType != type,
                 "nothing of that kind is bound to the reference");
    return CUDA_SUCCESS;
}

HD_QUESTION(cuTexRefGetFilterMode, (CUfilter_mode * answer, CUtexref handle),
            HD_ENTER_WITH(hd_reference, reference, find(handle, false, &reference)),
            reference->texture.filterMode)
HD_QUESTION(cuTexRefGetFlags, (unsigned int *answer, CUtexref handle),
            HD_ENTER_WITH(hd_reference, reference, find(handle, false, &reference)),
            reference->texture.flags)

#define ENTER_BOUND(surface, type)         \
    HD_ENTER_WITH(hd_reference, reference, \
                  find_bound(handle, surface, CU_RESOURCE_TYPE_##type, &reference))
HD_QUESTION(cuTexRefGetAddress_v2, (CUdeviceptr * answer, CUtexref handle),
            ENTER_BOUND(false, LINEAR), reference->resource.res.linear.devPtr)
HD_QUESTION(cuTexRefGetArray, (CUarray * answer, CUtexref handle),
            ENTER_BOUND(false, ARRAY), reference->resource.res.array.hArray)
HD_QUESTION(cuSurfRefGetArray, (CUarray * answer, CUsurfref handle),
            ENTER_BOUND(true, ARRAY), reference->resource.res.array.hArray)

CUresult cuTexRefGetAddressMode(CUaddress_mode *answer, CUtexref handle, int dimension)
{
    HD_ENTER_WITH(hd_reference, reference, find(handle, false, &reference));
    HD_REFUSE_IF(dimension < 0 || dimension > 2, "no texture has a dimension %d",
                 dimension);
    HD_ANSWER(answer, reference->texture.addressMode[dimension]);
}

CUresult cuTexRefGetFormat(CUarray_format *format, int *channels, CUtexref handle)
{
    HD_ENTER_WITH(hd_reference, reference, find(handle, false, &reference));
    HD_NEED(format && channels);
    *format = reference->format;
    *channels = (int)reference->channels;
    return CUDA_SUCCESS;
}
