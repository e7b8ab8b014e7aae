// Everything in a session that changes a picture or a measurement, as one value: what a session file holds, and what
// undo brings back but for where one is (navigation.h). The appearance (theme, scale, widths) is not among it: it
// belongs to the desk, not to the work.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/compare/compare_choice.h"
#include "app/session/kernel_choice.h"
#include "app/session/layer_choice.h"
#include "app/session/layout_extras.h"
#include "app/session/record_source.h"
#include "app/session/scene.h"
#include "app/session/step_choice.h"
#include "app/session/sweep_choice.h"
#include "app/session/tab_id.h"
#include "app/session/view_id.h"
#include "kernels/core/launch.h"
#include "kernels/core/timing.h"
#include "kernels/layers/one_map.h"
#include "kernels/layers/workload.h"
#include "visualizers/explain/element.h"

namespace convscope::app {

/// The map and filter of the layer that the layout views show.
struct Selection : MapIndex {
    bool automatic = false;  ///< those that opening_map finds in the layer, once it is built
    bool operator==(const Selection& other) const {
        if (automatic || other.automatic) return automatic == other.automatic;
        return MapIndex::operator==(other);
    }
};

/// The settings of the measurement and of the layouts.
struct Choices {
    WorkloadSpec workload;  ///< as in the fields; may be impossible while it is typed
    Selection selection;
    std::string device;                                    ///< id of the device that measures
    std::string occupancy_model;                           ///< name of a DeviceModel; empty: the device's own
    std::string method;                                    ///< in the launch panel, by hand; empty: automatic
    std::map<std::string, LaunchConfig> launch;            ///< by method id; absent: the method's defaults
    std::optional<std::vector<std::string>> live_methods;  ///< ticked by hand; unset: automatic
    TimingScope scope = TimingScope::kernel;
    CacheMode cache = CacheMode::hot;
    bool operator==(const Choices&) const = default;
};

/// The settings of the Network view.
struct NetworkChoice {
    std::string name;                                 ///< of a network among the presets, or model_name()
    std::string model;                                ///< path of an ONNX model, which may be chosen; empty: none
    std::string input;                                ///< path of the model's input; empty: it is drawn
    std::int64_t n = 1;                               ///< batch
    bool chain = false;                               ///< real outputs forward
    std::optional<std::vector<std::string>> methods;  ///< ticked by hand; unset: what is compared by default
    double timeout_s = 1.5;                           ///< of sampling each method on each layer
    bool operator==(const NetworkChoice&) const = default;
};

/// "net.onnx": what the model is called among the networks; empty where there is none.
std::string model_name(const NetworkChoice&);
inline bool shows_model(const NetworkChoice& choice) {
    return !choice.model.empty() && choice.name == model_name(choice);
}

struct SessionState {
    Choices choices;
    ViewId view = "layout";
    TabId tab = "ecr";
    LayerChoice layer;
    std::array<std::optional<ElementRef>, TabId::count> pinned;  ///< elements that a click keeps lit, by tab
    StepChoice step;
    CompareChoice compare;
    RecordSource records;  ///< that the Compare view shows
    NetworkChoice network;
    SweepChoice sweep;
    PageChoice pages;  ///< of the Layout view
    KernelChoice kernel;
    SavedScenes scenes;  ///< of the session; a scene's own state has none
    bool operator==(const SessionState&) const = default;
};

struct SavedScene {
    std::string title;  ///< may be empty
    SessionState state;
    bool operator==(const SavedScene&) const = default;
};

}  // namespace convscope::app
