// Every reader of bytes that the program did not write itself, as a function that takes any. Each accepts them or
// throws Error; whatever else it does is a fault. What a text holds after it was read and written again is checked too.
#pragma once

#include <span>
#include <string_view>

namespace convscope::testing {

struct FuzzedReader {
    const char* name;  ///< of its folder in tests/fuzz/corpus, too
    void (*read)(std::string_view bytes);
};

std::span<const FuzzedReader> file_readers();  ///< of kernels/
std::span<const FuzzedReader> app_readers();   ///< of app/

}  // namespace convscope::testing
