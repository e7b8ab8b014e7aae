// libFuzzer's side: the reader that CONVSCOPE_FUZZ names.
#include <cstdint>
#include <cstdlib>
#include <cstring>

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
    reader->read({reinterpret_cast<const char*>(data), size});
    return 0;
}
