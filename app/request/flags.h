// The flags that several subcommands and the app's sweep share: what they are called, what they mean, and the values
// that were given.
// Values stay text until they are read, so that a sweep can put one of many into each place.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace convscope {

struct Flag {
    const char* name;         ///< "--stride"
    const char* placeholder;  ///< "N[,N]"
    const char* help;
    bool repeatable = false;
};

std::span<const Flag> workload_flags();
std::span<const Flag> layer_flags();  ///< of a layer, what arrays in files do not say: --stride to --pool-stride
std::span<const Flag> timing_flags();
std::span<const Flag> launch_flags();
std::span<const Flag> user_flags();       ///< --own, --define: a user's own kernel as a method
std::span<const Flag> weight_flags();     ///< of the zeros in w: --weight-sparsity, --weight-pattern
std::span<const Flag> data_file_flags();  ///< --input, --weights
std::span<const Flag> model_flags();      ///< of an ONNX model that is run: --model, --input, --resize, ...
std::span<const Flag> method_flags();     ///< --methods

/// The values given on the command line, by flag.
class FlagValues {
public:
    bool has(std::string_view flag) const;
    /// The value of a flag that was given. Throws Error(usage) when it was given twice.
    const std::string& get(const std::string& flag) const;
    std::string get_or(const std::string& flag, const std::string& otherwise) const;
    std::optional<std::string> get_if(const std::string& flag) const;
    std::vector<std::string> all(const std::string& flag) const;
    void set(const std::string& flag, std::string value) { values_[flag] = {std::move(value)}; }
    void set_all(const std::string& flag, std::vector<std::string> values) { values_[flag] = std::move(values); }
    /// The name of a flag in messages: its own, or the label of its field in the window.
    std::string label(const std::string& flag) const;
    void set_label(const std::string& flag, std::string label) { labels_[flag] = std::move(label); }
    /// The list of a flag's values, for filling in.
    std::vector<std::string>& of(const std::string& flag) { return values_[flag]; }

private:
    std::map<std::string, std::vector<std::string>, std::less<>> values_;
    std::map<std::string, std::string> labels_;
};

}  // namespace convscope
