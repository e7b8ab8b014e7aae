// Streams and events. Work has ended when its call returns, so nothing takes time: what is kept is what the host has
// waited for.
#include <map>

#include "kernels/runtime/call.h"

using namespace convscope;
using runtime::call;
using runtime::Fault;
using runtime::Gpu;

namespace {

constexpr unsigned non_blocking = 1;

struct Event {
    runtime::Clock at;
    bool recorded = false;
};

Gpu& gpu() {
    return Gpu::get();
}

std::map<std::uint64_t, Event>& events() {
    static auto* const all = new std::map<std::uint64_t, Event>;
    return *all;
}

Event& event_of(cudaEvent_t event) {
    const auto found = events().find(reinterpret_cast<std::uint64_t>(event));
    if (found == events().end())
        throw Fault{cudaErrorInvalidResourceHandle, "error", "is given an event that there is not, or no longer", 0};
    return found->second;
}

cudaError_t create_stream(const char* name, cudaStream_t* result, unsigned flags) {
    return call(name,
                [&] { *result = reinterpret_cast<cudaStream_t>(gpu().streams().create((flags & non_blocking) == 0)); });
}

cudaError_t create_event(const char* name, cudaEvent_t* result) {
    return call(name, [&] {
        static std::uint64_t next = 16;
        events()[++next] = {};
        *result = reinterpret_cast<cudaEvent_t>(next);
    });
}

cudaError_t record(const char* name, cudaEvent_t event, cudaStream_t stream) {
    return call(name, [&] { event_of(event) = {gpu().streams().now(gpu().stream_of(stream)), true}; });
}

/// Runs a host function behind the work of a stream: it may use the results of that work, for which its caller has not
/// waited.
template <class F>
cudaError_t run_in_stream(const char* name, cudaStream_t stream, F&& function) {
    if (const cudaError_t error = call(name, [&] { gpu().stream_of(stream); }); error != cudaSuccess) return error;
    {
        const std::lock_guard lock(gpu().mutex);
        gpu().open_memory();
    }
    function();
    return call(name, [] {});  // which protects again what is in use
}

void say_no_times() {
    static const bool said = [] {
        runtime::report({{"event", "no_times"}, {"frames", runtime::frames_here()}});
        return true;
    }();
    (void)said;
}

}  // namespace

CUDA_API cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return create_stream("cudaStreamCreate", stream, 0);
}
CUDA_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    return create_stream("cudaStreamCreateWithFlags", stream, flags);
}
CUDA_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int) {
    return create_stream("cudaStreamCreateWithPriority", stream, flags);
}
CUDA_API cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return call("cudaStreamDestroy", [&] {
        const std::uint64_t id = gpu().stream_of(stream);
        if (id == runtime::Streams::legacy)
            throw Fault{cudaErrorInvalidResourceHandle, "error", "is given the default stream", 0};
        gpu().streams().destroy(id);
    });
}
CUDA_API cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    return call("cudaStreamSynchronize", [&] { gpu().wait_for(gpu().stream_of(stream)); });
}
CUDA_API cudaError_t cudaStreamQuery(cudaStream_t stream) {
    return call("cudaStreamQuery", [&] { gpu().wait_for(gpu().stream_of(stream)); });
}
CUDA_API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    return call("cudaStreamWaitEvent", [&] { gpu().streams().wait(gpu().stream_of(stream), event_of(event).at); });
}
CUDA_API cudaError_t cudaStreamGetPriority(cudaStream_t, int* priority) {
    *priority = 0;
    return cudaSuccess;
}
CUDA_API cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
    return call("cudaStreamGetFlags",
                [&] { *flags = gpu().streams().is_blocking(gpu().stream_of(stream)) ? 0 : non_blocking; });
}
CUDA_API cudaError_t cudaStreamIsCapturing(cudaStream_t, int* status) {
    *status = 0;
    return cudaSuccess;
}
CUDA_API cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    if (least) *least = 0;
    if (greatest) *greatest = 0;
    return cudaSuccess;
}
CUDA_API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    return run_in_stream("cudaLaunchHostFunc", stream, [&] { function(data); });
}
CUDA_API cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* data, unsigned) {
    return run_in_stream("cudaStreamAddCallback", stream, [&] { function(stream, cudaSuccess, data); });
}

CUDA_API cudaError_t cudaEventCreate(cudaEvent_t* event) {
    return create_event("cudaEventCreate", event);
}
CUDA_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
    return create_event("cudaEventCreateWithFlags", event);
}
CUDA_API cudaError_t cudaEventDestroy(cudaEvent_t event) {
    return call("cudaEventDestroy", [&] {
        event_of(event);
        events().erase(reinterpret_cast<std::uint64_t>(event));
    });
}
CUDA_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return record("cudaEventRecord", event, stream);
}
CUDA_API cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
    return record("cudaEventRecordWithFlags", event, stream);
}
CUDA_API cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    return call("cudaEventSynchronize", [&] { gpu().wait_for(event_of(event).at); });
}
CUDA_API cudaError_t cudaEventQuery(cudaEvent_t event) {
    return call("cudaEventQuery", [&] { gpu().wait_for(event_of(event).at); });
}
CUDA_API cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
    return call("cudaEventElapsedTime", [&] {
        *milliseconds = 0;
        say_no_times();
        for (const cudaEvent_t each : {begin, end}) {
            if (!event_of(each).recorded)
                throw Fault{cudaErrorInvalidResourceHandle, "error", "is given an event that was never recorded", 0};
            if (!gpu().streams().done(event_of(each).at))
                throw Fault{cudaErrorNotReady, "unsynchronised",
                            "asks for the time of an event that nothing has waited for: cudaEventSynchronize() first",
                            0};
        }
    });
}

CUDA_API cudaError_t cudaDeviceSynchronize() {
    return call("cudaDeviceSynchronize", [] { gpu().wait_for_all(); });
}
CUDA_API cudaError_t cudaDeviceReset() {
    return call("cudaDeviceReset", [] { gpu().free_all(); });
}
