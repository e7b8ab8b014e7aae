// Reads from a kernel's text which of its names are constants, and which get a value that a trace records. No ImGui.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace convscope {

/// A function's text: its lines, and what is declared between them.
class KernelText {
public:
    /// The function whose head is in this line of the text, from 1; line 0, or none there: an empty one.
    KernelText(std::string_view text, unsigned head);

    bool holds(unsigned line) const { return first_ <= line && line <= last_; }
    /// The expression of a whole-number constant: "shape.r * shape.s" of 'const int window = shape.r * shape.s;'. Null
    /// for any other name, and for one that is declared more than once.
    const std::string* constant(const std::string& name) const;
    /// Whether anything of this name is declared here, parameters included.
    bool declares(const std::string& name) const { return declared_.contains(name); }

private:
    unsigned first_ = 1, last_ = 0;
    std::map<std::string, std::string> constants_;
    std::set<std::string> declared_;
};

/// A name that a line gives the result of its only fmaf, or the element that its only subscript reads.
struct GivenName {
    std::string name;
    bool by_product = false;  ///< else by a load
    bool whole = false;       ///< it is declared here as an int: of a real number it takes the whole part alone
};
std::optional<GivenName> given_name(std::string_view line);

/// The text with blanks in place of comments: every character stays where it is.
std::string without_comments(std::string_view text);

}  // namespace convscope
