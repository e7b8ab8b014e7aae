// Completion of a command line in shells, and the manual page.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/app/cli/program.h"

namespace convscope::testing {
namespace {

std::string completed(std::vector<std::string> words) {
    std::vector<std::string> arguments{"complete", "--"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    const Finished finished = run(arguments);
    EXPECT_EQ(finished.status, 0) << finished.err;
    return finished.out;
}

TEST(Complete, subcommands) {
    EXPECT_EQ(completed({"be"}), "bench\n");
    const std::string all = completed({""});
    for (const char* command : {"bench\n", "sweep\n", "list\n", "completion\n"}) expect_contains(all, command);
    EXPECT_EQ(all.find("manual"), std::string::npos);  // not for people
}

TEST(Complete, flags_of_the_subcommand) {
    EXPECT_EQ(completed({"bench", "--sco"}), "--scope\n");
    EXPECT_EQ(completed({"list", "--sco"}), "");
}

TEST(Complete, values_from_what_there_is) {
    EXPECT_EQ(completed({"bench", "--preset", "examples/xu-fig4"}), "examples/xu-fig4\n");
    EXPECT_EQ(completed({"network", "--preset", "vgg"}), "vgg19\nvgg19fc\n");  // networks, not layers
    EXPECT_EQ(completed({"bench", "--cache", ""}), "hot\ncold\n");
    EXPECT_EQ(completed({"list", "n"}), "networks\n");
    EXPECT_EQ(completed({"list", "f"}), "formats\n");
    EXPECT_EQ(completed({"layout", "--format", "bi"}), "bitmap\n");
    EXPECT_EQ(completed({"layout", "--format", "e"}), "ecr\nell\n");
    EXPECT_EQ(completed({"layout", "--of", ""}), "x\nim2col\nw\n");
    expect_contains(completed({"reproduce", "xu2022-t"}), "xu2022-table3\n");
}

TEST(Complete, the_last_entry_of_a_list) {
    expect_contains(completed({"bench", "--methods", "im2col,mec2"}), "im2col,mec2a\n");
    expect_contains(completed({"bench", "--verdict", "im2col", "mec2"}), "mec2a\n");
}

TEST(Complete, leaves_numbers_and_files_to_the_shell) {
    EXPECT_EQ(completed({"bench", "--csv", "x"}), "");
    EXPECT_EQ(completed({"bench", "--h", ""}), "");
}

TEST(Complete, nonsense_is_no_error) {
    EXPECT_EQ(completed({"nothing", "--of", "this"}), "");
    EXPECT_EQ(run({"complete"}).status, 0);
}

TEST(Completion, each_shell_has_its_script) {
    for (const char* shell : {"bash", "zsh", "fish"}) {
        const Finished script = run({"completion", shell});
        EXPECT_EQ(script.status, 0);
        expect_contains(script.out, "convscope complete --");
    }
    const Finished none = run({"completion", "tcsh"});
    EXPECT_EQ(none.status, 2);
    expect_contains(none.err, "'tcsh' is not accepted; give bash, zsh or fish");
}

TEST(Manual, has_every_subcommand_and_its_flags) {
    const Finished manual = run({"manual"});
    EXPECT_EQ(manual.status, 0);
    EXPECT_TRUE(manual.out.starts_with(".TH CONVSCOPE 1"));
    for (const char* part : {"convscope sweep", "\\fB\\-\\-max\\-noise\\fR", "EXIT STATUS", "CONVSCOPE_PRESETS"})
        expect_contains(manual.out, part);
    // A line that begins with a dot is a request to troff: none may come from our texts.
    for (std::size_t at = 0; (at = manual.out.find("\n.", at)) != std::string::npos; ++at)
        EXPECT_TRUE(std::isalpha(static_cast<unsigned char>(manual.out[at + 2]))) << manual.out.substr(at + 1, 20);
}

}  // namespace
}  // namespace convscope::testing
