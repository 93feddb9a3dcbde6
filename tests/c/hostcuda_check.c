/* Check mode without a checked kernel: what the entry points take and answer. */
#include "hostcuda_test.h"

int main(void)
{
    cuxCheckReport found;
    CUdevice device = 0;
    CUcontext context = NULL;
    CUdeviceptr memory = 0;

    EXPECT(CUDA_ERROR_NOT_INITIALIZED, cuxSetCheck(CUX_CHECK_MEMORY));
    setenv("HOSTCUDA_CHECK", "memory,all,order:5", 1);
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    OK(cuCtxCreate_v4(&context, NULL, 0, device));
    OK(cuxSetCheck(CUX_CHECK_MEMORY | CUX_CHECK_RACE));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuxSetCheck(1u << 20));
    DETAIL("no kind of check");
    OK(cuxSetCheckSeed(7));
    OK(cuxSetCheck(0));
    EXPECT(CUDA_ERROR_NOT_FOUND, cuxGetCheckReport(0, &found));
    OK(cuxClearCheckReports());
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuxSetAllocationUse(8, 8));
    OK(cuMemAlloc_v2(&memory, 1000));
    OK(cuxSetAllocationUse(memory, 990));
    OK(cuxSetAllocationUse(memory + 8, 992));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuxSetAllocationUse(memory + 8, 993));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuxSetAllocationUse(memory, 1001));
    OK(cuMemFree_v2(memory));
    OK(cuCtxSynchronize());
    OK(cuCtxDestroy_v2(context));
    return report();
}
