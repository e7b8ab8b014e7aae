// The runtime's types, values and calls, as kernels/runtime/ implements those of CUDA 13. The structures are laid out
// as in kernels/runtime/cuda_abi.h.
#pragma once

#include "vectors.h"

#define CUDART_VERSION 13000

enum cudaError {
    cudaSuccess = 0,
    cudaErrorInvalidValue = 1,
    cudaErrorMemoryAllocation = 2,
    cudaErrorInitializationError = 3,
    cudaErrorCudartUnloading = 4,
    cudaErrorInvalidConfiguration = 9,
    cudaErrorInvalidPitchValue = 12,
    cudaErrorInvalidSymbol = 13,
    cudaErrorInvalidHostPointer = 16,
    cudaErrorInvalidDevicePointer = 17,
    cudaErrorInvalidMemcpyDirection = 21,
    cudaErrorInsufficientDriver = 35,
    cudaErrorMissingConfiguration = 52,
    cudaErrorInvalidDeviceFunction = 98,
    cudaErrorNoDevice = 100,
    cudaErrorInvalidDevice = 101,
    cudaErrorInvalidKernelImage = 200,
    cudaErrorNoKernelImageForDevice = 209,
    cudaErrorPeerAccessUnsupported = 217,
    cudaErrorInvalidPtx = 218,
    cudaErrorInvalidSource = 300,
    cudaErrorFileNotFound = 301,
    cudaErrorOperatingSystem = 304,
    cudaErrorInvalidResourceHandle = 400,
    cudaErrorIllegalState = 401,
    cudaErrorSymbolNotFound = 500,
    cudaErrorNotReady = 600,
    cudaErrorIllegalAddress = 700,
    cudaErrorLaunchOutOfResources = 701,
    cudaErrorLaunchTimeout = 702,
    cudaErrorPeerAccessAlreadyEnabled = 704,
    cudaErrorPeerAccessNotEnabled = 705,
    cudaErrorContextIsDestroyed = 709,
    cudaErrorAssert = 710,
    cudaErrorHostMemoryAlreadyRegistered = 712,
    cudaErrorHostMemoryNotRegistered = 713,
    cudaErrorIllegalInstruction = 715,
    cudaErrorMisalignedAddress = 716,
    cudaErrorInvalidAddressSpace = 717,
    cudaErrorInvalidPc = 718,
    cudaErrorLaunchFailure = 719,
    cudaErrorCooperativeLaunchTooLarge = 720,
    cudaErrorNotPermitted = 800,
    cudaErrorNotSupported = 801,
    cudaErrorUnknown = 999
};
typedef cudaError cudaError_t;

typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
typedef struct CUgraph_st* cudaGraph_t;
typedef struct CUgraphExec_st* cudaGraphExec_t;
typedef struct CUgraphNode_st* cudaGraphNode_t;
typedef void (*cudaHostFn_t)(void*);
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void*);
#define CUDART_CB
#define cudaStreamLegacy (reinterpret_cast<cudaStream_t>(1))
#define cudaStreamPerThread (reinterpret_cast<cudaStream_t>(2))

// Flags.
enum : unsigned {
    cudaHostAllocDefault = 0,
    cudaHostAllocPortable = 1,
    cudaHostAllocMapped = 2,
    cudaHostAllocWriteCombined = 4,
    cudaHostRegisterDefault = 0,
    cudaHostRegisterPortable = 1,
    cudaHostRegisterMapped = 2,
    cudaHostRegisterReadOnly = 8,
    cudaMemAttachGlobal = 1,
    cudaMemAttachHost = 2,
    cudaMemAttachSingle = 4,
    cudaStreamDefault = 0,
    cudaStreamNonBlocking = 1,
    cudaEventDefault = 0,
    cudaEventBlockingSync = 1,
    cudaEventDisableTiming = 2,
    cudaEventInterprocess = 4,
    cudaEventRecordDefault = 0,
    cudaEventWaitDefault = 0,
    cudaDeviceScheduleAuto = 0,
    cudaDeviceScheduleSpin = 1,
    cudaDeviceScheduleYield = 2,
    cudaDeviceScheduleBlockingSync = 4,
    cudaDeviceMapHost = 8,
    cudaOccupancyDefault = 0
};
enum : int { cudaCpuDeviceId = -1, cudaInvalidDeviceId = -2 };

enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4
};
enum cudaMemoryType {
    cudaMemoryTypeUnregistered = 0,
    cudaMemoryTypeHost = 1,
    cudaMemoryTypeDevice = 2,
    cudaMemoryTypeManaged = 3
};
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1,
    cudaMemAdviseUnsetReadMostly = 2,
    cudaMemAdviseSetPreferredLocation = 3,
    cudaMemAdviseUnsetPreferredLocation = 4,
    cudaMemAdviseSetAccessedBy = 5,
    cudaMemAdviseUnsetAccessedBy = 6
};
enum cudaMemLocationType { cudaMemLocationTypeInvalid = 0, cudaMemLocationTypeDevice = 1, cudaMemLocationTypeHost = 2 };
struct cudaMemLocation {
    cudaMemLocationType type;
    int id;
};
enum cudaFuncCache {
    cudaFuncCachePreferNone = 0,
    cudaFuncCachePreferShared = 1,
    cudaFuncCachePreferL1 = 2,
    cudaFuncCachePreferEqual = 3
};
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault = 0,
    cudaSharedMemBankSizeFourByte = 1,
    cudaSharedMemBankSizeEightByte = 2
};
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaLimit {
    cudaLimitStackSize = 0,
    cudaLimitPrintfFifoSize = 1,
    cudaLimitMallocHeapSize = 2,
    cudaLimitDevRuntimeSyncDepth = 3,
    cudaLimitDevRuntimePendingLaunchCount = 4
};
enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1,
    cudaDevAttrMaxBlockDimX = 2,
    cudaDevAttrMaxBlockDimY = 3,
    cudaDevAttrMaxBlockDimZ = 4,
    cudaDevAttrMaxGridDimX = 5,
    cudaDevAttrMaxGridDimY = 6,
    cudaDevAttrMaxGridDimZ = 7,
    cudaDevAttrMaxSharedMemoryPerBlock = 8,
    cudaDevAttrTotalConstantMemory = 9,
    cudaDevAttrWarpSize = 10,
    cudaDevAttrMaxPitch = 11,
    cudaDevAttrMaxRegistersPerBlock = 12,
    cudaDevAttrClockRate = 13,
    cudaDevAttrTextureAlignment = 14,
    cudaDevAttrGpuOverlap = 15,
    cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrKernelExecTimeout = 17,
    cudaDevAttrIntegrated = 18,
    cudaDevAttrCanMapHostMemory = 19,
    cudaDevAttrConcurrentKernels = 31,
    cudaDevAttrMemoryClockRate = 36,
    cudaDevAttrGlobalMemoryBusWidth = 37,
    cudaDevAttrL2CacheSize = 38,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39,
    cudaDevAttrAsyncEngineCount = 40,
    cudaDevAttrUnifiedAddressing = 41,
    cudaDevAttrComputeCapabilityMajor = 75,
    cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
    cudaDevAttrMaxRegistersPerMultiprocessor = 82,
    cudaDevAttrManagedMemory = 83,
    cudaDevAttrPageableMemoryAccess = 88,
    cudaDevAttrConcurrentManagedAccess = 89,
    cudaDevAttrCooperativeLaunch = 95,
    cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
    cudaDevAttrHostRegisterSupported = 99,
    cudaDevAttrMaxBlocksPerMultiprocessor = 106,
    cudaDevAttrReservedSharedMemoryPerBlock = 111,
    cudaDevAttrMemoryPoolsSupported = 115
};

