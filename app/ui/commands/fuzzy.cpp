#include "app/ui/commands/fuzzy.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "kernels/core/text.h"

namespace convscope::app {
namespace {

bool begins_word(const std::string& text, std::size_t at) {
    return at == 0 || !std::isalnum(static_cast<unsigned char>(text[at - 1]));
}

/// The word as it stands, best where it begins a word of the text.
std::optional<int> as_it_stands(const std::string& text, const std::string& word) {
    std::optional<int> best;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const int score = (begins_word(text, at) ? 120 : 60) - std::min(static_cast<int>(at), 40);
        best = std::max(best.value_or(score), score);
    }
    return best;
}

/// The letters in order from 'at', preferring those that begin words; nothing when one is missing.
std::optional<int> with_gaps(const std::string& text, const std::string& word, std::size_t at) {
    int score = 30;
    std::size_t from = at;
    for (const char letter : word) {
        const std::size_t next = text.find(letter, from);
        if (next == std::string::npos) return std::nullopt;
        std::size_t chosen = next;
        for (std::size_t i = next; i < text.size() && chosen == next && next != from; ++i)
            if (text[i] == letter && begins_word(text, i)) chosen = i;
        score += begins_word(text, chosen) ? 4 : chosen == from ? 2 : -static_cast<int>(std::min(chosen - from, 8UL));
        from = chosen + 1;
    }
    return score;
}

std::optional<int> score_of(const std::string& text, const std::string& word) {
    if (auto score = as_it_stands(text, word)) return score;
    std::optional<int> best;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != word.front() || !begins_word(text, at)) continue;
        const std::optional<int> score = with_gaps(text, word, at);
        if (score && (!best || *score > *best)) best = score;
    }
    // So many gaps are chance.
    return best && *best > 0 ? best : std::nullopt;
}

}  // namespace

std::optional<int> fuzzy_score(const std::string& text, const std::string& search) {
    const std::string where = lower_case(text);
    std::istringstream words(lower_case(search));
    int total = 0;
    for (std::string word; words >> word;) {
        const std::optional<int> score = score_of(where, word);
        if (!score) return std::nullopt;
        total += *score;
    }
    return total == 0 ? 0 : total - std::min(static_cast<int>(text.size()) / 8, 10);
}

}  // namespace convscope::app
