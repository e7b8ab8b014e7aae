#include "app/accessibility/atk_node.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

namespace convscope::app {
namespace {

struct Object {
    AtkObject parent;
    AtkNode* node;
};

AtkNode* node_of(void* object) {
    return static_cast<Object*>(object)->node;
}

bool takes_text(ControlRole role) {
    return role == ControlRole::field || role == ControlRole::number;
}

bool can_be_pressed(ControlRole role) {
    return role != ControlRole::text && role != ControlRole::array && !holds_others(role);
}

/// The text of a node that a reader reads letter by letter.
const std::string& text_of(const AtkNode& node) {
    return node.shown.role == ControlRole::text ? node.shown.name : node.shown.value;
}

AtkRole role_of(ControlRole role) {
    switch (role) {
        case ControlRole::button:
            return ATK_ROLE_PUSH_BUTTON;
        case ControlRole::check_box:
            return ATK_ROLE_CHECK_BOX;
        case ControlRole::tab:
            return ATK_ROLE_PAGE_TAB;
        case ControlRole::option:
            return ATK_ROLE_RADIO_BUTTON;
        case ControlRole::field:
            return ATK_ROLE_ENTRY;
        case ControlRole::number:
            return ATK_ROLE_SPIN_BUTTON;
        case ControlRole::list:
            return ATK_ROLE_COMBO_BOX;
        case ControlRole::list_item:
            return ATK_ROLE_LIST_ITEM;
        case ControlRole::menu_item:
            return ATK_ROLE_MENU_ITEM;
        case ControlRole::edge:
            return ATK_ROLE_SEPARATOR;
        case ControlRole::image:
        case ControlRole::array:
            return ATK_ROLE_IMAGE;
        case ControlRole::scroll:
            return ATK_ROLE_SCROLL_PANE;
        case ControlRole::text:
            return ATK_ROLE_LABEL;
        case ControlRole::panel:
            return ATK_ROLE_PANEL;
        case ControlRole::dialog:
            return ATK_ROLE_DIALOG;
        case ControlRole::popup:
            return ATK_ROLE_POPUP_MENU;
        case ControlRole::unknown:
            break;
    }
    return ATK_ROLE_UNKNOWN;
}

/// The state that 'on' is, for a role. ATK_STATE_INVALID: none.
AtkStateType state_of_on(ControlRole role) {
    switch (role) {
        case ControlRole::check_box:
        case ControlRole::option:
            return ATK_STATE_CHECKED;
        case ControlRole::tab:
        case ControlRole::list_item:
            return ATK_STATE_SELECTED;
        case ControlRole::list:
            return ATK_STATE_EXPANDED;
        default:
            return ATK_STATE_INVALID;
    }
}

void send(void* object, ReaderRequest::Kind kind, std::string text = {}) {
    if (const AtkNode* node = node_of(object)) node->scene->request({kind, node->shown.id, std::move(text)});
}

// Functions that every object has.

gint child_count(AtkObject* object) {
    const AtkNode* node = node_of(object);
    return node ? static_cast<gint>(node->children.size()) : 0;
}

AtkObject* child_at(AtkObject* object, gint i) {
    const AtkNode* node = node_of(object);
    if (!node || i < 0 || i >= static_cast<gint>(node->children.size())) return nullptr;
    return ATK_OBJECT(g_object_ref(node->children[static_cast<std::size_t>(i)]->object.get()));
}

gint place_in_parent(AtkObject* object) {
    AtkObject* parent = atk_object_get_parent(object);
    if (!node_of(object) || !parent) return -1;
    if (!ATK_IS_COMPONENT(parent)) return 0;  // the application's one window
    const AtkNode* above = node_of(parent);
    if (!above) return -1;
    const auto found = std::ranges::find(above->children, object, [](AtkNode* each) { return each->object.get(); });
    return found == above->children.end() ? -1 : static_cast<gint>(found - above->children.begin());
}

AtkStateSet* states(AtkObject* object) {
    AtkStateSet* set = atk_state_set_new();
    const AtkNode* node = node_of(object);
    if (!node) {
        atk_state_set_add_state(set, ATK_STATE_DEFUNCT);
        return set;
    }
    const ReaderNode& shown = node->shown;
    const auto add = [set](AtkStateType state, bool is) {
        if (is && state != ATK_STATE_INVALID) atk_state_set_add_state(set, state);
    };
    add(ATK_STATE_VISIBLE, true);
    add(ATK_STATE_SHOWING, shown.width > 0 && shown.height > 0);
    add(ATK_STATE_ENABLED, shown.enabled);
    add(ATK_STATE_SENSITIVE, shown.enabled);
    add(ATK_STATE_FOCUSABLE, shown.enabled && can_be_pressed(shown.role));
    add(ATK_STATE_FOCUSED, shown.focused);
    add(ATK_STATE_EDITABLE, takes_text(shown.role));
    add(ATK_STATE_SINGLE_LINE, takes_text(shown.role));
    add(ATK_STATE_SELECTABLE, state_of_on(shown.role) == ATK_STATE_SELECTED);
    add(ATK_STATE_EXPANDABLE, state_of_on(shown.role) == ATK_STATE_EXPANDED);
    add(state_of_on(shown.role), shown.on);
    add(ATK_STATE_ACTIVE, atk_object_get_role(object) == ATK_ROLE_FRAME && node->scene->active);
    return set;
}

void set_up_class(void* g_class, void*) {
    auto* object = static_cast<AtkObjectClass*>(g_class);
    object->get_n_children = child_count;
    object->ref_child = child_at;
    object->get_index_in_parent = place_in_parent;
    object->ref_state_set = states;
}

// Where it is.

void extents(AtkComponent* component, gint* x, gint* y, gint* width, gint* height, AtkCoordType from) {
    const AtkNode* node = node_of(component);
    *x = *y = *width = *height = -1;
    if (!node) return;
    const bool on_screen = from == ATK_XY_SCREEN;
    *x = static_cast<gint>(node->shown.x) + (on_screen ? node->scene->x : 0);
    *y = static_cast<gint>(node->shown.y) + (on_screen ? node->scene->y : 0);
    *width = static_cast<gint>(node->shown.width);
    *height = static_cast<gint>(node->shown.height);
}

gboolean grab_focus(AtkComponent* component) {
    const AtkNode* node = node_of(component);
    if (!node || !node->shown.enabled || !can_be_pressed(node->shown.role)) return FALSE;
    send(component, ReaderRequest::Kind::focus);
    return TRUE;
}

void set_up_component(void* g_interface, void*) {
    auto* component = static_cast<AtkComponentIface*>(g_interface);
    component->get_extents = extents;
    component->grab_focus = grab_focus;
}

// The actions of an object.

gboolean press(AtkAction* action, gint i) {
    const AtkNode* node = node_of(action);
    if (!node || i != 0 || !node->shown.enabled) return FALSE;
    send(action, ReaderRequest::Kind::press);
    return TRUE;
}

void set_up_action(void* g_interface, void*) {
    auto* action = static_cast<AtkActionIface*>(g_interface);
    action->do_action = press;
    action->get_n_actions = [](AtkAction*) { return 1; };
    action->get_name = [](AtkAction* of, gint i) -> const gchar* {
        const AtkNode* node = node_of(of);
        return i != 0 || !node ? nullptr : takes_text(node->shown.role) ? "activate" : "press";
    };
}

// The text of an object.

gchar* part_of_text(const std::string& text, glong from, glong to) {
    const glong letters = g_utf8_strlen(text.c_str(), -1);
    to = to < 0 ? letters : std::min(to, letters);
    from = std::clamp<glong>(from, 0, to);
    return g_utf8_substring(text.c_str(), from, to);
}

/// A letter, a word, or else the whole text, which is one line.
gchar* piece_at(AtkText* of, gint offset, AtkTextGranularity piece, gint* start, gint* end) {
    const AtkNode* node = node_of(of);
    const std::string text = node ? text_of(*node) : std::string();
    const gint letters = static_cast<gint>(g_utf8_strlen(text.c_str(), -1));
    *start = 0;
    *end = letters;
    if (piece == ATK_TEXT_GRANULARITY_CHAR) {
        *start = std::clamp(offset, 0, letters);
        *end = std::min(*start + 1, letters);
    } else if (piece == ATK_TEXT_GRANULARITY_WORD) {
        const auto is_space = [&text](gint i) {
            return g_unichar_isspace(g_utf8_get_char(g_utf8_offset_to_pointer(text.c_str(), i))) != 0;
        };
        *start = *end = std::clamp(offset, 0, letters);
        while (*start > 0 && !is_space(*start - 1)) --*start;
        while (*end < letters && !is_space(*end)) ++*end;
    }
    return part_of_text(text, *start, *end);
}

void set_up_text(void* g_interface, void*) {
    auto* text = static_cast<AtkTextIface*>(g_interface);
    text->get_text = [](AtkText* of, gint from, gint to) {
        const AtkNode* node = node_of(of);
        return node ? part_of_text(text_of(*node), from, to) : g_strdup("");
    };
    text->get_character_count = [](AtkText* of) {
        const AtkNode* node = node_of(of);
        return node ? static_cast<gint>(g_utf8_strlen(text_of(*node).c_str(), -1)) : 0;
    };
    text->get_character_at_offset = [](AtkText* of, gint i) -> gunichar {
        const AtkNode* node = node_of(of);
        if (!node || i < 0 || i >= g_utf8_strlen(text_of(*node).c_str(), -1)) return 0;
        return g_utf8_get_char(g_utf8_offset_to_pointer(text_of(*node).c_str(), i));
    };
    text->get_caret_offset = [](AtkText* of) { return atk_text_get_character_count(of); };
    text->get_n_selections = [](AtkText*) { return 0; };
    text->get_string_at_offset = piece_at;
}

void set_up_editable_text(void* g_interface, void*) {
    static_cast<AtkEditableTextIface*>(g_interface)->set_text_contents = [](AtkEditableText* of, const gchar* text) {
        send(of, ReaderRequest::Kind::set_value, text);
    };
}

double number_of(const std::string& text) {
    double number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

void set_up_value(void* g_interface, void*) {
    auto* value = static_cast<AtkValueIface*>(g_interface);
    value->get_value_and_text = [](AtkValue* of, gdouble* number, gchar** text) {
        const AtkNode* node = node_of(of);
        *number = node ? number_of(node->shown.value) : 0;
        if (text) *text = node ? g_strdup(node->shown.value.c_str()) : nullptr;
    };
    value->set_value = [](AtkValue* of, gdouble number) {
        char text[32];
        const auto written = std::to_chars(text, text + sizeof text, number);
        send(of, ReaderRequest::Kind::set_value, std::string(text, written.ptr));
    };
}

/// One of the types below: ATK asks the type which interfaces there are.
GType make_type(const char* name, GType parent,
                std::initializer_list<std::pair<GType, GInterfaceInitFunc>> interfaces) {
    GTypeInfo info{};
    info.class_size = sizeof(AtkObjectClass);
    info.class_init = set_up_class;
    info.instance_size = sizeof(Object);
    const GType type = g_type_register_static(parent, name, &info, GTypeFlags{});
    for (const auto& [interface, set_up] : interfaces) {
        const GInterfaceInfo how{set_up, nullptr, nullptr};
        g_type_add_interface_static(type, interface, &how);
    }
    return type;
}

GType type_of(ControlRole role, bool window) {
    static const GType plain = make_type("ConvscopeNode", ATK_TYPE_OBJECT, {{ATK_TYPE_COMPONENT, set_up_component}});
    static const GType frame = make_type("ConvscopeFrame", plain, {{ATK_TYPE_WINDOW, nullptr}});
    static const GType text = make_type("ConvscopeText", plain, {{ATK_TYPE_TEXT, set_up_text}});
    static const GType button = make_type("ConvscopeButton", plain, {{ATK_TYPE_ACTION, set_up_action}});
    static const GType list = make_type("ConvscopeList", button, {{ATK_TYPE_TEXT, set_up_text}});
    static const GType field = make_type("ConvscopeField", list, {{ATK_TYPE_EDITABLE_TEXT, set_up_editable_text}});
    static const GType number = make_type("ConvscopeNumber", field, {{ATK_TYPE_VALUE, set_up_value}});
    if (window) return frame;
    switch (role) {
        case ControlRole::text:
        case ControlRole::array:
            return text;
        case ControlRole::panel:
        case ControlRole::dialog:
        case ControlRole::popup:
            return plain;
        case ControlRole::list:
        case ControlRole::image:
            return list;
        case ControlRole::field:
            return field;
        case ControlRole::number:
            return number;
        default:
            return button;
    }
}

void tell_value(AtkObject* object, const std::string& before, const std::string& after) {
    if (ATK_IS_TEXT(object)) {
        if (!before.empty())
            g_signal_emit_by_name(object, "text-remove", 0, static_cast<gint>(g_utf8_strlen(before.c_str(), -1)),
                                  before.c_str());
        if (!after.empty())
            g_signal_emit_by_name(object, "text-insert", 0, static_cast<gint>(g_utf8_strlen(after.c_str(), -1)),
                                  after.c_str());
    }
    if (ATK_IS_VALUE(object)) g_signal_emit_by_name(object, "value-changed", number_of(after), after.c_str());
}

}  // namespace

AtkObjectOwner make_atk_object(AtkNode& node, bool window) {
    auto* object = ATK_OBJECT(g_object_new(type_of(node.shown.role, window), nullptr));
    reinterpret_cast<Object*>(object)->node = &node;
    atk_object_set_role(object, window ? ATK_ROLE_FRAME : role_of(node.shown.role));
    atk_object_set_name(object, node.shown.name.c_str());
    atk_object_set_description(object, node.shown.meaning.c_str());
    return AtkObjectOwner(object);
}

void forget_node(AtkObject* object) {
    reinterpret_cast<Object*>(object)->node = nullptr;
    atk_object_notify_state_change(object, ATK_STATE_DEFUNCT, TRUE);
}

void show_in(AtkNode& node, const ReaderNode& now) {
    AtkObject* object = node.object.get();
    const ReaderNode before = std::exchange(node.shown, now);
    if (before.name != now.name) atk_object_set_name(object, now.name.c_str());
    if (before.meaning != now.meaning) atk_object_set_description(object, now.meaning.c_str());
    if (before.value != now.value) tell_value(object, before.value, now.value);
    const auto tell = [object](AtkStateType state, bool was, bool is) {
        if (was != is && state != ATK_STATE_INVALID) atk_object_notify_state_change(object, state, is);
    };
    tell(state_of_on(now.role), before.on, now.on);
    tell(ATK_STATE_ENABLED, before.enabled, now.enabled);
    tell(ATK_STATE_SENSITIVE, before.enabled, now.enabled);
    tell(ATK_STATE_FOCUSED, before.focused, now.focused);
}

}  // namespace convscope::app
