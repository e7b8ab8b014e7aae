// A session file with every field changed reads and is written as it was before fields stood in lists.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "app/session/file/fields.h"
#include "app/session/file/session_file.h"
#include "kernels/files/text_file.h"

namespace convscope::app {
namespace {

using Compared = std::tuple<const CompareChoice&, const RecordSource&>;

/// Each field differs from the first session's in the state or in its scene.
struct Changed : FieldVisitor {
    void operator()(const Field& field, const auto& first, const auto& state, const auto& scene) const {
        if constexpr (HasFields<std::remove_cvref_t<decltype(first)>>)
            visit_fields(*this, first, state, scene);
        else
            EXPECT_FALSE(first == state && first == scene) << field.key;
    }
    void operator()(const Field&, const Compared& first, const Compared& state, const Compared& scene) const {
        visit_fields(*this, std::get<0>(first), std::get<0>(state), std::get<0>(scene));
        visit_fields(*this, std::get<1>(first), std::get<1>(state), std::get<1>(scene));
    }
};

TEST(SessionFile, of_every_field_is_read_and_written_as_ever) {
    const SessionRead read = read_session(EVERY_FIELD, {});
    EXPECT_TRUE(read.notes.empty());
    ASSERT_EQ(read.file.state.scenes.size(), 1U);
    const SessionState first, &state = read.file.state;
    visit_fields(Changed(), first, state, state.scenes.all()[0].state);
    EXPECT_EQ(session_text(read.file), read_text_file(EVERY_FIELD));
}

TEST(SessionFile, of_the_guide_is_read_and_has_every_key) {
    const std::string guide = read_text_file(SESSIONS_GUIDE), begin = "```toml\n";
    const std::size_t at = guide.find(begin) + begin.size();
    const std::string example = guide.substr(at, guide.find("```", at) - at);
    const SessionRead read = read_session_text(example, "guide.convscope.toml", {});
    EXPECT_TRUE(read.notes.empty()) << read.notes.front();
    std::istringstream lines(read_text_file(EVERY_FIELD));
    for (std::string line; std::getline(lines, line);) {
        const std::size_t key = line.find_first_not_of(' '), end = line.find(" =");
        if (end == std::string::npos) continue;
        EXPECT_NE(guide.find(line.substr(key, end - key)), std::string::npos) << line;
    }
}

}  // namespace
}  // namespace convscope::app
