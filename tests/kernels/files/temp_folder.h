// A folder that lives as long as a test, and what the tests expect of an Error.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>

#include "kernels/core/error.h"

namespace convscope {

class TempFolder {
public:
    TempFolder() {
        static std::atomic<int> count = 0;
        path_ = std::filesystem::temp_directory_path() /
                ("convscope-test-" + std::to_string(getpid()) + "-" + std::to_string(count++));
        std::filesystem::create_directories(path_);
    }
    ~TempFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;

    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

    std::filesystem::path write(const std::string& name, const std::string& bytes) const {
        std::ofstream(path_ / name, std::ios::binary) << bytes;
        return path_ / name;
    }

private:
    std::filesystem::path path_;
};

/// Runs 'action', which must throw an Error of this kind, and returns its sentence.
template <class Action>
std::string error_of(ErrorKind kind, Action action) {
    try {
        action();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), kind) << error.what();
        return error.what();
    }
    ADD_FAILURE() << "no Error was thrown";
    return {};
}

inline void expect_contains(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

}  // namespace convscope
