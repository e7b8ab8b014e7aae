#include "app/accessibility/atk_tree.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace convscope::app {
namespace {

/// The application: its one child is the window.
struct Application {
    AtkObject parent;
    AtkObject* window;
};

AtkObject* window_of(void* object) {
    return static_cast<Application*>(object)->window;
}

void set_up_application(void* g_class, void*) {
    auto* object = static_cast<AtkObjectClass*>(g_class);
    object->get_n_children = [](AtkObject* of) { return window_of(of) ? 1 : 0; };
    object->ref_child = [](AtkObject* of, gint i) -> AtkObject* {
        return i == 0 && window_of(of) ? ATK_OBJECT(g_object_ref(window_of(of))) : nullptr;
    };
}

AtkObjectOwner make_application() {
    GTypeInfo info{};
    info.class_size = sizeof(AtkObjectClass);
    info.class_init = set_up_application;
    info.instance_size = sizeof(Application);
    static const GType type = g_type_register_static(ATK_TYPE_OBJECT, "ConvscopeApplication", &info, GTypeFlags{});
    auto* object = ATK_OBJECT(g_object_new(type, nullptr));
    atk_object_set_role(object, ATK_ROLE_APPLICATION);
    atk_object_set_name(object, "convscope");
    return AtkObjectOwner(object);
}

/// Text from files need not be UTF-8, which GLib and the bus require.
void make_valid(std::string& text) {
    if (g_utf8_validate_len(text.data(), text.size(), nullptr)) return;
    char* valid = g_utf8_make_valid(text.data(), static_cast<gssize>(text.size()));
    text = valid;
    g_free(valid);
}

}  // namespace

AtkTree::AtkTree(std::function<void(ReaderRequest)> request) : application_(make_application()) {
    scene_.request = std::move(request);
    window_.scene = &scene_;
    window_.shown.name = "convscope";
    window_.shown.role = ControlRole::panel;
    window_.object = make_atk_object(window_, true);
    atk_object_set_parent(window_.object.get(), application_.get());
    reinterpret_cast<Application*>(application_.get())->window = window_.object.get();
}

void AtkTree::show(ReaderScene scene) {
    for (ReaderNode& each : scene.nodes)
        for (std::string* text : {&each.name, &each.meaning, &each.value}) make_valid(*text);
    scene_.x = scene.x;
    scene_.y = scene.y;
    window_.shown.width = static_cast<float>(scene.width);
    window_.shown.height = static_cast<float>(scene.height);
    const bool was_active = std::exchange(scene_.active, scene.active);
    std::map<std::uint32_t, std::vector<AtkNode*>> inside;  // by parent
    std::map<AtkNode*, const ReaderNode*> now;
    for (const ReaderNode& each : scene.nodes) {
        AtkNode* node = node_for(each);
        if (now.emplace(node, &each).second) inside[each.parent].push_back(node);
    }
    place(window_, inside[0]);
    for (const auto& [key, node] : nodes_)
        place(*node, now.contains(node.get()) && holds_others(node->shown.role) ? inside[node->shown.id]
                                                                                : std::vector<AtkNode*>());
    std::erase_if(nodes_, [&](const auto& each) {
        if (now.contains(each.second.get())) return false;
        forget_node(each.second->object.get());
        return true;
    });
    if (was_active != scene.active) {
        AtkObject* window = window_.object.get();
        g_signal_emit_by_name(window, scene.active ? "activate" : "deactivate");
        atk_object_notify_state_change(window, ATK_STATE_ACTIVE, scene.active);
    }
    // After the tree is whole: a listener looks around.
    for (const auto& [node, shown] : now) show_in(*node, *shown);
    announce(scene);
    shown_ = std::move(scene);
}

/// A control that takes another role is another control.
AtkNode* AtkTree::node_for(const ReaderNode& each) {
    std::unique_ptr<AtkNode>& node = nodes_[{each.id, each.role}];
    if (!node) {
        node = std::make_unique<AtkNode>();
        node->shown = each;
        node->shown.focused = false;  // so that it is told
        node->scene = &scene_;
        node->object = make_atk_object(*node, false);
    }
    return node.get();
}

/// Tells of children that went and came. Most frames neither did.
void AtkTree::place(AtkNode& parent, std::vector<AtkNode*> children) {
    if (parent.children == children) return;
    const std::set<AtkNode*> after(children.begin(), children.end());
    for (std::size_t i = parent.children.size(); i-- > 0;) {
        AtkNode* child = parent.children[i];
        if (after.contains(child)) continue;
        parent.children.erase(parent.children.begin() + static_cast<std::ptrdiff_t>(i));
        g_signal_emit_by_name(parent.object.get(), "children-changed::remove", static_cast<guint>(i),
                              child->object.get(), nullptr);
    }
    const std::set<AtkNode*> before(parent.children.begin(), parent.children.end());
    parent.children = std::move(children);
    for (std::size_t i = 0; i < parent.children.size(); ++i) {
        AtkNode* child = parent.children[i];
        if (before.contains(child)) continue;
        atk_object_set_parent(child->object.get(), parent.object.get());
        g_signal_emit_by_name(parent.object.get(), "children-changed::add", static_cast<guint>(i), child->object.get(),
                              nullptr);
    }
}

/// Announces text that was not in the scene before.
void AtkTree::announce(const ReaderScene& scene) {
    if (shown_.nodes.empty() || g_signal_lookup("announcement", ATK_TYPE_OBJECT) == 0) return;  // ATK before 2.46
    for (const ReaderNode& each : scene.nodes) {
        if (!each.live) continue;
        const bool said = std::ranges::any_of(shown_.nodes, [&](const ReaderNode& before) {
            return before.live && before.id == each.id && before.name == each.name;
        });
        if (!said) g_signal_emit_by_name(window_.object.get(), "announcement", each.name.c_str());
    }
}

}  // namespace convscope::app
