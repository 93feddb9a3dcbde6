/* Marks for NVIDIA's profilers in host code, which is read and not run. */
#ifndef HOSTCC_NVTOOLSEXT_H
#define HOSTCC_NVTOOLSEXT_H
#include <stdint.h>
extern "C" {
#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE sizeof(nvtxEventAttributes_t)
typedef enum { NVTX_COLOR_UNKNOWN, NVTX_COLOR_ARGB } nvtxColorType_t;
typedef enum {
    NVTX_MESSAGE_UNKNOWN,
    NVTX_MESSAGE_TYPE_ASCII,
    NVTX_MESSAGE_TYPE_UNICODE
} nvtxMessageType_t;
typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;
typedef union {
    const char *ascii;
    const wchar_t *unicode;
    nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
        float fValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_t;
void nvtxMarkA(const char *);
void nvtxMarkEx(const nvtxEventAttributes_t *);
int nvtxRangePushA(const char *);
int nvtxRangePushEx(const nvtxEventAttributes_t *);
int nvtxRangePop(void);
nvtxRangeId_t nvtxRangeStartA(const char *);
void nvtxRangeEnd(nvtxRangeId_t);
#define nvtxMark nvtxMarkA
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
}
#endif
