// Between a lesson and the session: carries out 'show' blocks, and tells the live state that expressions ask for.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "app/lessons/facts.h"
#include "app/session/session.h"
#include "app/ui/widgets/frame.h"

namespace convscope::app {

class StepView;

/// Changes the session as the block says; a running measurement is stopped or started by 'run'. With 'own_layer' the
/// workload stays. What cannot be done becomes a notice.
void carry_out(Frame&, const lessons::Show&, bool own_layer);

/// The state that every lesson begins in: the first screen with nothing lit, on the own device, or with the own layer.
/// Without the user's block rows, breakpoints and watches: the lesson's 'show' sets those that its questions are about.
void begin_again(Frame&, const SessionState& own, bool own_layer);

/// Pins the element that a 'point' means, in the tab that shows it. False while it is not there.
bool pin(Session&, const lessons::Pointed&);

/// The measurements made while a lesson is open, by method and timing scope: of one workload on one device, each of the
/// launch configuration that the method has now.
class SeenRecords {
public:
    /// Once a frame.
    void update(const Frame&);
    void forget() { records_.clear(); }
    const lessons::Measured* find(const Session&, const std::string& method, const std::string& scope) const;

private:
    struct Seen {
        lessons::Measured measured;
        LaunchConfig launch;
    };
    WorkloadSpec workload_;
    std::string device_;
    CacheMode cache_ = CacheMode::hot;
    std::map<std::pair<std::string, std::string>, Seen> records_;
};

/// Where the learner stands. 'settled' is false while a layer or a trace is being made for what is chosen.
lessons::LiveState live_state(const Frame&, const StepView&, const SeenRecords&, bool& settled);

}  // namespace convscope::app
