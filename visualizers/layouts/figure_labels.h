// The small drawings round a grid: titles, row labels, indices, brackets. Positions are screen pixels.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <imgui.h>

#include "visualizers/style/view_style.h"

namespace convscope {

float title_height(bool with_note, const ViewStyle&);
float title_width(const std::string& title, const std::string& note, const ViewStyle&);
void draw_title(ImVec2 at, const std::string& title, const std::string& note, const ViewStyle&);
/// The size of a label on its coloured chip.
ImVec2 label_size(const std::string& label, const ViewStyle&);
/// Ends at 'right_middle'; coloured as a small chip.
void draw_row_label(ImVec2 right_middle, const std::string& label, const Rgba&, const ViewStyle&);
/// A row's number, or a column's standing above it.
void draw_index(ImVec2 at, std::int64_t index, bool row, const ViewStyle&);
/// From 'top' down to 'bottom', open to the right, its label in the middle.
void draw_bracket_left(ImVec2 top, float bottom, const std::string& label, const Rgba&, const ViewStyle&);
/// From 'left' to 'right', open below.
void draw_bracket_above(ImVec2 left, float right, const std::string& label, const Rgba&, const ViewStyle&);
/// Assigns lanes to the labels of brackets: the labels in one lane do not touch.
class LabelRoom {
public:
    explicit LabelRoom(int lanes) : taken_(static_cast<std::size_t>(lanes), -std::numeric_limits<float>::infinity()) {}
    /// Whether a label of this length, along its lane, has room about 'middle'; the room is gone then.
    bool take(int lane, float middle, float length) {
        float& end = taken_[static_cast<std::size_t>(lane)];
        if (middle - length / 2 < end) return false;
        end = middle + length / 2;
        return true;
    }

private:
    std::vector<float> taken_;  ///< by lane, up to where
};
/// 1, 2, 5, 10, 20, ...: the first that is at least this.
double nice_step(double least);

}  // namespace convscope
