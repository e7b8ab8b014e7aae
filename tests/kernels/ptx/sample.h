// Kernels in PTX, run with arrays of the host.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/ptx/run/launch.h"

namespace convscope::ptx::testing {

/// A module and one of its kernels.
class Sample {
public:
    /// PTX; 'entry' may be empty where there is one kernel.
    Sample(const std::string& text, const std::string& entry, const std::string& name);

    /// The arguments are vectors, which are arrays, and values.
    template <class... Arguments>
    LaunchResult operator()(Dim3 grid, Dim3 block, Arguments&&... arguments) {
        request.grid = grid;
        request.block = block;
        request.arguments = {argument(arguments)...};
        for (std::size_t i = 0; i < request.arguments.size(); ++i) {
            auto& array = request.arguments[i].array;
            if (!array) continue;
            array->name = i < names.size() ? names[i] : "array" + std::to_string(i);
            array->written = std::find(unwritten.begin(), unwritten.end(), array->name) == unwritten.end();
        }
        return run(program, request);
    }
    /// Its findings, a line each.
    std::vector<std::string> lines(const LaunchResult&) const;

    LaunchRequest request;               ///< what is not an argument may be changed
    std::vector<std::string> names;      ///< of the arguments
    std::vector<std::string> unwritten;  ///< arrays that hold nothing yet
    std::unique_ptr<Module> module;
    Program program;

private:
    template <class T>
    static Argument argument(std::vector<T>& array) {
        return {ArrayArgument{"", std::as_writable_bytes(std::span(array)), sizeof(T)}, {}};
    }
    template <class T>
    static Argument argument(T& value) {
        Argument a;
        a.value.resize(sizeof(T));
        std::memcpy(a.value.data(), &value, sizeof(T));
        return a;
    }
};

/// The text of tests/kernels/ptx/samples/NAME.ptx.
std::string sample_text(const std::string& name);
Sample sample(const std::string& name, const std::string& entry = {});
/// A kernel with these parameters and this body, and registers %p, %h, %r, %rd, %f, %fd of 1, 16, 32, 64, f32 and f64.
Sample sample_of_body(const std::string& parameters, const std::string& body);

/// 'n' floats in (-1, 1), always the same.
std::vector<float> random_floats(std::size_t n, std::uint64_t seed = 1);

}  // namespace convscope::ptx::testing
