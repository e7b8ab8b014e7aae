// A method's speed-up is over the vendor's best in the same precision. Next to it stands the vendor's best in any.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace convscope::app {

struct CompareData;

/// Rows of the same conditions differ in method and launch alone. Texts are codes of the table; -1: an empty cell.
struct RowConditions {
    double layer, n, zeros, weight_zeros, weight_pattern, seed, source, scope, cache, device;
    auto operator<=>(const RowConditions&) const = default;
};
RowConditions conditions_of(const CompareData&, std::size_t row);

/// The fastest library method on the same layer, batch, data, scope and device, of each row.
class StrongestBaselines {
public:
    void find(const CompareData&);
    std::optional<std::size_t> of(const CompareData&, std::size_t row) const;

private:
    std::map<RowConditions, std::uint32_t> rows_;
};

/// Whether its speed-up would be over itself.
bool is_own_baseline(const CompareData&, std::size_t row);
/// "1.39x cudnn, 0.21x cudnn-fp16", "the baseline, 0.42x cudnn-fp16"; empty of a row without a ratio.
std::string ratio_words(const CompareData&, std::size_t row);

}  // namespace convscope::app
