// One node of the scene as ATK's object: its role, states, and what a reader may do with it.
#pragma once

#include <atk/atk.h>

#include <functional>
#include <memory>
#include <vector>

#include "app/accessibility/reader_scene.h"

namespace convscope::app {

struct AtkObjectUnref {
    void operator()(AtkObject* object) const { g_object_unref(object); }
};
using AtkObjectOwner = std::unique_ptr<AtkObject, AtkObjectUnref>;

/// Shared by all objects: the whole tree, and the way back for the reader's requests.
struct AtkContext {
    int x = 0, y = 0;     ///< of the window
    bool active = false;  ///< the window has the keyboard
    std::function<void(ReaderRequest)> request;
};

/// The control behind an object. Null once the control is gone: a reader may hold the object for longer.
struct AtkNode {
    ReaderNode shown;
    AtkContext* scene = nullptr;
    AtkObjectOwner object;
    std::vector<AtkNode*> children;
};

/// The object of a node, without a parent. 'window': the frame that holds all.
AtkObjectOwner make_atk_object(AtkNode&, bool window);
/// From here on the object is of a control that is gone.
void forget_node(AtkObject*);
/// Takes over what a node now shows, and tells those who listen what of it is new.
void show_in(AtkNode&, const ReaderNode&);

}  // namespace convscope::app
