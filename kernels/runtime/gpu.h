// The simulated GPU that a program's calls of the CUDA runtime go to: its memory, its modules, its launches.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kernels/core/device_model.h"
#include "kernels/ptx/run/launch.h"
#include "kernels/ptx/run/malloc_heap.h"
#include "kernels/ptx/text/kernel_text.h"
#include "kernels/ptx/text/module.h"
#include "kernels/runtime/cuda_abi.h"
#include "kernels/runtime/device_heap.h"
#include "kernels/runtime/launch_recorder.h"
#include "kernels/runtime/report.h"
#include "kernels/runtime/streams.h"

namespace convscope::runtime {

/// Ends a call with the error that it returns, and the finding that goes with it.
struct Fault {
    cudaError_t code = cudaErrorInvalidValue;
    std::string kind;  ///< "out_of_bounds"; empty: the error alone
    std::string what;
    std::int64_t allocation = 0;  ///< that it is about; 0: none
};

/// How the program launches a kernel.
struct LaunchCall {
    Dim3 grid, block;
    std::optional<Dim3> cluster;
    std::uint64_t shared_bytes = 0;
    cudaStream_t stream = nullptr;
    void** arguments = nullptr;
    bool cooperative = false;
};

class Gpu {
public:
    static Gpu& get();           ///< the one of the process; lives to its end
    std::recursive_mutex mutex;  ///< of whoever calls

    const DeviceModel& model() const { return model_; }
    DeviceHeap& heap() { return heap_; }
    Streams& streams() { return streams_; }

    // Modules.
    void** add_module(const void* fat_binary);
    void add_kernel(void** module, const void* host, std::string symbol);
    void add_variable(void** module, const void* host, std::string name, void** managed);
    /// Loads the module before the host reads its managed variables.
    void load(void** module);
    /// Throws Fault for an address that is not a kernel.
    const ptx::Program& program(const void* kernel);
    int architecture(const void* kernel);  ///< that its PTX is for: 80; known once program() was there
    Allocation& variable(const void* host);
    /// Dynamic shared memory that the kernel may have.
    std::uint64_t shared_limit(const void* kernel);
    void set_shared_limit(const void* kernel, std::uint64_t bytes);

    // Memory; these throw Fault.
    void* allocate(MemoryKind, std::uint64_t bytes, const char* call);
    void free(void*, std::initializer_list<MemoryKind> may_be, bool waits = true);
    /// The host's own memory, for kernels too.
    void add_registered(void*, std::uint64_t bytes);
    /// Whether the memory is the GPU's alone; registered and managed memory is not.
    bool is_device(const void*);
    /// Rows of 'width' bytes, 'height' of them; 'what' is what the copy is called: "cudaMemcpy". 'waits': the host
    /// knows it done.
    struct Plane {
        void* data;
        std::size_t pitch;
    };
    void copy(Plane to, Plane from, std::size_t width, std::size_t height, cudaMemcpyKind, cudaStream_t, bool waits,
              const char* what);
    void fill(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height, cudaStream_t,
              const char* what);

    void launch(const void* kernel, const LaunchCall&);
    /// Blocks that an SM holds at a time.
    int blocks_per_sm(const void* kernel, const Dim3& block, std::uint64_t dynamic_shared_bytes);

    // Waiting. Each shows what kernels have printed.
    std::uint64_t stream_of(cudaStream_t);  ///< throws Fault
    void wait_for(std::uint64_t stream);
    void wait_for(const Clock&);
    void wait_for_all();

    /// cudaLimitMallocHeapSize, bytes. Throws Fault once a kernel has used the heap.
    void set_malloc_limit(std::uint64_t bytes);
    std::uint64_t malloc_limit() const { return malloc_heap_.bytes(); }

    /// After cudaDeviceReset.
    void free_all();
    /// At the end of the process: leaks, what was printed and never shown.
    void finish();
    /// Handles a host access to memory of the GPU: reports what is wrong, and returns whether the program may go on.
    bool take_segmentation_fault(std::uint64_t address, bool writes);
    /// Makes memory that pending work uses accessible to this runtime; settle() protects it again.
    void open_memory();
    void settle();
    /// An error that every later call returns, as after a launch that failed; cudaSuccess: none.
    cudaError_t broken = cudaSuccess;

private:
    Gpu();
    std::size_t refused_ = 0;  ///< launches that were not run
    struct Module {
        const void* fat_binary = nullptr;
        bool read = false;
        std::string problem;
        int architecture = 0;  ///< that the PTX is for: 80
        ptx::Module ptx;
        std::optional<SharedBytes> text;       ///< of the PTX, where launches are kept
        std::vector<std::uint64_t> addresses;  ///< of its variables
        std::vector<std::pair<std::string, void**>> managed;
    };
    struct Kernel {
        Module* module = nullptr;
        std::string symbol;
        std::optional<ptx::Program> program;
        std::optional<std::uint64_t> shared_limit;
        std::vector<ptx::ParameterText> parameters;  ///< by its source, where that is there
    };
    struct Named {
        Module* module = nullptr;
        std::string name;
    };
    Module& ready(Module&);
    void place_variables(Module&);
    Kernel& kernel(const void* host);
    /// Why a launch cannot be run again, as a sentence; empty: it can.
    std::string why_not_kept(const Kernel&, const ptx::LaunchRequest&);
    /// The report's "kept", for running a launch again; 'pages' are the host's that it reached.
    static Json kept(const Kernel&, const ptx::LaunchRequest&, const std::set<std::uint64_t>& pages, const Json& event);
    Allocation& reach(const void*, std::size_t bytes, const char* what, bool writes);
    void mark_written(Allocation&, std::uint64_t from, std::uint64_t bytes);
    void show_printed();
    void report_leaks_of_kernels();
    void check_direction(const Plane& to, const Plane& from, cudaMemcpyKind);

    const DeviceModel& model_;
    DeviceHeap heap_;
    ptx::MallocHeap malloc_heap_;
    bool malloc_limit_settled_ = false;
    Streams streams_;
    std::vector<std::unique_ptr<Module>> modules_;
    std::map<const void*, Kernel> kernels_;
    std::map<const void*, Named> variables_;
    std::string printed_;
    std::string printed_by_;
    std::vector<std::uint64_t> printed_frames_;
    bool protected_ = false;  ///< some memory is
    const int process_;
};

}  // namespace convscope::runtime
