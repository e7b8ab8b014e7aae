// The glossary of the app is docs/glossary.md.
#include "app/ui/overlays/glossary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/app/driver.h"

namespace convscope::app {
namespace {

TEST(Glossary, reads_terms_with_their_headings_and_other_words) {
    const auto entries = read_glossary(
        "# Glossary\n\nSome words.\n\n## Memory\n\n**L2 cache** (also: L2, cache): Between `SM`s and [memory](a.md).\n"
        "\n## Formats\n\n**Ptr**: Counts: one a window.\n");
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(entries[0].group, "Memory");
    EXPECT_EQ(entries[0].term, "L2 cache");
    EXPECT_EQ(entries[0].also, "L2, cache");
    EXPECT_EQ(entries[0].text, "Between SMs and memory.");
    EXPECT_EQ(entries[1].also, "");
    EXPECT_EQ(entries[1].text, "Counts: one a window.");
    EXPECT_TRUE(is_named(entries[0], "l2"));
    EXPECT_FALSE(is_named(entries[1], "between"));
}

TEST(Glossary, has_every_line_of_the_page_once) {
    std::set<std::string> terms;
    for (const GlossaryEntry& entry : glossary()) {
        EXPECT_FALSE(entry.group.empty()) << entry.term;
        EXPECT_FALSE(entry.text.empty()) << entry.term;
        EXPECT_TRUE(terms.insert(entry.term).second) << entry.term;
    }
    EXPECT_GE(terms.size(), 80U);
    for (const char* term : {"occupancy",   "race",
                             "divergence",  "shuffle",
                             "L1",          "HBM",
                             "cp.async",    "mbarrier",
                             "wgmma",       "cluster",
                             "2:4",         "COO",
                             "ELL",         "BSR",
                             "bitmap",      "NCHW",
                             "dilation",    "groups",
                             "break-even",  "Amdahl's law",
                             "tail effect", "spill",
                             "epilogue",    "GEMV",
                             "roofline",    "arithmetic intensity",
                             "compaction",  "split-K"})
        EXPECT_TRUE(terms.contains(term)) << term;
}

TEST(Glossary, says_what_PECR_stands_for_as_its_paper_does) {
    const auto pecr = std::ranges::find(glossary(), "PECR", &GlossaryEntry::term);
    ASSERT_NE(pecr, glossary().end());
    EXPECT_EQ(pecr->also, "Pooling-pack Extended and Compressed Row");
}

TEST(Glossary, is_searched_as_one_types_and_closed_by_escape) {
    Driver app;
    app.click("toolbar/menu");
    app.frames(2);
    app.click("menu/glossary");
    app.frames(3);
    EXPECT_TRUE(app.has("glossary/thread"));
    app.type("occup");
    app.frames(2);
    EXPECT_TRUE(app.has("glossary/occupancy"));
    EXPECT_FALSE(app.has("glossary/thread"));
    app.press(Key::escape);
    app.frames(2);
    EXPECT_NE(app.session().desktop_state.overlay, Overlay::glossary);
}

}  // namespace
}  // namespace convscope::app
