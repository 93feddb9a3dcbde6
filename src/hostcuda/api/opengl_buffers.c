/* OpenGL's buffers by their names, as before CUDA 3. There is no OpenGL here, so none
   is ever registered, and each entry point fails as it does where that is so. */
#include "entry.h"

CUresult cuGLInit(void)
{
    HD_ENTER_CONTEXT(context);
    return hd_fail(CUDA_ERROR_UNKNOWN, "the host device has no OpenGL");
}

/* Where OpenGL's current context is asked for. */
static CUresult no_context(void)
{
    return hd_fail(CUDA_ERROR_INVALID_GRAPHICS_CONTEXT,
                   "no context of OpenGL is current: the host device has no OpenGL");
}

CUresult cuGLGetDevices_v2(unsigned int *count, CUdevice *devices, unsigned int room,
                           CUGLDeviceList which)
{
    HD_ENTER();
    HD_NEED(count && (devices || room == 0));
    return no_context();
}

CUresult cuGLRegisterBufferObject(unsigned int buffer)
{
    HD_ENTER_CONTEXT(context);
    return no_context();
}

/* Where a buffer is asked for that was registered. */
static CUresult not_registered(CUresult status, unsigned buffer)
{
    HD_ENTER_CONTEXT(context);
    return hd_fail(status, "buffer %u of OpenGL is not registered", buffer);
}

CUresult cuGLMapBufferObject_v2(CUdeviceptr *address, size_t *size, unsigned int buffer)
{
    return not_registered(CUDA_ERROR_INVALID_VALUE, buffer);
}

CUresult cuGLMapBufferObjectAsync_v2(CUdeviceptr *address, size_t *size,
                                     unsigned int buffer, CUstream stream)
{
    return not_registered(CUDA_ERROR_INVALID_VALUE, buffer);
}

CUresult cuGLUnmapBufferObject(unsigned int buffer)
{
    return not_registered(CUDA_ERROR_INVALID_VALUE, buffer);
}

CUresult cuGLUnmapBufferObjectAsync(unsigned int buffer, CUstream stream)
{
    return not_registered(CUDA_ERROR_INVALID_VALUE, buffer);
}

CUresult cuGLUnregisterBufferObject(unsigned int buffer)
{
    return not_registered(CUDA_ERROR_INVALID_VALUE, buffer);
}

CUresult cuGLSetBufferObjectMapFlags(unsigned int buffer, unsigned int flags)
{
    return not_registered(CUDA_ERROR_INVALID_HANDLE, buffer);
}
