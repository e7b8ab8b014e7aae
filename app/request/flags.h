// The flags that several subcommands and the app's sweep share: what they are called, what they mean, and the values
// that were given.
// Values stay text until they are read, so that a sweep can put one of many into each place.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace CLI {
class App;
}

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
std::span<const Flag> own_flags();        ///< --own, --define: a user's own kernel as a method
std::span<const Flag> data_file_flags();  ///< --input, --weights
std::span<const Flag> method_flags();     ///< --methods

/// What was given on the command line, by flag.
class FlagValues {
public:
    bool has(const std::string& flag) const;
    /// The value of a flag that was given. Throws Error(usage) when it was given twice.
    const std::string& get(const std::string& flag) const;
    std::string get_or(const std::string& flag, const std::string& otherwise) const;
    std::optional<std::string> get_if(const std::string& flag) const;
    std::vector<std::string> all(const std::string& flag) const;
    void set(const std::string& flag, std::string value) { values_[flag] = {std::move(value)}; }
    void set_all(const std::string& flag, std::vector<std::string> values) { values_[flag] = std::move(values); }

    /// Makes the flags known to a subcommand; CLI11 fills this object, which must outlive the parsing.
    void add_to(CLI::App&, std::span<const Flag>, const std::string& group);

private:
    std::map<std::string, std::vector<std::string>> values_;
};

}  // namespace convscope
