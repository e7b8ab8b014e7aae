// convscope network: the methods on every layer of a network, or of a model.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include "app/cli/array_folder.h"
#include "app/cli/interrupt.h"
#include "app/cli/model_table.h"
#include "app/cli/network_json.h"
#include "app/cli/network_table.h"
#include "app/cli/outputs.h"
#include "app/cli/read_done_rows.h"
#include "app/cli/status_line.h"
#include "app/cli/subcommand.h"
#include "app/request/numbers.h"
#include "app/request/request.h"
#include "kernels/core/error.h"
#include "kernels/core/text.h"
#include "kernels/files/temporary_folder.h"
#include "kernels/layers/network.h"
#include "kernels/measure/isolated/isolated_measurer.h"
#include "kernels/measure/isolated/layer_measurer.h"
#include "kernels/onnx/model_network.h"

namespace convscope::cli {
namespace {

constexpr Flag network_list[] = {
    {"--preset", "NAME", "a network: convscope list networks; or a preset file of your own, FILE.toml"},
    {"--layers", "A,B,...", "only these layers"},
    {"--n", "N", "batch (as in the preset)"},
    {"--sparsity", "X", "share of zeros in every layer's input, 0 to 1 (the network's profile)"},
    {"--pattern", "NAME", "where the zeros lie: uniform, blobs, channels or pixels (as in the preset)"},
    {"--seed", "N", "the same seed gives the same data everywhere (1)"},
    {"--device", "ID", "cpu, cuda:0 or sim (the first GPU, else the CPU)"},
};

struct NetworkModes {
    bool chain = false;     ///< layers take the output of the layer before them
    bool run_only = false;  ///< run the model and measure nothing
    bool resume = false;    ///< take what the CSV already has
};

InputScaling read_scaling(const FlagValues& flags) {
    InputScaling scaling;
    if (flags.has("--resize")) {
        const std::string& name = flags.get("--resize");
        if (name != "nearest" && name != "bilinear")
            throw Error(ErrorKind::usage, fmt::format("--resize: '{}' is neither nearest nor bilinear", name));
        scaling.resize = name == "nearest" ? Resize::nearest : Resize::bilinear;
    }
    constexpr double max = 1e6, min_std = 1e-6;
    const auto read = [&](const char* flag, double min) {
        std::vector<double> numbers;
        if (flags.has(flag))
            for (const std::string& number : split(flags.get(flag), ','))
                numbers.push_back(parse_real(flag, number, min, max));
        return numbers;
    };
    scaling.mean = read("--mean", -max);
    scaling.std = read("--std", min_std);
    return scaling;
}

/// Describes the layers' arrays, which lie there already, and adds the model's outputs.
void finish_folder(ArrayFolder& out, const ModelNetwork& model) {
    for (const Preset& preset : model.network.layers) {
        const ModelLayer& layer = model.layer(preset);
        const ConvShape& s = layer.shape;
        out.describe(layer.name + "-x", "float32", {s.n, s.c, s.h, s.w},
                     fmt::format("x of {}, (n, c, h, w)", layer.node));
        out.describe(layer.name + "-w", "float32", {s.k, s.group_channels(), s.r, s.s},
                     fmt::format("w of {}, (k, c / groups, r, s)", layer.node));
    }
    for (const ModelOutput& output : model.outputs)
        out.add("output-" + plain_name(output.name), std::span<const float>(output.array.data), output.array.shape,
                fmt::format("the model's output '{}'", output.name));
    out.finish({{"model", model.network.head.title}});
}

/// None where --model is not given.
std::optional<ModelNetwork> read_model(const FlagValues& flags, const NetworkModes& modes, const Interrupt& interrupt,
                                       StatusLine& line, const TemporaryFolder* temporary) {
    if (!flags.has("--model")) {
        for (const Flag& flag : model_flags())
            if (flags.has(flag.name))
                throw Error(ErrorKind::usage, fmt::format("{} goes with --model NET.onnx", flag.name));
        if (modes.run_only) throw Error(ErrorKind::usage, "--run-only goes with --model NET.onnx");
        return {};
    }
    for (const char* flag : {"--preset", "--n", "--sparsity", "--pattern", "--seed"})
        if (flags.has(flag))
            throw Error(ErrorKind::usage,
                        fmt::format("{} does not go with --model: a model has its own layers and data", flag));
    if (modes.chain)
        throw Error(ErrorKind::usage, "--chain does not go with --model, whose layers have their own inputs already");
    for (const char* flag : {"--resize", "--mean", "--std"})
        if (flags.has(flag) && !flags.has("--input"))
            throw Error(ErrorKind::usage, fmt::format("{} is of a picture: it goes with --input FILE", flag));
    if (modes.run_only && flags.has("--csv"))
        throw Error(ErrorKind::usage, "--csv has what is measured: it does not go with --run-only");
    for (const Flag& flag : weight_flags())
        if (modes.run_only && flags.has(flag.name))
            throw Error(ErrorKind::usage, fmt::format("{} is for what is measured: it does not go with --run-only; a "
                                                      "model runs with the weights that it has",
                                                      flag.name));
    std::optional<ArrayFolder> out;
    if (!temporary) out.emplace(flags);
    const std::filesystem::path folder = temporary ? *temporary : std::filesystem::path(flags.get("--out"));
    ModelNetwork model = run_as_network(
        flags.get("--model"), flags.get_or("--input", ""), read_scaling(flags), folder, interrupt.token(),
        [&line](const std::string& layer) { line.show(fmt::format("running the model: {} is done", layer)); });
    line.clear();
    if (out) finish_folder(*out, model);
    return model;
}

Network requested_layers(const Network& network, const FlagValues& flags) {
    return flags.has("--layers") ? take_layers(network, split(flags.get("--layers"), ',')) : network;
}

Network read_preset(const FlagValues& flags, bool chain) {
    if (!flags.has("--preset"))
        throw Error(ErrorKind::usage, "no network: give --preset NAME; 'convscope list networks' names them all");
    Network network = find_network(flags.get("--preset"));
    network = requested_layers(network, flags);
    for (const char* flag : {"--sparsity", "--pattern"})
        if (chain && flags.has(flag))
            throw Error(ErrorKind::usage, fmt::format("{} does not go with --chain: a layer has the zeros that the "
                                                      "layer before it leaves",
                                                      flag));
    const Network named = network;
    for (Preset& layer : network.layers) {
        WorkloadSpec& spec = layer.spec;
        if (flags.has("--n")) spec.shape.n = parse_whole("--n", flags.get("--n"), 1);
        if (flags.has("--seed")) spec.seed = parse_seed("--seed", flags.get("--seed"));
        if (flags.has("--pattern")) spec.source = read_pattern(flags.get("--pattern"));
        if (flags.has("--sparsity")) {
            spec.sparsity = parse_real("--sparsity", flags.get("--sparsity"), 0, 1);
            layer.sparsity_from = SparsityFrom::unsaid;
        }
    }
    draw_where_values_do_not_fit(network, named);
    if (flags.has("--sparsity")) network.head.profile = flags.get("--sparsity") + " in every layer, as requested";
    return network;
}

class NetworkCommand {
public:
    NetworkCommand(const FlagValues& flags, const NetworkModes& modes)
        : registry_(make_registry()),
          device_(read_device(*registry_, flags)),
          folder_(flags.has("--model") && !flags.has("--out") ? std::make_unique<TemporaryFolder>() : nullptr),
          model_(read_model(flags, modes, interrupt_, line_, folder_.get())),
          isolated_(*registry_),
          run_(*registry_, device_, read_plan(flags, modes), measurer()),
          table_(*registry_, device_, run_.plan()),
          outputs_(flags),
          run_only_(modes.run_only) {
        if (modes.resume && !flags.has("--csv"))
            throw Error(ErrorKind::usage, "--resume goes on with a CSV: give --csv FILE");
        if (modes.resume) done_ = read_done_rows(flags.get("--csv"));
    }