struct cudaPitchedPtr {
    void* ptr;
    size_t pitch, xsize, ysize;
};
struct cudaExtent {
    size_t width, height, depth;
};
struct cudaPos {
    size_t x, y, z;
};
struct cudaMemcpy3DParms {
    struct cudaArray* srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    struct cudaArray* dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
};
CONVSCOPE_HOST cudaPitchedPtr make_cudaPitchedPtr(void* at, size_t pitch, size_t width, size_t height) {
    return {at, pitch, width, height};
}
CONVSCOPE_HOST cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
    return {width, height, depth};
}
CONVSCOPE_HOST cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
    return {x, y, z};
}
struct cudaPointerAttributes {
    cudaMemoryType type;
    int device;
    void *devicePointer, *hostPointer;
    long reserved[8];
};
struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes;
    int preferredShmemCarveout, clusterDimMustBeSet, requiredClusterWidth, requiredClusterHeight, requiredClusterDepth;
    int clusterSchedulingPolicyPreference, nonPortableClusterSizeAllowed, reserved[16];
};
enum cudaLaunchAttributeID { cudaLaunchAttributeCooperative = 2 };
union cudaLaunchAttributeValue {
    char pad[64];
    int cooperative;
};
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    char pad[4];
    cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute* attrs;
    unsigned numAttrs;
};
struct cudaUUID_t {
    char bytes[16];
};
struct cudaDeviceProp {
    char name[256];
    cudaUUID_t uuid;
    char luid[8];
    unsigned luidDeviceNodeMask;
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
    size_t totalConstMem;
    int major, minor;
    size_t textureAlignment, texturePitchAlignment;
    int multiProcessorCount, integrated, canMapHostMemory;
    int maxTexture1D, maxTexture1DMipmap, maxTexture2D[2], maxTexture2DMipmap[2], maxTexture2DLinear[3];
    int maxTexture2DGather[2], maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap, maxTexture1DLayered[2];
    int maxTexture2DLayered[3], maxTextureCubemapLayered[2], maxSurface1D, maxSurface2D[2], maxSurface3D[3];
    int maxSurface1DLayered[2], maxSurface2DLayered[3], maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
    size_t surfaceAlignment;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount;
    int unifiedAddressing, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize, maxThreadsPerMultiProcessor;
    int streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID, hostNativeAtomicSupported;
    int pageableMemoryAccess, concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem;
    int cooperativeLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost, maxBlocksPerMultiProcessor;
    int accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported, sparseCudaArraySupported, hostRegisterReadOnlySupported;
    int timelineSemaphoreInteropSupported, memoryPoolsSupported, gpuDirectRDMASupported;
    unsigned gpuDirectRDMAFlushWritesOptions;
    int gpuDirectRDMAWritesOrdering;
    unsigned memoryPoolSupportedHandleTypes;
    int deferredMappingCudaArraySupported, ipcEventSupported, clusterLaunch, unifiedFunctionPointers;
    int reserved[63];
};

extern "C" {
// Errors.
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorName(cudaError_t);
const char* cudaGetErrorString(cudaError_t);

// Devices.
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags);
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*);
cudaError_t cudaSetDeviceFlags(unsigned flags);
cudaError_t cudaGetDeviceFlags(unsigned* flags);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp*, int device);
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaDeviceSetLimit(cudaLimit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig);
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();

// Memory.
cudaError_t cudaMalloc(void** result, size_t bytes);
cudaError_t cudaMallocAsync(void** result, size_t bytes, cudaStream_t);
cudaError_t cudaMallocManaged(void** result, size_t bytes, unsigned flags = cudaMemAttachGlobal);
cudaError_t cudaMallocHost(void** result, size_t bytes);
cudaError_t cudaHostAlloc(void** result, size_t bytes, unsigned flags);
cudaError_t cudaMallocPitch(void** result, size_t* pitch, size_t width, size_t height);
cudaError_t cudaMalloc3D(cudaPitchedPtr* result, cudaExtent);
cudaError_t cudaFree(void*);
cudaError_t cudaFreeAsync(void*, cudaStream_t);
cudaError_t cudaFreeHost(void*);
cudaError_t cudaHostRegister(void*, size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void*);
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags);
cudaError_t cudaHostGetFlags(unsigned* flags, void*);
cudaError_t cudaMemGetInfo(size_t* left, size_t* total);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes*, const void*);
cudaError_t cudaMemPrefetchAsync(const void*, size_t bytes, cudaMemLocation, unsigned flags, cudaStream_t = nullptr);
cudaError_t cudaMemAdvise(const void*, size_t bytes, cudaMemoryAdvise, cudaMemLocation);
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind, cudaStream_t = nullptr);
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes);
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                cudaStream_t = nullptr);
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind);
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind, cudaStream_t = nullptr);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms*);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms*, cudaStream_t = nullptr);
cudaError_t cudaMemset(void* to, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t = nullptr);
cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height, cudaStream_t = nullptr);
cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent);
cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind = cudaMemcpyHostToDevice);
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset, cudaMemcpyKind,
                                    cudaStream_t = nullptr);
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind = cudaMemcpyDeviceToHost);
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind,
                                      cudaStream_t = nullptr);
cudaError_t cudaGetSymbolAddress(void** address, const void* symbol);
cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol);

