// Where each named widget was drawn in the last frame, so that a test or the tour can point at it as a user would.
#pragma once

#include <imgui.h>

#include <map>
#include <string>

#include "app/ui/input/focus.h"
#include "app/ui/input/reader_report.h"

namespace convscope::app {

struct ItemRect {
    ImVec2 min, max;
    ImVec2 centre() const { return {(min.x + max.x) / 2, (min.y + max.y) / 2}; }
};

class ItemRegistry {
public:
    /// The registry that panels write to; null (the default) costs one comparison per widget.
    static inline ItemRegistry* active = nullptr;

    void clear() { items_.clear(); }
    void add(const std::string& name, ImVec2 min, ImVec2 max) { items_[name] = {min, max}; }
    const std::map<std::string, ItemRect>& items() const { return items_; }

private:
    std::map<std::string, ItemRect> items_;
};

/// Makes a registry the active one for a scope.
class ScopedItemRegistry {
public:
    explicit ScopedItemRegistry(ItemRegistry& registry) { ItemRegistry::active = &registry; }
    ~ScopedItemRegistry() { ItemRegistry::active = nullptr; }
    ScopedItemRegistry(const ScopedItemRegistry&) = delete;
    ScopedItemRegistry& operator=(const ScopedItemRegistry&) = delete;
};

/// Names the place of what was just drawn, for tests.
inline void register_rect(const char* name) {
    if (ItemRegistry::active) ItemRegistry::active->add(name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

/// Names the control that was just submitted: "workload/h". From here it is known to the keyboard and to a screen
/// reader.
inline void register_item(const char* name, const Control& control) {
    focus_order().add(name, control);
    if (ReaderReport::active) ReaderReport::active->add(control);
    register_rect(name);
}

}  // namespace convscope::app
