/* Texture and surface objects and references as a client in C sees them: what is asked
   comes back, what is wrong is refused, nothing stays. What kernels read is tested in
   tests/python/test_driver_texture.py. */
#include "hostcuda_test.h"

static CUarray array_of(size_t width, size_t height, CUarray_format format,
                        unsigned flags)
{
    CUarray array = NULL;
    const CUDA_ARRAY3D_DESCRIPTOR shape = {.Width = width,
                                           .Height = height,
                                           .Format = format,
                                           .NumChannels = 1,
                                           .Flags = flags};
    OK(cuArray3DCreate_v2(&array, &shape));
    return array;
}

static void objects(void)
{
    CUarray array = array_of(8, 8, CU_AD_FORMAT_FLOAT, CUDA_ARRAY3D_SURFACE_LDST);
    CUarray plain = array_of(8, 8, CU_AD_FORMAT_FLOAT, 0);
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY}, same;
    CUDA_TEXTURE_DESC reading = {.filterMode = CU_TR_FILTER_MODE_LINEAR}, again;
    CUDA_RESOURCE_VIEW_DESC view = {0};
    CUtexObject texture = 0;
    CUsurfObject surface = 0;
    resource.res.array.hArray = array;
    OK(cuTexObjectCreate(&texture, &resource, &reading, NULL));
    OK(cuSurfObjectCreate(&surface, &resource));
    OK(cuTexObjectGetResourceDesc(&same, texture));
    CHECK(same.res.array.hArray == array);
    OK(cuTexObjectGetTextureDesc(&again, texture));
    CHECK(again.filterMode == CU_TR_FILTER_MODE_LINEAR);
    OK(cuSurfObjectGetResourceDesc(&same, surface));
    CHECK(same.res.array.hArray == array);
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuTexObjectGetResourceViewDesc(&view, texture));
    DETAIL("without a resource view");
    EXPECT(CUDA_ERROR_NOT_SUPPORTED,
           cuTexObjectCreate(&texture, &resource, &reading, &view));
    EXPECT(CUDA_ERROR_INVALID_VALUE,
           cuTexObjectCreate(NULL, &resource, &reading, NULL));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&texture, NULL, &reading, NULL));
    EXPECT(CUDA_ERROR_INVALID_VALUE,
           cuTexObjectCreate(&texture, &resource, NULL, NULL));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuTexObjectGetTextureDesc(NULL, texture));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuSurfObjectDestroy(texture));
    DETAIL("is not a surface object");
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuTexObjectDestroy(surface));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuTexObjectDestroy(0));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuTexObjectDestroy(texture + 8));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemFree_v2(texture));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemsetD8_v2(texture, 0, 8));
    OK(cuTexObjectDestroy(texture));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuTexObjectDestroy(texture));
    OK(cuSurfObjectDestroy(surface));
    resource.res.array.hArray = plain;
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuSurfObjectCreate(&surface, &resource));
    DETAIL("without the flag SURFACE_LDST");
    OK(cuArrayDestroy(plain));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuSurfObjectCreate(&surface, &resource));
    resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    EXPECT(CUDA_ERROR_NOT_SUPPORTED,
           cuTexObjectCreate(&texture, &resource, &reading, NULL));
    resource.resType = (CUresourcetype)9;
    EXPECT(CUDA_ERROR_INVALID_VALUE,
           cuTexObjectCreate(&texture, &resource, &reading, NULL));
    OK(cuArrayDestroy(array));
}

static void pitched(void)
{
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_PITCH2D};
    CUDA_TEXTURE_DESC reading = {.flags = CU_TRSF_READ_AS_INTEGER};
    CUdeviceptr memory = 0;
    CUtexObject texture = 0;
    OK(cuMemAlloc_v2(&memory, 64 * 4));
    resource.res.pitch2D.devPtr = memory;
    resource.res.pitch2D.format = CU_AD_FORMAT_SIGNED_INT32;
    resource.res.pitch2D.numChannels = 1;
    const struct {
        size_t width, height, pitch;
        CUresult status;
    } rows[] = {{16, 4, 64, CUDA_SUCCESS},
                {8, 4, 64, CUDA_SUCCESS},
                {17, 4, 64, CUDA_ERROR_INVALID_VALUE},
                {16, 5, 64, CUDA_ERROR_INVALID_VALUE},
                {12, 4, 48, CUDA_ERROR_INVALID_VALUE},
                {0, 4, 64, CUDA_ERROR_INVALID_VALUE},
                {16, SIZE_MAX, 64, CUDA_ERROR_INVALID_VALUE},
                {16, 4, SIZE_MAX / 32 * 32, CUDA_ERROR_INVALID_VALUE},
                {16, 5, (size_t)1 << 62, CUDA_ERROR_INVALID_VALUE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        resource.res.pitch2D.width = rows[i].width;
        resource.res.pitch2D.height = rows[i].height;
        resource.res.pitch2D.pitchInBytes = rows[i].pitch;
        EXPECT(rows[i].status, cuTexObjectCreate(&texture, &resource, &reading, NULL));
        if (rows[i].status == CUDA_SUCCESS)
            OK(cuTexObjectDestroy(texture));
    }
    OK(cuMemFree_v2(memory));
}

