// Arrays that a kernel is given: their types in words, and those that are made up: random(1000), out(32, 64).
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "kernels/files/npy_bytes.h"
#include "kernels/ptx/text/expression.h"

namespace convscope::app {

/// An array that a kernel gets; it changes it in place.
struct KernelArray {
    NpyBytes array;
    bool written = true;                     ///< holds values before the kernel runs
    std::vector<std::uint8_t> history = {};  ///< in the place of that: ptx::ArrayArgument::history
    std::filesystem::path file = {};         ///< from which it was read
};

/// A type of CUDA C++ ("float", "unsigned int", "float4") as NumPy has it.
struct ElementType {
    std::string numpy;   ///< "f4"; empty: not known
    unsigned lanes = 1;  ///< of a vector
};
std::optional<ElementType> element_type(const std::string& cuda);

/// "float32" of "f4".
std::string type_name(const std::string& numpy);

/// All arrays that are made up for one launch on the simulated GPU, bytes: it keeps ten more for each.
constexpr double max_simulated_bytes = 160e6, unlimited_room = std::numeric_limits<double>::infinity();

/// The array that 'text' describes: WORD(SIZE, SIZE, ...) or WORD(SIZE, ..., TYPE) with one of the words
///   out     nobody has written it yet
///   zeros, ones, iota (0, 1, 2, ...), random (floats in (-1, 1), integers 0 to 99), sparse (random; 7 of 10 are zero),
///   ascending (0, then each 0 to 9 more than the one before: row pointers)
/// It takes at most 'room' bytes. Sizes are expressions; what random, sparse and ascending draw depends on the
/// parameter's name alone. Nothing where the text begins with none of them: it may name a file. 'element' is the type
/// where none is said, and one has to be where that is not known; lanes are a last dimension. Throws Error(usage),
/// beginning with 'what'; OutOfMemory; Error(failed) when it was stopped.
std::optional<KernelArray> generated_array(const std::string& text, const ElementType& element, const ptx::Names&,
                                           const std::string& what, const std::string& parameter,
                                           double room = unlimited_room, const std::stop_token& = {});

/// Throws Error(usage), beginning with 'what', for what is no type of an array's elements: "float32".
void require_array_type(const std::string& what, const std::string& name);

/// As out(...).
KernelArray unwritten_array(const std::string& what, const std::string& numpy, NpyShape, double room = unlimited_room);

}  // namespace convscope::app
