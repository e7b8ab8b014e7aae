// Runs the ONNX model that the session shows on a thread of its own, with the reference, and gives the session the
// network that comes of it. The data of its layers lie in files until the program ends.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/session/jobs/latest_job.h"
#include "app/session/session.h"
#include "kernels/files/temporary_folder.h"

namespace convscope::app {

class ModelRunner {
public:
    /// 'wake' is called on the runner's thread when there is news; it must be safe to call from any thread.
    explicit ModelRunner(std::function<void()> wake);

    /// Once a frame: meets the session's requests and brings Session::model up to date. A run ends where another
    /// network is chosen; a network that has come of one is kept.
    void update(Session&);
    bool busy() const { return job_.busy(); }

private:
    struct Request {
        std::string model, input;
        std::uint64_t run = 0;  ///< grows where the same is run again
        bool operator==(const Request&) const = default;
    };
    struct Done {
        Request request;
        std::shared_ptr<const Network> network;
        std::vector<double> weight_zeros;
    };
    struct Progress {
        std::uint64_t run = 0;  ///< perhaps of one that was given up
        std::string layer;      ///< the last one that has run
    };

    std::shared_ptr<const Done> run(const Request&, const std::stop_token&);
    static void take(Session&, const Done&);
    /// A layer of the model, as of a session that was saved, has its data in files of this run now, pruned as it was:
    /// in place of files of another process, and where 'from_own_files' of an earlier run of this one.
    static void move_layer(Session&, const Done&, bool from_own_files);

    std::function<void()> wake_;
    Request requested_;
    std::uint64_t runs_ = 0;
    std::optional<TemporaryFolder> folder_;  ///< of the job's thread
    std::mutex mutex_;
    Progress progress_;
    LatestJob<Request, const Done> job_;
};

}  // namespace convscope::app
