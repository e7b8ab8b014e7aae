// A sweep on a thread of its own: the engine of the command line, whose rows and progress the window reads.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "app/session/jobs/sample_gate.h"
#include "app/sweep/sweep_run.h"
#include "kernels/records/csv_file.h"

namespace convscope::app {

class SweepJob {
public:
    /// 'gate' keeps frames out of its samples; both outlive it.
    SweepJob(Registry& registry, SampleGate& gate) : registry_(registry), gate_(gate) {}
    ~SweepJob();
    SweepJob(const SweepJob&) = delete;

    struct Request {
        std::shared_ptr<const SweepPlan> plan;
        std::vector<Record> done;  ///< rows that are not measured again
        std::string csv_path;      ///< each row is on disk there before the next point begins; empty: no file
        std::string own = {};      ///< the plan's kernel of the user's own, "FILE.cu:NAME"; empty: none
        bool resume = false;       ///< what the file has of the plan is not measured again
    };
    /// Measures what of the plan is not there yet. The job before must have ended.
    void start(Request);
    void pause();
    void go_on();
    void cancel();  ///< returns at once; running() becomes false after the sample under way

    bool running() const;
    bool paused() const;
    SweepProgress progress() const;
    std::vector<Record> take_rows();          ///< those since the last call
    std::vector<Record> take_found();         ///< those that the file had
    std::vector<std::string> take_notices();  ///< sentences: what a user should know, and why it ended early

private:
    void run(Request, SweepControl&);
    void measure(Request&, CsvFile*, SweepControl&);
    void read_found(Request&);
    void tell(const std::string& sentence);

    Registry& registry_;
    SampleGate& gate_;
    mutable std::mutex mutex_;  // guards what follows, up to the thread
    bool running_ = false;
    SweepProgress progress_;
    std::vector<Record> rows_, found_;
    std::vector<std::string> notices_;
    std::shared_ptr<SweepControl> control_;
    std::jthread thread_;
};

}  // namespace convscope::app
