// main of the test executables.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

namespace {

/// With --gtest_brief, one line a case: when a case crashes, the last line names it.
class CaseNames : public ::testing::EmptyTestEventListener {
    void OnTestStart(const ::testing::TestInfo& test) override {
        std::printf("%s.%s\n", test.test_suite_name(), test.name());
        std::fflush(stdout);
    }
};

constexpr int skipped_status = 77;  // SKIP_RETURN_CODE of the tests that are not CASES_APART

}  // namespace

#ifdef __SANITIZE_ADDRESS__
/// Modules stay: what OpenGL's driver keeps until the end, which its own data point to, would count as leaked once it
/// is unloaded, and a leak would have no names.
extern "C" int dlclose(void*) {
    return 0;
}
#endif

int main(int count, char** words) {
    // No outcome hangs on who else has the cores; a program that a test starts has it too.
    setenv("CONVSCOPE_WAITS", "none", 0);
    ::testing::InitGoogleTest(&count, words);
    ::testing::UnitTest& tests = *::testing::UnitTest::GetInstance();
    if (::testing::GTEST_FLAG(brief)) tests.listeners().Append(new CaseNames);
    const int status = RUN_ALL_TESTS();
    const bool nothing_ran = tests.skipped_test_count() > 0 && tests.skipped_test_count() == tests.test_to_run_count();
    return status == 0 && nothing_ran ? skipped_status : status;
}
