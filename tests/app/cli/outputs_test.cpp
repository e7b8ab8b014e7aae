#include "app/cli/outputs.h"

#include <gtest/gtest.h>

#include "tests/app/cli/program.h"

namespace convscope::cli {
namespace {

int exit_status(const std::vector<Status>& rows) {
    Outputs outputs{FlagValues{}};
    for (Status status : rows) {
        Record record;
        record.status = status;
        outputs.add(record);
    }
    return outputs.exit_status();
}

TEST(ExitStatus, is_that_of_the_worst_row) {
    EXPECT_EQ(exit_status({Status::passed, Status::passed}), 0);
    EXPECT_EQ(exit_status({Status::passed, Status::incorrect, Status::runtime_error}), 4);
    EXPECT_EQ(exit_status({Status::passed, Status::suspicious}), 4);
    EXPECT_EQ(exit_status({Status::passed, Status::runtime_error}), 5);
    EXPECT_EQ(exit_status({Status::out_of_memory}), 5);
    EXPECT_EQ(exit_status({Status::timeout}), 0);
}

TEST(ExitStatus, counts_wrong_rows_of_an_earlier_run) {
    Record record;
    for (const auto& [status, expected] : {std::pair{Status::incorrect, 4}, {Status::passed, 0}}) {
        record.status = status;
        Outputs outputs{FlagValues{}};
        outputs.found(record);
        EXPECT_EQ(outputs.exit_status(), expected);
    }
}

TEST(ExitStatus, rejected_rows_count_only_when_nothing_ran) {
    EXPECT_EQ(exit_status({Status::passed, Status::not_supported, Status::invalid_config}), 0);
    EXPECT_EQ(exit_status({Status::not_supported, Status::invalid_config}), 2);
    EXPECT_EQ(exit_status({}), 0) << "a sweep that had everything already";
}

TEST(Outputs, keeps_raw_samples_only_for_the_json) {
    const TempFolder folder;
    Record record;
    record.samples_us = {1, 2, 3};
    Outputs without{FlagValues{}};
    without.add(record);
    EXPECT_TRUE(without.records()[0].samples_us.empty());
    FlagValues flags;
    flags.set("--json", folder.write("a.json", "[]  of an earlier run").string());
    Outputs with(flags);
    EXPECT_EQ(testing::read_file(folder / "a.json"), "[]  of an earlier run") << "it stays until the new one is whole";
    with.add(record);
    with.finish();
    EXPECT_NE(testing::read_file(folder / "a.json").find("samples_us"), std::string::npos);
    EXPECT_EQ(with.records()[0].samples_us.size(), 3U);
}

}  // namespace
}  // namespace convscope::cli
