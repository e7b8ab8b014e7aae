#include "app/session/jobs/model_runner.h"

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <string>
#include <system_error>
#include <utility>

#include "kernels/core/error.h"
#include "kernels/files/user_folders.h"
#include "kernels/onnx/model_network.h"

namespace convscope::app {
namespace {

std::string input_text(const std::string& input) {
    return input.empty() ? "drawn values" : std::filesystem::path(input).filename().string();
}

/// Ends the names of a model's folders, the same in every process: two models may have one file name.
std::string mark_of(const std::string& model) {
    return fmt::format("-{:016x}", std::hash<std::string>()(model));
}

std::filesystem::path folder_of(const WorkloadSpec& layer) {
    return std::filesystem::path(layer.input_path).parent_path();
}

}  // namespace

ModelRunner::ModelRunner(std::function<void()> wake)
    : wake_(std::move(wake)),
      job_([this](const Request& request, const std::shared_ptr<const Done>&,
                  const std::stop_token& stop) { return run(request, stop); },
           wake_) {}

std::shared_ptr<const ModelRunner::Done> ModelRunner::run(const Request& request, const std::stop_token& stop) {
    if (!folder_) folder_.emplace();
    // Layers of an earlier run may be on screen: their files stay.
    const std::filesystem::path folder = *folder_ / fmt::format("{}{}", request.run, mark_of(request.model)).c_str();
    make_folder(folder);
    InputScaling scaling;
    if (is_picture_file(request.input)) scaling.resize = Resize::bilinear;
    const auto layer_done = [&](const std::string& layer) {
        {
            const std::lock_guard lock(mutex_);
            progress_ = {request.run, layer};
        }
        wake_();
    };
    ModelNetwork model;
    try {
        model = run_as_network(request.model, request.input, scaling, folder, stop, layer_done);
        if (stop.stop_requested()) throw Error(ErrorKind::failed, "running the model was stopped");
    } catch (...) {
        std::error_code none;
        std::filesystem::remove_all(folder, none);
        throw;
    }
    Done done{request, nullptr, {}};
    for (const ModelLayer& layer : model.layers) done.weight_zeros.push_back(layer.w_zeros);
    // A network of the presets may have the name of the file without its ending.
    Network network = std::move(model.network);
    network.name = std::filesystem::path(request.model).filename().string();
    for (Preset& layer : network.layers) layer.spec.name = network.name + "/" + layer_name(layer);
    done.network = std::make_shared<const Network>(std::move(network));
    return std::make_shared<const Done>(std::move(done));
}

void ModelRunner::take(Session& session, const Done& done) {
    session.model = {done.network, done.weight_zeros, false, {}};
    session.network.n = done.network->layers.front().spec.shape.n;
    move_layer(session, done, true);
    notify(session, fmt::format("Ran {} on {}: {} layers", done.network->name, input_text(done.request.input),
                                done.network->layers.size()));
}

void ModelRunner::move_layer(Session& session, const Done& done, bool from_own_files) {
    const WorkloadSpec shown = session.choices.workload;
    if (shown.source != Source::file || !folder_of(shown).filename().string().ends_with(mark_of(done.request.model)))
        return;
    for (const Preset& layer : done.network->layers) {
        const bool own = folder_of(shown).parent_path() == folder_of(layer.spec).parent_path();
        if (layer.spec.name != shown.name || layer.spec.input_path == shown.input_path || (own && !from_own_files))
            continue;
        WorkloadSpec spec = layer.spec;
        spec.seed = shown.seed;
        spec.weight_sparsity = shown.weight_sparsity;
        spec.weight_pattern = shown.weight_pattern;
        set_workload(session, spec);
        return;
    }
}

void ModelRunner::update(Session& session) {
    const NetworkChoice& choice = session.network;
    const bool again = std::exchange(session.requested.run_model, false);
    const bool stop = std::exchange(session.requested.stop_model, false);
    if (!shows_model(choice)) {
        // Nothing shows how far it is, and nothing stops it: where it is chosen again, it begins again.
        if (!session.model.running) return;
        job_.cancel({});
        session.model = {};
        requested_ = {};
        return;
    }
    if (stop && session.model.running) job_.cancel(fmt::format("{} was stopped; Space runs it again", choice.name));
    if (std::string error = job_.take_error(); !error.empty()) {
        notify(session, error, true);
        session.model.running = false;
        session.model.state = std::move(error);
    }
    const Request wanted{choice.model, choice.input, runs_};
    if (again || wanted != requested_) {
        requested_ = wanted;
        requested_.run = ++runs_;
        session.model = {};
        session.model.running = true;
        job_.request(requested_);
    }
    const std::shared_ptr<const Done> done = job_.latest();
    if (done && done->request == requested_ && session.model.running) take(session, *done);
    if (!session.model.running) {
        // A session may be opened while its model has run already. What an undo brings back of an earlier run stays.
        if (done && done->request == requested_) move_layer(session, *done, false);
        return;
    }
    const std::lock_guard lock(mutex_);
    const bool any = progress_.run == requested_.run;
    session.model.state = fmt::format("Running {} on {} with the reference{}; Space stops it", choice.name,
                                      input_text(choice.input), any ? ": " + progress_.layer + " is done" : "");
}

}  // namespace convscope::app
