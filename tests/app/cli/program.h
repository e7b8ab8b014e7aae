// Runs the real program.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/kernels/files/temp_folder.h"

namespace convscope::testing {

struct Finished {
    int status = -1;  ///< the exit status; 128 + n when signal n ended it
    std::string out, err;
};

/// A run under way. Its output is kept in a folder of its own.
class Program {
public:
    /// 'environment' has entries "NAME=VALUE", added to this process's.
    explicit Program(const std::vector<std::string>& arguments, const std::vector<std::string>& environment = {});
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    void signal(int number) const;
    /// Waits for the end; where it hangs, it is killed, and the test fails.
    Finished wait();

private:
    TempFolder folder_;
    pid_t pid_ = -1;
    bool waited_ = false;
};

Finished run(const std::vector<std::string>& arguments, const std::vector<std::string>& environment = {});

/// Ends with this status and one sentence, which holds 'part'.
void expect_rejected(const std::vector<std::string>& arguments, int status, const std::string& part,
                     const std::vector<std::string>& environment = {});

/// Two methods on the CPU, as soon as there are three samples.
extern const std::vector<std::string> quick_timing;

/// A sweep over many seeds of a tiny layer, two rows each, measured as shortly as can be.
std::vector<std::string> sweep_of_seeds(std::size_t seeds, const std::string& csv,
                                        const std::vector<std::string>& more);

/// How many rows a sweep has told its standard output of.
std::size_t told(const std::string& out);

std::string read_file(const std::filesystem::path&);

/// A .npy file of float32: 'shape' as in the header, "(1, 1, 2, 2)".
std::string npy_bytes(const std::string& shape, const std::vector<float>& values, bool fortran = false,
                      const std::string& type = "<f4");

}  // namespace convscope::testing
