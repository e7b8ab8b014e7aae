// A fault that a check found in a kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>

#include "kernels/core/error.h"
#include "kernels/core/launch.h"
#include "kernels/simt/executor.h"

namespace convscope::simt {

enum class FindingKind { out_of_bounds, misaligned, uninitialised, race, divergent_barrier, endless };

const char* to_string(FindingKind);

/// One side of a conflict.
struct Side {
    Dim3 block;
    Index3 thread;
    std::source_location at;
    std::string does;  ///< "writes", "waits at the block's barrier"
};

/// The element that a conflict is about, as the kernel names it.
struct FoundElement {
    Space space = Space::global;
    std::string array;
    std::int64_t index = 0;
};

/// Ends the kernel's run; what() is the whole story in one sentence.
class Finding : public Error {
public:
    Finding(FindingKind kind, const std::string& sentence, Side found, std::optional<Side> other = {},
            std::optional<FoundElement> element = {})
        : Error(ErrorKind::failed, sentence),
          kind_(kind),
          found_(std::move(found)),
          other_(std::move(other)),
          element_(std::move(element)) {}

    FindingKind kind() const { return kind_; }
    const Side& found() const { return found_; }                             ///< where the run ended
    const std::optional<Side>& other() const { return other_; }              ///< the other side, where there is one
    const std::optional<FoundElement>& element() const { return element_; }  ///< where it is about one element

private:
    FindingKind kind_;
    Side found_;
    std::optional<Side> other_;
    std::optional<FoundElement> element_;
};

std::string place(const std::source_location&);  ///< "ecr1_kernel.h:43"
std::string name_of(const Index3& thread);       ///< "thread (0,1,0)"
std::string name_of_block(const Dim3&);          ///< "block (0,1,0)"

}  // namespace convscope::simt
