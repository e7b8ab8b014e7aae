// Standard streams that are full, closed or read by nobody: they cost what is told there, and never a row.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "kernels/records/csv_file.h"
#include "tests/app/cli/program.h"

namespace convscope {
namespace {

const std::string program = std::string("'") + CONVSCOPE_PROGRAM + "'";

/// The status as a shell has it: 128 + n when signal n ended the last command.
int shell(const std::string& line) {
    const int status = std::system(line.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

class StandardStreams : public ::testing::Test {
protected:
    std::string sweep() const {
        return program + " sweep --device cpu --h 6 --r 3 --seed 1:4:1 --methods im2col,mec2 --timeout 0.01 --csv '" +
               csv_ + "'";
    }
    void expect_all_rows() const {
        const CsvContent content = read_csv(csv_);
        EXPECT_TRUE(content.errors.empty()) << content.errors.front();
        EXPECT_EQ(content.records.size(), 8U);
    }

    const TempFolder folder_;
    const std::string csv_ = (folder_ / "a.csv").string();
};

TEST_F(StandardStreams, a_full_or_closed_stderr_loses_the_sentence_alone) {
    EXPECT_EQ(shell(program + " list nope 2>/dev/full"), 2);
    EXPECT_EQ(shell(program + " list nope 2>&-"), 2);
}

TEST_F(StandardStreams, a_sweep_goes_on_with_a_full_stderr) {
    EXPECT_EQ(shell(sweep() + " >/dev/null 2>/dev/full"), 0);
    expect_all_rows();
}

TEST_F(StandardStreams, a_sweep_goes_on_when_nobody_reads_its_stderr) {
    const std::string status = (folder_ / "status").string();
    shell("{ " + sweep() + "; echo $? >'" + status + "'; } 2>&1 >/dev/null | true");
    EXPECT_EQ(testing::read_file(status), "0\n");
    expect_all_rows();
}

TEST_F(StandardStreams, closed_ones_are_not_taken_for_the_rows) {
    EXPECT_EQ(shell(sweep() + " --quiet <&- >&- 2>&-"), 0);
    expect_all_rows();
}

TEST_F(StandardStreams, a_pipe_without_a_reader_ends_every_command_as_it_ends_any_program) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    close(ends[0]);
    for (const char* command : {"list methods", "--version", "--help", "completion bash"})
        EXPECT_EQ(shell(fmt::format("{} {} >&{}", program, command, ends[1])), 128 + SIGPIPE) << command;
    close(ends[1]);
}

TEST_F(StandardStreams, a_closed_standard_output_is_an_error) {
    EXPECT_EQ(shell(program + " list devices >&- 2>/dev/null"), 6);
}

}  // namespace
}  // namespace convscope