// Streams and events.
cudaError_t cudaStreamCreate(cudaStream_t*);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t*, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t*, unsigned flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaStreamQuery(cudaStream_t);
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned flags = 0);
cudaError_t cudaStreamGetPriority(cudaStream_t, int* priority);
cudaError_t cudaStreamGetFlags(cudaStream_t, unsigned* flags);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void*, size_t bytes = 0, unsigned flags = cudaMemAttachSingle);
cudaError_t cudaStreamAddCallback(cudaStream_t, cudaStreamCallback_t, void* data, unsigned flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t, void* data);
cudaError_t cudaEventCreate(cudaEvent_t*);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t*, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = nullptr);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t, cudaStream_t = nullptr, unsigned flags = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventQuery(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end);

// Kernels.
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0, cudaStream_t = nullptr);
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes,
                             cudaStream_t);
cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                        size_t shared_bytes, cudaStream_t);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t*, const void* kernel, void** arguments);
cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute, int value);
cudaError_t cudaFuncSetCacheConfig(const void* kernel, cudaFuncCache);
cudaError_t cudaFuncSetSharedMemConfig(const void* kernel, cudaSharedMemConfig);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes*, const void* kernel);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int threads,
                                                          size_t shared_bytes);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* kernel, int threads,
                                                                   size_t shared_bytes, unsigned flags);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* kernel, int blocks, int threads);

// Graphs, which the runtime says that it has not.
enum cudaStreamCaptureMode {
    cudaStreamCaptureModeGlobal = 0,
    cudaStreamCaptureModeThreadLocal = 1,
    cudaStreamCaptureModeRelaxed = 2
};
cudaError_t cudaGraphCreate(cudaGraph_t*, unsigned flags);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t*, cudaGraph_t, unsigned long long flags = 0);
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t);
cudaError_t cudaGraphDestroy(cudaGraph_t);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t);
cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode);
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t*);
}

CONVSCOPE_HOST cudaError_t cudaGraphInstantiate(cudaGraphExec_t* made, cudaGraph_t graph, cudaGraphNode_t*, char*,
                                                size_t) {
    return cudaGraphInstantiate(made, graph);
}

