// A session file with every field changed reads and is written as it was before fields stood in lists.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace convscope::app
