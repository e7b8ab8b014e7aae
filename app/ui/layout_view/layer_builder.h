// Prepares the shown array of a whole layer on a thread of its own, image by image: its rows, or what the GPU makes
// them from. What is ready waits until the interface has taken it, so that no more than two images are in host memory.
// The latest request wins.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/session/jobs/latest_job.h"
#include "kernels/layers/layer_layout.h"
#include "visualizers/layers/layer_scene.h"

namespace convscope::app {

/// Two requests are the same when they name the same part of the same array of the same workload.
struct LayerRequest {
    std::shared_ptr<const Workload> workload;
    LayerArray array = LayerArray::x;
    LayerPart part;
    bool operator==(const LayerRequest&) const = default;
};

/// The pieces to build of each image, and the image to begin with.
struct LayerPieces {
    bool inputs = false;           ///< for the GPU to build from; else the words
    std::int64_t first_image = 0;  ///< of the part
    bool operator==(const LayerPieces&) const = default;
};

class LayerBuilder {
public:
    /// 'wake' is called on the builder's thread when there is news; it must be safe to call from any thread.
    explicit LayerBuilder(std::function<void()> wake);
    ~LayerBuilder();

    /// Does nothing when the latest request was the same, of the same pieces.
    void request(const LayerRequest&, const LayerPieces&);
    /// Gives up the request under way; nothing is kept.
    void stop();
    /// The next image of the present request, when it is ready.
    std::optional<LayerPiece> take();
    bool busy() const { return job_.busy(); }
    /// Why the request could not be met, once; empty otherwise.
    std::string take_error() { return job_.take_error(); }

private:
    class Slot;
    struct Request {
        LayerRequest layer;
        LayerPieces pieces;
        std::shared_ptr<Slot> slot;
        bool operator==(const Request& other) const { return slot == other.slot; }
    };
    struct Done {};

    std::shared_ptr<const Done> prepare(const Request&, const std::stop_token&) const;

    std::function<void()> wake_;
    std::optional<Request> request_;
    LatestJob<Request, const Done> job_;
};

}  // namespace convscope::app
