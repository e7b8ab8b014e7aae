// A module that cannot be used costs its methods and one sentence, never the program.
#include "kernels/registry/modules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <filesystem>

#include "kernels/core/error.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope {
namespace {

namespace fs = std::filesystem;

std::string open_test_module(const char* fault) {
    Registry registry;
    return open_module(fs::path(TEST_MODULES) / (std::string("test_module_") + fault + ".so"), registry);
}

TEST(Modules, pass_on_the_reason_of_a_module_that_rejects) {
    EXPECT_EQ(open_test_module("rejects"), "the test does not want to");
}

TEST(Modules, survive_a_module_that_throws) {
    EXPECT_EQ(open_test_module("throws"), "test_module_throws.so failed to start: the test threw this");
}

TEST(Modules, reject_a_library_that_is_no_module) {
    EXPECT_EQ(open_test_module("empty"),
              "test_module_empty.so is not a module of this program: it has no convscope_register");
}

TEST(Modules, quote_the_loader_for_a_file_that_is_no_library) {
    const TempFolder folder;
    const fs::path file =
        folder.write("no_library.so", "this is text, not a shared library, and long enough to be read as a header\n");
    Registry registry;
    const std::string reason = open_module(file, registry);
    EXPECT_EQ(reason.rfind("no_library.so cannot be loaded: ", 0), 0U) << reason;
    EXPECT_NE(reason.find("invalid ELF header"), std::string::npos) << reason;
}

TEST(Modules, quote_the_loader_for_a_file_that_is_missing) {
    Registry registry;
    const std::string reason = open_module(fs::path(TEST_MODULES) / "missing.so", registry);
    EXPECT_NE(reason.find("No such file or directory"), std::string::npos) << reason;
}

TEST(Modules, say_why_there_are_no_compiled_methods) {
    const fs::path folder(TEST_MODULES);
    std::string reason;
    EXPECT_EQ(open_compiled_methods(folder / "test_module_throws.so", reason), nullptr);
    EXPECT_EQ(reason, "test_module_throws.so failed to start: the test threw this, too");
    EXPECT_EQ(open_compiled_methods(folder / "test_module_empty.so", reason), nullptr);
    EXPECT_EQ(reason.rfind("test_module_empty.so cannot be loaded: ", 0), 0U) << reason;
    EXPECT_NE(reason.find("convscope_compiled_methods"), std::string::npos) << reason;
    EXPECT_EQ(open_compiled_methods(folder / "missing.so", reason), nullptr);
    EXPECT_NE(reason.find("No such file or directory"), std::string::npos) << reason;
}

TEST(Modules, account_for_every_gpu) {
    const auto registry = make_registry();
    std::size_t gpus = 0;
    for (const DeviceInfo* info : registry->devices()) {
        if (info->kind != DeviceKind::cuda) continue;
        ++gpus;
        if (info->available) {
            EXPECT_FALSE(info->compute_capability.empty());
            EXPECT_GT(info->model.sms, 0);
            // Either the baselines are there, or a sentence says why not.
            EXPECT_NE(info->vendor_version.empty(), info->vendor_reason.empty());
        } else {
            EXPECT_FALSE(info->reason.empty());
            EXPECT_THROW(registry->device(info->id), Error);
        }
    }
    EXPECT_GE(gpus, 1U) << "a machine without a GPU still lists cuda:0, with the reason";
}

TEST(Modules, are_loaded_within_a_second_of_the_processor) {
    const std::clock_t begin = std::clock();
    const auto registry = make_registry();
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    RecordProperty("seconds", std::to_string(seconds));
    EXPECT_LT(seconds, 1);
}

}  // namespace
}  // namespace convscope
