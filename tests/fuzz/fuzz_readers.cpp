// libFuzzer's side: the reader that CONVSCOPE_FUZZ names.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "tests/fuzz/readers.h"

namespace {

const convscope::testing::FuzzedReader* chosen() {
    const char* name = std::getenv("CONVSCOPE_FUZZ");
    for (const auto readers : {convscope::testing::file_readers(), convscope::testing::app_readers()})
        for (const auto& reader : readers)
            if (name && std::strcmp(name, reader.name) == 0) return &reader;
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto* const reader = chosen();
    const std::clock_t begin = std::clock();  // of this process: other work on the machine does not count
    reader->read({reinterpret_cast<const char*>(data), size});
    constexpr int max_seconds = 5;
    if (std::clock() - begin > max_seconds * CLOCKS_PER_SEC) {
        std::fprintf(stderr, "ERROR: an input takes over %d s\n", max_seconds);
        std::abort();
    }
    return 0;
}
