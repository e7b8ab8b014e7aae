// A kernel that a session names is not compiled before the user allows it, by real events. A script in the compiler's
// place tells whether one ran.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app/session/file/autosave.h"
#include "app/session/file/session_file.h"
#include "app/session/sweep_axes.h"
#include "tests/app/driver.h"
#include "tests/kernels/files/temp_folder.h"

namespace convscope::app {
namespace {

class KernelOfASession : public ::testing::Test {
protected:
    KernelOfASession() {
        const std::filesystem::path compiler =
            folder_.write("nvcc", "#!/bin/sh\ntouch '" + (folder_ / "compiled").string() + "'\nexit 1\n");
        std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
        setenv("CONVSCOPE_CUDA_COMPILER", compiler.c_str(), 1);
        setenv("RAN", (folder_ / "ran").c_str(), 1);
    }
    ~KernelOfASession() override {
        unsetenv("CONVSCOPE_CUDA_COMPILER");
        unsetenv("RAN");
    }

    /// A session that names such a source, and shows the view. What its kernel takes stands in a macro: to read it,
    /// even a sweep's plan would need the compiler.
    std::filesystem::path session(const std::string& name, const std::string& view) const {
        folder_.write(name,
                      "#define ARRAYS const float* x, const float* w, float* y\n"
                      "__global__ void conv(ARRAYS) { y[0] = x[0] * w[0]; }\n");
        std::string text;
        for (const char c : name) text += c == '\n' ? "\\n" : c == '"' ? "\\\"" : std::string(1, c);
        return folder_.write("stranger.convscope.toml",
                             "version = 1\nview = \"" + view + "\"\n[kernel]\nfile = \"" + text + "\"\n");
    }
    bool compiled() const { return std::filesystem::exists(folder_ / "compiled"); }
    bool settled() {
        app_.frames(5);
        return app_.wait([this] { return !app_.shell().kernel().busy(app_.session()); });
    }

    TempFolder folder_;
    Driver app_;
};

TEST_F(KernelOfASession, a_program_that_the_user_opens_in_the_dialog_may_run_as_one_that_is_dropped) {
    const std::filesystem::path program = folder_.write("program.cu", "int main() { return 0; }\n");
    app_.shell().dialogs().set_asking(Asking::builtin);
    app_.press(Key::o, true);
    app_.frames(5);
    app_.type_into("dialog/path", program.string());
    app_.frames(2);
    EXPECT_EQ(app_.session().kernel.file, program);
    EXPECT_TRUE(may_run_program(app_.session()));
    app_.shell().open(session("mine.cu", "kernel"));
    app_.frames(2);
    EXPECT_FALSE(may_run_program(app_.session())) << "a session's stays untrusted";
}

TEST_F(KernelOfASession, is_compiled_when_the_user_agrees_and_not_before) {
    app_.shell().open(session("mine.cu", "kernel"));
    ASSERT_TRUE(settled());
    EXPECT_EQ(app_.session().kernel.file, folder_ / "mine.cu");
    EXPECT_GE(app_.shell().kernel().source_pane().lines(), 2U) << "there to be read";
    app_.press(Key::space);
    ASSERT_TRUE(settled());
    app_.press(Key::four);
    ASSERT_TRUE(settled());
    EXPECT_NE(why_user_kernel_not_swept(app_.session(), app_.registry()).find("not compiled before you say so"),
              std::string::npos);
    app_.press(Key::seven);
    ASSERT_TRUE(settled());
    EXPECT_FALSE(compiled());
    app_.click("kernel/trust");
    ASSERT_TRUE(app_.wait([this] { return compiled(); }));
    ASSERT_TRUE(settled());
    EXPECT_FALSE(app_.has("kernel/trust"));
}

TEST_F(KernelOfASession, runs_nothing_that_it_is_called) {
    for (const char* name : {"a b.cu", "$(touch $RAN).cu", "`touch $RAN`.cu", "\"; touch $RAN; \".cu",
                             "' touch $RAN '.cu", "\ntouch $RAN\n.cu"}) {
        SCOPED_TRACE(name);
        for (const char* view : {"kernel", "sweep"}) {
            app_.shell().open(session(name, view));
            ASSERT_TRUE(settled());
            EXPECT_FALSE(compiled());
        }
    }
    EXPECT_FALSE(std::filesystem::exists(folder_ / "ran"));
}

TEST_F(KernelOfASession, is_not_trusted_with_another_that_the_user_has_opened) {
    folder_.write("own.cu", "__global__ void own(int* x) { x[0] = 1; }\n");
    app_.shell().open(folder_ / "own.cu");
    ASSERT_TRUE(app_.wait([this] { return compiled(); }));
    ASSERT_TRUE(settled());
    std::filesystem::remove(folder_ / "compiled");
    app_.shell().open(session("mine.cu", "kernel"));
    ASSERT_TRUE(settled());
    EXPECT_TRUE(app_.has("kernel/trust"));
    EXPECT_FALSE(compiled());
    app_.press(Key::z, true);
    ASSERT_TRUE(settled());
    EXPECT_EQ(app_.session().kernel.file, folder_ / "own.cu") << "undo";
    EXPECT_FALSE(app_.has("kernel/trust")) << "what was opened by hand stays trusted";
}

TEST_F(KernelOfASession, that_the_instance_before_ended_with_is_asked_about) {
    session("mine.cu", "kernel");
    SessionState state = state_of(app_.session());
    state.kernel.open((folder_ / "mine.cu").string());
    state.view = "kernel";
    const std::filesystem::path running = folder_ / "state" / "running";
    std::filesystem::create_directories(running);
    write_session(Autosave::last_session(running), {state, "", ""});
    app_.shell().sessions().keep_state_in(folder_ / "state", std::chrono::milliseconds(1));
    app_.shell().sessions().open_last();
    ASSERT_TRUE(settled());
    EXPECT_EQ(app_.session().kernel.file, folder_ / "mine.cu");
    EXPECT_TRUE(app_.has("kernel/trust"));
    EXPECT_FALSE(compiled());
}

}  // namespace
}  // namespace convscope::app
