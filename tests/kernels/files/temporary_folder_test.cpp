#include "kernels/files/temporary_folder.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "tests/kernels/files/temp_folder.h"

namespace convscope {
namespace {

class TemporaryFolders : public ::testing::Test {
protected:
    TemporaryFolders() { setenv("TMPDIR", (root_ / "").c_str(), 1); }
    ~TemporaryFolders() override { unsetenv("TMPDIR"); }

    /// That of a process that is killed as soon as it has one.
    std::filesystem::path abandoned() const {
        int ends[2] = {};
        EXPECT_EQ(pipe(ends), 0);
        const pid_t child = fork();
        if (child == 0) {
            const TemporaryFolder folder;
            std::ofstream(folder / "said") << "words";
            std::filesystem::create_directory_symlink(root_ / "", folder / ".source");
            const std::string path = std::filesystem::path(folder).string();
            if (write(ends[1], path.data(), path.size()) < 0) _exit(1);
            raise(SIGKILL);
        }
        char path[4096] = {};
        EXPECT_GT(read(ends[0], path, sizeof path - 1), 0);
        for (const int end : ends) close(end);
        waitpid(child, nullptr, 0);
        return path;
    }

    TempFolder root_;
};

TEST_F(TemporaryFolders, go_when_they_are_left) {
    std::filesystem::path path;
    {
        const TemporaryFolder folder;
        path = folder;
        EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms::owner_all);
    }
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(TemporaryFolders, have_plain_names_whatever_TMPDIR_is_or_leads_to) {
    std::filesystem::create_directory(root_ / "$(touch ran)");
    std::filesystem::create_directory_symlink(root_ / "$(touch ran)", root_ / "link");
    std::filesystem::create_directory(root_ / "plain");
    for (const auto& [root, parent] : {std::pair{root_ / "$(touch ran)", std::filesystem::path("/tmp")},
                                       {root_ / "link", "/tmp"},
                                       {root_ / "plain", root_ / "plain"}}) {
        setenv("TMPDIR", root.c_str(), 1);
        EXPECT_EQ(std::filesystem::path(TemporaryFolder()).parent_path(), parent);
    }
}

TEST_F(TemporaryFolders, of_killed_processes_are_removed_and_those_of_living_ones_stay) {
    const std::filesystem::path left = abandoned();
    ASSERT_TRUE(std::filesystem::exists(left));
    const TemporaryFolder living;
    remove_abandoned_folders();
    EXPECT_FALSE(std::filesystem::exists(left));
    EXPECT_TRUE(std::filesystem::exists(living));
    EXPECT_TRUE(std::filesystem::exists(root_ / "")) << "what a link in it led to";
}

TEST_F(TemporaryFolders, that_are_not_ours_alone_stay) {
    const auto named = [&](const std::string& ending) { return root_ / ("convscope-run-" + ending); };
    std::filesystem::create_directory(named("open"));
    std::filesystem::permissions(named("open"), std::filesystem::perms(0755));
    for (const std::filesystem::path& path : {named("others"), root_ / "mine"}) {
        std::filesystem::create_directory(path);
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    }
    const bool anothers = chown(named("others").c_str(), 12345, 12345) == 0;
    std::filesystem::create_directory_symlink(root_ / "mine", named("link"));
    root_.write("convscope-run-file", "");
    remove_abandoned_folders();
    for (const std::string ending : {"open", "link", "file"}) EXPECT_TRUE(std::filesystem::exists(named(ending)));
    EXPECT_TRUE(std::filesystem::exists(root_ / "mine"));
    EXPECT_TRUE(!anothers || std::filesystem::exists(named("others")));
}

}  // namespace
}  // namespace convscope