    int run() {
        if (model_) print(model_table(*model_, run_.plan().network));
        if (!run_only_) measure();
        const ModelNetwork* const model = model_ ? &*model_ : nullptr;
        outputs_.finish(outputs_.wants_json() ? network_json(run_.plan(), layers_, model) : std::string());
        return interrupt_.requested() ? interrupted_status : outputs_.exit_status();
    }

private:
    using Clock = std::chrono::steady_clock;

    void measure() {
        print(table_.heading());
        for (std::size_t i = 0; i < run_.layers() && !interrupt_.requested(); ++i) {
            layers_.push_back({run_.plan().network.layers[i].times, rows_of(i)});
            print(table_.line(i, layers_.back().rows));
        }
        print(table_.totals(layers_));
    }

    NetworkPlan read_plan(const FlagValues& flags, const NetworkModes& modes) const {
        NetworkPlan plan;
        plan.network = model_ ? requested_layers(model_->network, flags) : read_preset(flags, modes.chain);
        for (Preset& layer : plan.network.layers) {
            read_weight_zeros(flags, layer.spec);
            validate(layer.spec);
        }
        plan.chain = modes.chain;
        plan.options = read_timing(flags, device_);
        if (!flags.has("--methods")) {
            plan.methods = network_methods(*registry_, device_.info().kind);
            return plan;
        }
        for (const Method* method : read_methods(*registry_, device_, flags.get("--methods")))
            plan.methods.push_back(method->info().id);
        return plan;
    }

