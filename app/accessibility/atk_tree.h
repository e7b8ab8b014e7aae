// Keeps ATK's objects as the scenes are: what came, what went, what changed, what is to be read out.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "app/accessibility/atk_node.h"

namespace convscope::app {

class AtkTree {
public:
    explicit AtkTree(std::function<void(ReaderRequest)>);

    AtkObject* application() { return application_.get(); }
    void show(ReaderScene);

private:
    AtkNode* node_for(const ReaderNode&);
    void place(AtkNode& parent, std::vector<AtkNode*> children);
    void announce(const ReaderScene&);

    AtkContext scene_;
    ReaderScene shown_;
    AtkObjectOwner application_;
    AtkNode window_;
    std::map<std::pair<std::uint32_t, ControlRole>, std::unique_ptr<AtkNode>> nodes_;
};

}  // namespace convscope::app
