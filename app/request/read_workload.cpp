#include <fmt/format.h>

#include <algorithm>

#include "app/request/numbers.h"
#include "app/request/request.h"
#include "kernels/core/error.h"
#include "kernels/layers/example_zeros.h"
#include "kernels/layers/preset.h"
#include "kernels/layers/shape_fields.h"

namespace convscope {
namespace {

/// True where the padding is 'same', which follows from the shape.
bool read_shape(const FlagValues& flags, ConvShape& shape) {
    bool same = false;
    for (const ShapeKey& key : shape_keys) {
        if (!flags.has(key.flag)) continue;
        const auto numbers = parse_sizes(key.flag, flags.get(key.flag), max_numbers(key), min_of(key));
        same |= numbers.empty();
        if (!numbers.empty()) set_numbers(shape, key, numbers);
    }
    if (flags.has("--h") && !flags.has("--w")) shape.w = shape.h;
    if (flags.has("--r") && !flags.has("--s")) shape.s = shape.r;
    if (flags.has("--pool")) {
        if ((shape.pool_h == 0) != (shape.pool_w == 0))
            throw Error(ErrorKind::usage, fmt::format("--pool: '{}' is not accepted; give sizes of at least 1, or 0",
                                                      flags.get("--pool")));
        if (!flags.has("--pool-stride")) shape.pool_stride = shape.pool_h;
    }
    if (flags.has("--pool-stride") && !shape.pooled())
        throw Error(ErrorKind::usage, "--pool-stride needs a pooling window: give --pool as well");
    return same;
}

void read_data(const FlagValues& flags, WorkloadSpec& spec) {
    if (flags.has("--sparsity")) spec.sparsity = parse_real("--sparsity", flags.get("--sparsity"), 0, 1);
    if (flags.has("--seed")) spec.seed = parse_seed("--seed", flags.get("--seed"));
    if (flags.has("--pattern")) spec.source = read_pattern(flags.get("--pattern"));
    read_weight_zeros(flags, spec);
}

/// A size that is given with a file must be the file's.
void require_same(const FlagValues& flags, const ConvShape& requested, const ConvShape& found) {
    for (const ShapeKey& key : size_keys)
        if (flags.has(key.flag) && requested.*key.first != found.*key.first)
            throw Error(ErrorKind::usage, fmt::format("{} is {}, but the files have {}", key.flag, requested.*key.first,
                                                      found.*key.first));
}

void read_files(const FlagValues& flags, WorkloadSpec& spec) {
    for (const char* flag : {"--sparsity", "--pattern"})
        if (flags.has(flag))
            throw Error(ErrorKind::usage,
                        fmt::format("{} does not go with --input: a file has the zeros it has", flag));
    spec.source = Source::file;
    spec.sparsity = 0;
    spec.input_path = flags.get("--input");
    spec.weights_path = flags.get_or("--weights", "");
    if (spec.weights_path.empty() && !flags.has("--r") && !flags.has("--preset"))
        throw Error(ErrorKind::usage, "--input needs filters: give --weights FILE.npy, or --r and --k");
    const ConvShape found = shape_of_files(spec);
    require_same(flags, spec.shape, found);
    spec.shape = found;
}

/// One of the names that a flag takes.
const std::string& require_name(const char* flag, const std::string& name, const std::vector<std::string>& names) {
    if (std::ranges::count(names, name) == 0)
        throw Error(ErrorKind::usage,
                    fmt::format("{}: '{}' is not accepted; give {}", flag, name, fmt::join(names, ", ")));
    return name;
}

/// Whether it may be called by the preset's name: the same layer, of any batch, and the values of a worked example or a
/// network's own maps as they are. Drawn data are anybody's.
bool is_layer_of(const WorkloadSpec& preset, const WorkloadSpec& spec) {
    ConvShape shape = spec.shape;
    shape.n = preset.shape.n;
    const bool drawn = preset.source != Source::file && preset.source != Source::example;
    const bool as_it_is = spec.source == preset.source && spec.example_x == preset.example_x &&
                          spec.input_path == preset.input_path && spec.weights_path == preset.weights_path;
    return shape == preset.shape && (drawn || as_it_is);
}

}  // namespace

Source read_pattern(const std::string& pattern) {
    return parse_source(require_name("--pattern", pattern, zero_pattern_names()));
}

void read_weight_zeros(const FlagValues& flags, WorkloadSpec& spec) {
    if (flags.has("--weight-pattern"))
        spec.weight_pattern = parse_weight_pattern(
            require_name("--weight-pattern", flags.get("--weight-pattern"), weight_pattern_names()));
    if (flags.has("--weight-sparsity"))
        spec.weight_sparsity = parse_real("--weight-sparsity", flags.get("--weight-sparsity"), 0, 1);
    else if (spec.weight_pattern == WeightPattern::two_of_four)
        spec.weight_sparsity = two_of_four_sparsity;
    else if (spec.weight_pattern != WeightPattern::uniform)
        throw Error(ErrorKind::usage,
                    fmt::format("--weight-pattern {} needs the share of zeros: give --weight-sparsity as well, 0 to 1",
                                to_string(spec.weight_pattern)));
}

WorkloadSpec read_workload(const FlagValues& flags) {
    WorkloadSpec spec;
    spec.name = "custom";
    const bool from_file = flags.has("--input");
    if (flags.has("--preset")) {
        spec = find_preset_or_file(flags.get("--preset")).spec;
    } else if (!from_file && (!flags.has("--h") || !flags.has("--r"))) {
        read_shape(flags, spec.shape);  // a size that is wrong is named first
        throw Error(ErrorKind::usage,
                    "no workload: give --preset NAME (or FILE.toml), or at least --h and --r, or --input FILE.npy with "
                    "--weights");
    }
    if (flags.has("--weights") && !from_file) throw Error(ErrorKind::usage, "--weights goes with --input; give both");
    const WorkloadSpec named = spec;
    const bool same = read_shape(flags, spec.shape);
    read_data(flags, spec);
    if (!from_file) draw_where_values_do_not_fit(spec, named);
    if (spec.source == Source::example && flags.has("--sparsity")) thin_or_fill(spec);
    if (from_file) read_files(flags, spec);
    if (same) pad_same(spec.shape);
    if (!is_layer_of(named, spec)) spec.name = "custom";
    return spec;
}

}  // namespace convscope