    /// A GPU's methods run in a process of their own, as a sweep's do.
    NetworkRun::Measurer measurer() {
        if (device_.info().kind != DeviceKind::cuda) return {};
        return layer_measurer(isolated_, device_.info().id);
    }

    std::vector<Record> rows_of(std::size_t layer) {
        announce(layer);
        const NetworkRun::Phase phase = [this](const std::string& what) { line_.show(what); };
        if (!done_.empty())
            if (std::vector<Record> rows = earlier_rows(layer, phase); !rows.empty()) {
                for (const Record& row : rows) outputs_.found(row);
                return rows;
            }
        MeasureSinks sinks;
        sinks.record = [this](const Record& record) { outputs_.add(record); };
        sinks.progress = [this](const Progress& progress) { line_.show(progress); };
        ++measured_;
        return run_.measure(layer, sinks, phase, interrupt_.token());
    }

    /// The layer's rows of an earlier run, or none where one is missing: a ratio needs samples taken in turn, so such a
    /// layer is measured whole.
    std::vector<Record> earlier_rows(std::size_t layer, const NetworkRun::Phase& phase) {
        std::vector<Record> rows;
        for (const Record& planned : run_.planned(layer, phase)) {
            const Record* found = done_.find(planned);
            if (!found) return {};
            rows.push_back(*found);
            rows.back().workload = planned.workload;  // which the CSV does not have
        }
        return rows;
    }

    void announce(std::size_t layer) {
        std::string text = fmt::format("{}/{}", layer + 1, run_.layers());
        if (measured_ > 0) {
            const double spent = std::chrono::duration<double>(Clock::now() - begin_).count();
            const double left = spent / static_cast<double>(measured_) * static_cast<double>(run_.layers() - layer);
            text += left < 90 ? fmt::format(", {:.0f} s left", left) : fmt::format(", {:.0f} min left", left / 60);
        }
        line_.set_prefix(text);
    }

    void print(const std::string& text) {
        line_.clear();
        fmt::print("{}", text);
        std::fflush(stdout);
    }

    const Clock::time_point begin_ = Clock::now();
    const Interrupt interrupt_;
    const std::unique_ptr<Registry> registry_;
    Device& device_;
    StatusLine line_;
    const std::unique_ptr<TemporaryFolder> folder_;  ///< of the files of a model's layers
    const std::optional<ModelNetwork> model_;
    IsolatedMeasurer isolated_;
    NetworkRun run_;
    NetworkTable table_;
    Outputs outputs_;
    const bool run_only_;
    DoneRows done_;
    std::vector<LayerRows> layers_;
    std::size_t measured_ = 0;
};

}  // namespace

Command add_network(CLI::App& program) {
    Subcommand command(program, "network",
                       "measure methods on every layer of a network: times, sums, speed-ups, --csv, --json");
    auto flags = std::make_shared<FlagValues>();
    auto modes = std::make_shared<NetworkModes>();
    command.flags(*flags, network_list, "Network");
    command.flags(*flags, weight_flags(), "Network");
    command.flags(*flags, model_flags(), "Model");
    command.toggle("--run-only", modes->run_only, "run the model, say what its layers saw, measure nothing", "Model");
    command.toggle("--chain", modes->chain, "a layer's input is the output of the layer before it", "Network");
    command.flags(*flags, method_flags(), "Methods");
    command.flags(*flags, timing_flags(), "Timing");
    command.flags(*flags, output_flags(), "Output");
    command.toggle("--resume", modes->resume, "take the layers that the CSV already has", "Output");
    return command.runs([flags, modes] { return NetworkCommand(*flags, *modes).run(); });
}

}  // namespace convscope::cli
