// Everything that the app shows of a user's kernel: what stands in the file, what is wrong with it, what a run of it
// did. Whatever the file holds, there is a result.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "app/program/program_run.h"
#include "app/user_kernel/exercise.h"
#include "app/user_kernel/kernel_call.h"
#include "app/user_kernel/prepared_kernel.h"

namespace convscope::app {

inline constexpr std::size_t max_source_bytes = 1 << 20;

struct KernelCheckRequest {
    KernelCall call;
    std::filesystem::file_time_type saved;  ///< of the file: a later one is checked again
    std::uint64_t run = 0;                  ///< grows when it is to be checked once more
    ptx::WarpTraceRequest traced;           ///< the warp whose steps are kept
    double max_seconds = 60;
    /// For a file with a main() and a call that names no kernel: whether the program may be run, and which launch is
    /// shown, from 1 on; 0: the first with a finding, or else the first.
    bool may_run = false;
    std::size_t launch = 0;
    bool operator==(const KernelCheckRequest&) const;
};

/// In KernelCheckResult::entries of a file that has a main(): all of it.
inline constexpr const char* whole_program = "whole program";

/// A sentence about a line of the file; line 0: about all of it.
struct SourceProblem {
    unsigned line = 0, column = 0;
    std::string sentence;
};

struct KernelCheckResult {
    KernelCall call;
    std::string source;                         ///< empty where it cannot be read
    std::vector<SourceProblem> problems;        ///< why it was not run
    std::vector<std::string> entries;           ///< its kernels, where it compiles; of a program whole_program, too
    bool is_program = false;                    ///< the file has a main(), and the call names no kernel
    std::shared_ptr<const ProgramRun> program;  ///< null where it was not run
    std::optional<KernelCheckRequest> program_requested;  ///< what that is the answer to
    std::size_t launch = 0;                               ///< that is shown, from 1 on; 0: none
    std::string launch_problem;                           ///< why that cannot be run again
    std::unique_ptr<PreparedKernel> prepared;  ///< null where it does not compile; its arrays are as the run left them
    std::optional<ptx::LaunchResult> result;   ///< unset where it was not run
    std::optional<LayerResult> layer;
    std::optional<Exercise> exercise;  ///< that the file says it is of
    std::string unsolved;              ///< of a run of one: what is not right yet; empty: it is solved
    std::string verdict;               ///< of a run; empty: nothing is wrong

    /// Whether the exercise that the file names is solved.
    bool solved() const { return exercise && result && verdict.empty(); }
    const UserKernel& kernel() const { return *prepared->kernel; }
    /// The line of the shown file that a place is in; 0: another file's.
    unsigned line_of(ptx::SourceLine) const;
    /// Counts of each line of the shown file.
    std::map<unsigned, ptx::LineCounts> lines() const;
};

/// Never throws, but for what the host lacks. Stopped, what it gives is of no use.
/// Where 'latest' is of the same program, takes another of its launches without running the program again.
std::shared_ptr<KernelCheckResult> check_kernel(const KernelCheckRequest&, const std::stop_token&,
                                                const KernelCheckResult* latest = nullptr);

/// Reads "FILE:LINE:COLUMN: sentence" and the like, a problem from each line.
std::vector<SourceProblem> problems_in(const std::string& text, const std::filesystem::path& file);

}  // namespace convscope::app