// The same calls for pointers of any type, for variables themselves, and for kernels.
template <class T>
CONVSCOPE_HOST cudaError_t cudaMalloc(T** result, size_t bytes) {
    return cudaMalloc(reinterpret_cast<void**>(result), bytes);
}
template <class T>
CONVSCOPE_HOST cudaError_t cudaMallocAsync(T** result, size_t bytes, cudaStream_t stream) {
    return cudaMallocAsync(reinterpret_cast<void**>(result), bytes, stream);
}
template <class T>
CONVSCOPE_HOST cudaError_t cudaMallocManaged(T** result, size_t bytes, unsigned flags = cudaMemAttachGlobal) {
    return cudaMallocManaged(reinterpret_cast<void**>(result), bytes, flags);
}
template <class T>
CONVSCOPE_HOST cudaError_t cudaMallocHost(T** result, size_t bytes, unsigned flags = cudaHostAllocDefault) {
    return flags == cudaHostAllocDefault ? cudaMallocHost(reinterpret_cast<void**>(result), bytes)
                                         : cudaHostAlloc(reinterpret_cast<void**>(result), bytes, flags);
}
template <class T>
CONVSCOPE_HOST cudaError_t cudaHostAlloc(T** result, size_t bytes, unsigned flags) {
    return cudaHostAlloc(reinterpret_cast<void**>(result), bytes, flags);
}
template <class T>
CONVSCOPE_HOST cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned flags) {
    return cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags);
}
template <class T>
CONVSCOPE_HOST cudaError_t cudaMallocPitch(T** result, size_t* pitch, size_t width, size_t height) {
    return cudaMallocPitch(reinterpret_cast<void**>(result), pitch, width, height);
}
/// As before CUDA 13, of a device.
CONVSCOPE_HOST cudaError_t cudaMemPrefetchAsync(const void* from, size_t bytes, int device,
                                                cudaStream_t stream = nullptr) {
    return cudaMemPrefetchAsync(from, bytes, cudaMemLocation{cudaMemLocationTypeDevice, device}, 0, stream);
}
CONVSCOPE_HOST cudaError_t cudaMemAdvise(const void* from, size_t bytes, cudaMemoryAdvise advice, int device) {
    return cudaMemAdvise(from, bytes, advice, cudaMemLocation{cudaMemLocationTypeDevice, device});
}
template <class T>
CONVSCOPE_HOST cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                              cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return cudaMemcpyToSymbol(static_cast<const void*>(&symbol), from, bytes, offset, kind);
}
template <class T>
CONVSCOPE_HOST cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                                   cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                   cudaStream_t stream = nullptr) {
    return cudaMemcpyToSymbolAsync(static_cast<const void*>(&symbol), from, bytes, offset, kind, stream);
}
template <class T>
CONVSCOPE_HOST cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                                cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return cudaMemcpyFromSymbol(to, static_cast<const void*>(&symbol), bytes, offset, kind);
}
template <class T>
CONVSCOPE_HOST cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                                     cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                     cudaStream_t stream = nullptr) {
    return cudaMemcpyFromSymbolAsync(to, static_cast<const void*>(&symbol), bytes, offset, kind, stream);
}
template <class T>
CONVSCOPE_HOST cudaError_t cudaGetSymbolAddress(void** address, const T& symbol) {
    return cudaGetSymbolAddress(address, static_cast<const void*>(&symbol));
}
template <class T, class S>
CONVSCOPE_HOST cudaError_t cudaGetSymbolAddress(T** address, const S& symbol) {
    return cudaGetSymbolAddress(reinterpret_cast<void**>(address), static_cast<const void*>(&symbol));
}
template <class T>
CONVSCOPE_HOST cudaError_t cudaGetSymbolSize(size_t* bytes, const T& symbol) {
    return cudaGetSymbolSize(bytes, static_cast<const void*>(&symbol));
}
CONVSCOPE_HOST cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) {
    return cudaEventCreateWithFlags(event, flags);
}
template <class T>
CONVSCOPE_HOST cudaError_t cudaLaunchKernel(T* kernel, dim3 grid, dim3 block, void** arguments, size_t shared_bytes = 0,
                                            cudaStream_t stream = nullptr) {
    return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments, shared_bytes, stream);
}
template <class T>
CONVSCOPE_HOST cudaError_t cudaLaunchCooperativeKernel(T* kernel, dim3 grid, dim3 block, void** arguments,
                                                       size_t shared_bytes = 0, cudaStream_t stream = nullptr) {
    return cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments, shared_bytes,
                                       stream);
}
template <class... P, class... A>
CONVSCOPE_HOST cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(P...), A&&... given) {
    return [&](P... arguments) {
        void* pointers[] = {const_cast<void*>(static_cast<const void*>(&arguments))..., nullptr};
        return cudaLaunchKernelExC(config, reinterpret_cast<const void*>(kernel), pointers);
    }(static_cast<A&&>(given)...);
}
template <class T>
CONVSCOPE_HOST cudaError_t cudaFuncSetAttribute(T* kernel, cudaFuncAttribute attribute, int value) {
    return cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
}
template <class T>
CONVSCOPE_HOST cudaError_t cudaFuncSetCacheConfig(T* kernel, cudaFuncCache config) {
    return cudaFuncSetCacheConfig(reinterpret_cast<const void*>(kernel), config);
}
template <class T>
CONVSCOPE_HOST cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* kernel) {
    return cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}
template <class T>
CONVSCOPE_HOST cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T* kernel, int threads,
                                                                         size_t shared_bytes) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, reinterpret_cast<const void*>(kernel), threads,
                                                         shared_bytes);
}
/// The largest of the block sizes by which most threads are active. 'shared_bytes' gives what a block of a size needs.
template <class T, class F>
CONVSCOPE_HOST cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* least_grid, int* block, T* kernel,
                                                                          F shared_bytes, int limit = 0) {
    int device = 0, sms = 0, warp = 0, most_active = 0;
    cudaFuncAttributes attributes;
    if (cudaError_t error = cudaGetDevice(&device)) return error;
    if (cudaError_t error = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device)) return error;
    if (cudaError_t error = cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device)) return error;
    if (cudaError_t error = cudaFuncGetAttributes(&attributes, kernel)) return error;
    int most = attributes.maxThreadsPerBlock;
    if (limit > 0 && limit < most) most = limit;
    for (int threads = most; threads > 0; threads = (threads - 1) / warp * warp) {
        int blocks = 0;
        if (cudaError_t error =
                cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_bytes(threads)))
            return error;
        if (blocks * threads <= most_active) continue;
        most_active = blocks * threads;
        *block = threads;
        *least_grid = blocks * sms;
    }
    return cudaSuccess;
}
template <class T>
CONVSCOPE_HOST cudaError_t cudaOccupancyMaxPotentialBlockSize(int* least_grid, int* block, T* kernel,
                                                              size_t shared_bytes = 0, int limit = 0) {
    return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
        least_grid, block, kernel, [=](int) { return shared_bytes; }, limit);
}
