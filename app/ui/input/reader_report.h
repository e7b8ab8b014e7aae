// Collects what the panels draw for a screen reader, and does what its user requests as keys would.
#pragma once

#include <imgui.h>

#include <deque>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "app/accessibility/reader_scene.h"

struct ImGuiLastItemData;
struct ImGuiWindow;

namespace convscope::app {

class ReaderReport {
public:
    /// The report that panels write to; null (the default) costs one comparison per widget.
    static inline ReaderReport* active = nullptr;

    /// After ImGui::NewFrame, before anything is drawn: goes on with what was requested.
    void begin_frame();
    /// A name for the present window, instead of its id.
    void name_panel(const char*);
    /// The control that was just submitted.
    void add(const Control&);
    /// The control that the popup which has just begun belongs to.
    void add_under_popup(const Control&);
    /// The array that was just drawn.
    void array(const std::string& title, const std::string& values);
    /// Describes that control.
    void explain(const std::string&);
    /// A line of text that is drawn in the present window. With the same key it is the same line, changed.
    void text(const std::string& key, const std::string& line);
    /// The line, which may have been the last text, is read out when it appears under this key.
    void announce(const std::string& key, const std::string& line);
    /// Last thing in a frame: all that was drawn.
    const std::vector<ReaderNode>& finish();

    void request(ReaderRequest request) { requests_.push_back(std::move(request)); }
    /// Something is being done: it takes some frames.
    bool busy() const { return !requests_.empty(); }
    /// The reader has gone: what it wanted is dropped, and no key stays down.
    void cancel();

private:
    ReaderNode* panel(const ImGuiWindow&);
    ReaderNode* node_in(const ImGuiWindow&, std::uint32_t id, ControlRole);
    void add(const Control&, const ImGuiWindow&, const ImGuiLastItemData&);
    ReaderNode* find(std::uint32_t id);
    /// The id of a line; a different one where it is taken.
    std::uint32_t id_of(const ImGuiWindow&, const std::string& key) const;
    bool go_on(const ReaderRequest&);
    bool try_again_from(int frame);

    std::vector<ReaderNode> nodes_;
    std::unordered_set<std::uint32_t> ids_;
    std::deque<ReaderRequest> requests_;
    int frame_ = 0;  ///< of the first of them
    int tries_ = 0;  ///< likewise: begun again, after something else came between
};

}  // namespace convscope::app
