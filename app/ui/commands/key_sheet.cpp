#include "app/ui/commands/key_sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/ui/commands/commands.h"

namespace convscope::app {
namespace {

/// A key whose effect depends on where the focus or the pointer is, so that it is not a command.
struct Gesture {
    const char *group, *keys, *what;
    std::optional<ViewId> view;
};

const std::vector<Gesture>& gestures() {
    static const std::vector<Gesture> list{
        {"Layout", "Arrows", "Move what is pinned by a cell", ViewId("layout")},
        {"Layout", "Shift+Left/Right", "On to a linked element of another array", ViewId("layout")},
        {"Layout", "Shift+Up/Down", "To the element linked before or after it", ViewId("layout")},
        {"Layout", "Left, Right", "In Solutions: the product before or after", ViewId("layout")},
        {"Layout", "Home, End", "In Solutions: the first or the last product", ViewId("layout")},
        {"Controls", "Enter", "Press it, or type into the field", {}},
        {"Controls", "Space, arrows", "Take hold of a number, then change it", {}},
        {"Controls", "Arrows", "From control to control, and in lists", {}},
        {"Controls", "Wheel", "On a field: one up or down (Shift: ten)", {}},
    };
    return list;
}

std::vector<SheetGroup> sheet(std::optional<ViewId> view) {
    std::vector<SheetGroup> groups;
    auto group = [&groups](const std::string& title) -> SheetGroup& {
        const auto found = std::ranges::find(groups, title, &SheetGroup::title);
        return found != groups.end() ? *found : groups.emplace_back(SheetGroup{title, {}});
    };
    auto shown = [view](const std::optional<ViewId>& of) { return !view || !of || *of == *view; };
    for (const Command& command : commands())
        if (!command.keys.empty() && shown(command.view))
            group(command.group).rows.push_back({command.keys, command.name});
    for (const Gesture& each : gestures())
        if (shown(each.view)) group(each.group).rows.push_back({each.keys, each.what});
    return groups;
}

}  // namespace

std::vector<SheetGroup> key_sheet(ViewId view) {
    return sheet(view);
}

std::vector<SheetGroup> key_sheet() {
    return sheet(std::nullopt);
}

std::string key_sheet_markdown() {
    std::string text =
        "# Keys\n\n"
        "Made from the app's table of commands (`app/ui/commands/commands.cpp`) by its test; F1 shows the same in the "
        "app, with "
        "what the\npresent view is about. Every control can be reached with Tab; Ctrl+K finds every command, preset, "
        "method, device, recorded\nsession and view by a few letters.\n";
    for (const SheetGroup& group : key_sheet()) {
        text += fmt::format("\n## {}\n\n| keys | what they do |\n| --- | --- |\n", group.title);
        for (const SheetRow& row : group.rows) text += fmt::format("| `{}` | {} |\n", row.keys, row.what);
    }
    return text;
}

}  // namespace convscope::app