static void references(const char *image)
{
    CUmodule module = NULL;
    CUtexref texref = NULL, twin = NULL, own = NULL;
    CUsurfref surfref = NULL;
    CUarray_format format = 0;
    CUarray array = array_of(8, 8, CU_AD_FORMAT_FLOAT, CUDA_ARRAY3D_SURFACE_LDST),
            found;
    CUaddress_mode mode;
    CUfilter_mode filter;
    CUdeviceptr memory = 0, address = 0;
    int channels = 0;
    unsigned flags = 1;
    size_t offset = 1;
    OK(cuModuleLoad(&module, image));
    OK(cuModuleGetTexRef(&texref, module, "bytes"));
    OK(cuModuleGetTexRef(&twin, module, "bytes"));
    CHECK(texref == twin);
    EXPECT(CUDA_ERROR_NOT_FOUND, cuModuleGetTexRef(&twin, module, "canvas"));
    EXPECT(CUDA_ERROR_NOT_FOUND, cuModuleGetTexRef(&twin, module, "table"));
    EXPECT(CUDA_ERROR_NOT_FOUND, cuModuleGetGlobal_v2(&memory, NULL, module, "bytes"));
    OK(cuModuleGetSurfRef(&surfref, module, "canvas"));
    OK(cuTexRefGetFormat(&format, &channels, texref));
    CHECK(format == CU_AD_FORMAT_UNSIGNED_INT8 && channels == 4);
    OK(cuTexRefGetFlags(&flags, texref));
    CHECK(flags == 0);
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuTexRefGetArray(&found, texref));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuTexRefGetAddress_v2(&address, texref));
    OK(cuTexRefSetArray(texref, array, CU_TRSA_OVERRIDE_FORMAT));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuTexRefSetArray(texref, array, 0));
    OK(cuTexRefGetArray(&found, texref));
    CHECK(found == array);
    OK(cuTexRefSetFilterMode(texref, CU_TR_FILTER_MODE_LINEAR));
    OK(cuTexRefGetFilterMode(&filter, texref));
    CHECK(filter == CU_TR_FILTER_MODE_LINEAR);
    OK(cuTexRefSetAddressMode(texref, 2, CU_TR_ADDRESS_MODE_WRAP));
    OK(cuTexRefGetAddressMode(&mode, texref, 2));
    CHECK(mode == CU_TR_ADDRESS_MODE_WRAP);
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuTexRefGetAddressMode(&mode, texref, -1));
    EXPECT(CUDA_ERROR_NOT_SUPPORTED, cuTexRefSetFlags(texref, 1u << 30));
    OK(cuTexRefSetFlags(texref, CU_TRSF_NORMALIZED_COORDINATES));
    /* A change that cannot be leaves what was. */
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuTexRefSetAddress_v2(&offset, texref, 64, 64));
    OK(cuTexRefGetArray(&found, texref));
    OK(cuMemAlloc_v2(&memory, 1024));
    OK(cuTexRefSetFilterMode(texref, CU_TR_FILTER_MODE_POINT));
    EXPECT(CUDA_ERROR_INVALID_VALUE,
           cuTexRefSetAddress_v2(NULL, texref, memory + 4, 64));
    OK(cuTexRefSetAddress_v2(&offset, texref, memory + 4, 64));
    CHECK(offset == 4);
    OK(cuTexRefGetAddress_v2(&address, texref));
    CHECK(address == memory);
    const CUDA_ARRAY_DESCRIPTOR shape = {8, 4, CU_AD_FORMAT_FLOAT, 1};
    OK(cuTexRefSetAddress2D_v3(texref, &shape, memory, 32));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuTexRefSetFormat(texref, CU_AD_FORMAT_FLOAT, 3));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuTexRefSetFlags((CUtexref)surfref, 0));
    OK(cuSurfRefSetArray(surfref, array, 0));
    OK(cuSurfRefGetArray(&found, surfref));
    CHECK(found == array);
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuTexRefDestroy(texref));
    OK(cuTexRefCreate(&own));
    OK(cuTexRefSetArray(own, array, CU_TRSA_OVERRIDE_FORMAT));
    OK(cuTexRefDestroy(own));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuTexRefDestroy(own));
    OK(cuModuleUnload(module));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuTexRefSetFlags(texref, 0));
    OK(cuMemFree_v2(memory));
    OK(cuArrayDestroy(array));
}

int main(int argc, char **argv)
{
    CUcontext context = NULL;
    CUtexref left = NULL;
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_ARRAY};
    CUDA_TEXTURE_DESC reading = {0};
    CUtexObject texture = 0;
    OK(cuInit(0));
    OK(cuCtxCreate_v2(&context, 0, 0));
    objects();
    pitched();
    references(argc > 1 ? argv[1] : "");
    /* What a context has when it ends goes with it. */
    resource.res.array.hArray = array_of(4, 4, CU_AD_FORMAT_HALF, 0);
    OK(cuTexObjectCreate(&texture, &resource, &reading, NULL));
    OK(cuTexRefCreate(&left));
    OK(cuCtxDestroy_v2(context));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuTexObjectDestroy(texture));
    return report();
}
