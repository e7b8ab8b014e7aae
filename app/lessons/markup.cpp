#include "app/lessons/markup.h"

#include <fmt/format.h>
#include <md4c.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "app/lessons/recorded_values.h"
#include "kernels/core/error.h"
#include "kernels/core/text.h"

namespace convscope::lessons {
namespace {

// A live value stands in the Markdown as one letter of the Private Use Area, so that nothing in it is taken for markup.
constexpr char32_t first_mark = 0xE000;
constexpr std::size_t max_marks = 6000;

/// The index of the mark at 'at'; -1 where there is none.
int mark_at(const std::string& text, std::size_t at) {
    if (at + 2 >= text.size()) return -1;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
    if ((byte(0) & 0xF0) != 0xE0) return -1;
    const int code = ((byte(0) & 0x0F) << 12) | ((byte(1) & 0x3F) << 6) | (byte(2) & 0x3F);
    const int index = code - static_cast<int>(first_mark);
    return index >= 0 && index < static_cast<int>(max_marks) ? index : -1;
}

/// The SESSION of recorded_device("SESSION"), the one live value that is a name.
std::optional<std::string> recorded_device_in(const std::string& value) {
    constexpr std::string_view before = "recorded_device(\"", after = "\")";
    if (!value.starts_with(before) || !value.ends_with(after)) return std::nullopt;
    return value.substr(before.size(), value.size() - before.size() - after.size());
}

int lines_before(const std::string& text, std::size_t at) {
    return static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

/// Letters, not bytes, from the start of the line.
int column_of(const std::string& text, std::size_t at) {
    int column = 1;
    for (; at > 0 && text[at - 1] != '\n'; --at) column += (static_cast<unsigned char>(text[at - 1]) & 0xC0) != 0x80;
    return column;
}

/// Where a line like |---|:-:| stands: under the head of a table, wherever md4c would see one.
std::vector<std::size_t> tables(const std::string& text) {
    std::vector<std::size_t> found;
    bool code = false;
    std::size_t before = 0;  // start of the line before
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string line = trimmed(text.substr(at, end - at));
        if (line.starts_with("```")) code = !code;
        const bool rule = line.find('|') != std::string::npos && line.find('-') != std::string::npos &&
                          line.find_first_not_of("|-: ") == std::string::npos;
        if (rule && !code) found.push_back(text.find_first_not_of(" \t", before));
        before = at;
        at = end + 1;
    }
    return found;
}

/// The number and the mark that a line of a list begins with: "32. "; 0 where it begins with something else.
std::size_t number_before(std::string_view line) {
    const std::size_t digits = line.find_first_not_of("0123456789");
    const bool marked = digits != std::string_view::npos && digits > 0 && (line[digits] == '.' || line[digits] == ')');
    return marked && (digits + 1 == line.size() || line[digits + 1] == ' ') ? digits : 0;
}

/// A list has two items: "32. Two rows begin apart." is a sentence.
std::string without_lone_item(std::string text) {
    const std::size_t digits = number_before(text);
    if (digits == 0) return text;
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
        if (number_before(std::string_view(text).substr(at + 1)) > 0) return text;
    return text.insert(digits, 1, '\\');
}

Problem rejection(const std::string& what, Place place) {
    return {place, fmt::format("{} cannot be shown in a lesson; accepted are paragraphs, **bold**, *italic*, `code`, "
                               "code blocks, lists, links and ### headings",
                               what)};
}

/// Takes md4c's events into paragraphs.
class Builder {
public:
    Builder(const std::string& markdown, const std::function<Place(std::size_t)>& place,
            std::vector<std::optional<LiveValue>>& values, Problems& problems)
        : markdown_(markdown), place_(place), values_(values), problems_(problems) {}

    Text run() {
        MD_PARSER parser{};
        parser.flags = MD_FLAG_NOHTML | MD_FLAG_NOINDENTEDCODEBLOCKS | MD_FLAG_LATEXMATHSPANS;
        parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* self) {
            return static_cast<Builder*>(self)->enter(type, detail), 0;
        };
        parser.leave_block = [](MD_BLOCKTYPE type, void*, void* self) {
            return static_cast<Builder*>(self)->leave(type), 0;
        };
        parser.enter_span = [](MD_SPANTYPE type, void* detail, void* self) {
            return static_cast<Builder*>(self)->span(type, detail, true), 0;
        };
        parser.leave_span = [](MD_SPANTYPE type, void* detail, void* self) {
            return static_cast<Builder*>(self)->span(type, detail, false), 0;
        };
        parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* self) {
            return static_cast<Builder*>(self)->text(type, text, size), 0;
        };
        md_parse(markdown_.data(), static_cast<MD_SIZE>(markdown_.size()), &parser, this);
        std::erase_if(text_, [](const Paragraph& each) { return each.runs.empty(); });
        return std::move(text_);
    }

private:
    struct List {
        bool numbered;
        int next;
        bool fresh = false;  ///< an item began and has no paragraph yet
    };

    void enter(MD_BLOCKTYPE type, void* detail) {
        switch (type) {
            case MD_BLOCK_UL:
                lists_.push_back({false, 1});
                break;
            case MD_BLOCK_OL:
                lists_.push_back({true, static_cast<int>(static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start)});
                break;
            case MD_BLOCK_LI:
                lists_.back().fresh = true;
                open(Paragraph::Kind::plain);  // of a tight list no paragraph begins
                break;
            case MD_BLOCK_P:
                open(Paragraph::Kind::plain);
                break;
            case MD_BLOCK_H:
                open(Paragraph::Kind::heading);
                break;
            case MD_BLOCK_CODE:
                open(Paragraph::Kind::code);
                break;
            case MD_BLOCK_QUOTE:
                rejected_.emplace_back("a quotation (>)");
                break;
            case MD_BLOCK_HR:
                rejected_.emplace_back("a rule (---)");
                break;
            default:
                break;
        }
    }

    void leave(MD_BLOCKTYPE type) {
        if (type == MD_BLOCK_UL || type == MD_BLOCK_OL) lists_.pop_back();
        if (type == MD_BLOCK_LI && lists_.back().numbered) ++lists_.back().next;
        if (type == MD_BLOCK_LI || type == MD_BLOCK_UL || type == MD_BLOCK_OL) open(Paragraph::Kind::plain);
        if (type == MD_BLOCK_HR) report(last_);
    }

    /// Begins a paragraph, or takes over one that nothing stands in.
    void open(Paragraph::Kind kind) {
        Paragraph fresh;
        fresh.kind = kind;
        fresh.depth = static_cast<int>(lists_.size());
        if (!lists_.empty() && kind == Paragraph::Kind::plain) {
            fresh.kind = lists_.back().numbered ? Paragraph::Kind::numbered : Paragraph::Kind::bullet;
            fresh.number = lists_.back().next;
            fresh.first = lists_.back().fresh;
        }
        if (!text_.empty() && text_.back().runs.empty())
            text_.back() = std::move(fresh);
        else
            text_.push_back(std::move(fresh));
    }

    void span(MD_SPANTYPE type, void* detail, bool in) {
        if (type == MD_SPAN_STRONG) strong_ += in ? 1 : -1;
        if (type == MD_SPAN_EM) emphasis_ += in ? 1 : -1;
        if (type == MD_SPAN_CODE) code_ += in ? 1 : -1;
        if (type == MD_SPAN_A) {
            const auto& href = static_cast<MD_SPAN_A_DETAIL*>(detail)->href;
            address_ = in ? std::string(href.text, href.size) : "";
        }
        if (type == MD_SPAN_IMG && in) rejected_.emplace_back("a picture");
        const bool display = type == MD_SPAN_LATEXMATH_DISPLAY;
        if (!display && type != MD_SPAN_LATEXMATH) return;
        begin_letters();
        if (in)
            formula_.emplace();
        else if (formula_)
            push_math(*std::exchange(formula_, std::nullopt), display);
    }

    void begin_letters() {
        if (text_.empty()) open(Paragraph::Kind::plain);
        if (!lists_.empty()) lists_.back().fresh = false;
    }

    /// Text that does not read as mathematics is shown as it was written.
    void push_math(const std::string& letters, bool display) {
        const std::string dollars = display ? "$$" : "$";
        // '$5 and $6' has no mathematics.
        if (!display && letters != trimmed(letters)) return add(dollars + letters + dollars);
        MathRun run;
        run.display = display;
        take_apart(
            letters, [&](char letter) { run.source += letter; },
            [&](const LiveValue& live) {
                run.source += math_mark(run.live.size());
                run.live.push_back(live);
            });
        std::string problem;
        if (auto math = parse_math(run.source, problem)) {
            run.math = std::move(*math);
            Run formula;
            formula.math = std::move(run);
            push(std::move(formula));
            return;
        }
        problems_.push_back({last_, "this formula is shown as it is written, dollars included: " + problem, true});
        add(dollars + letters + dollars);
    }

    void text(MD_TEXTTYPE type, const MD_CHAR* letters, MD_SIZE size) {
        std::string piece(letters, size);
        const bool inside = letters >= markdown_.data() && letters <= markdown_.data() + markdown_.size();
        if (inside && type != MD_TEXT_SOFTBR && type != MD_TEXT_BR)
            last_ = place_(static_cast<std::size_t>(letters - markdown_.data()));
        report(last_);
        if (formula_) {
            *formula_ += type == MD_TEXT_SOFTBR || type == MD_TEXT_BR ? " " : piece;
            return;
        }
        if (type == MD_TEXT_SOFTBR) piece.assign(1, ' ');
        if (type == MD_TEXT_BR) piece.assign(1, '\n');
        if (type == MD_TEXT_ENTITY) piece = entity(piece);
        begin_letters();
        add(piece);
    }

    void report(Place place) {
        for (const std::string& what : std::exchange(rejected_, {})) problems_.push_back(rejection(what, place));
    }

    static std::string entity(const std::string& name) {
        for (const auto& [code, letter] : {std::pair{"&amp;", "&"},
                                           {"&lt;", "<"},
                                           {"&gt;", ">"},
                                           {"&quot;", "\""},
                                           {"&nbsp;", "\u00a0"},
                                           {"&times;", "\u00d7"}})
            if (name == code) return letter;
        return name;
    }

    /// Letters, and the live values between them; one that does not read is left out.
    template <class OnLetter, class OnValue>
    void take_apart(const std::string& text, OnLetter on_letter, OnValue on_value) const {
        for (std::size_t i = 0; i < text.size(); ++i) {
            const int index = mark_at(text, i);
            if (index < 0 || index >= static_cast<int>(values_.size())) {
                on_letter(text[i]);
                continue;
            }
            i += 2;
            if (const auto& value = values_[static_cast<std::size_t>(index)]) on_value(*value);
        }
    }

    /// Splits the letters at live values.
    void add(const std::string& piece) {
        std::string plain;
        auto flush = [&] {
            if (!plain.empty())
                push({std::exchange(plain, {}), strong_ > 0, emphasis_ > 0, code_ > 0, {}, {}, address_});
        };
        take_apart(
            piece, [&](char letter) { plain += letter; },
            [&](const LiveValue& live) {
                flush();
                push({"", strong_ > 0, emphasis_ > 0, code_ > 0, live, {}, {}});
            });
        flush();
    }

    void push(Run run) {
        std::vector<Run>& runs = text_.back().runs;
        if (!runs.empty() && !run.live && !run.math && !runs.back().live && !runs.back().math &&
            runs.back().strong == run.strong && runs.back().emphasis == run.emphasis && runs.back().code == run.code &&
            runs.back().address == run.address)
            runs.back().text += run.text;
        else
            runs.push_back(std::move(run));
    }

    const std::string& markdown_;
    const std::function<Place(std::size_t)>& place_;
    Place last_ = place_(0);
    std::vector<std::optional<LiveValue>>& values_;
    Problems& problems_;
    Text text_;
    std::vector<List> lists_;
    std::vector<std::string> rejected_;
    int strong_ = 0, emphasis_ = 0, code_ = 0;
    std::string address_;
    std::optional<std::string> formula_;  ///< that is being read
};

}  // namespace

std::string math_mark(std::size_t index) {
    const auto code = static_cast<unsigned>(first_mark + index);
    return {static_cast<char>(0xE0 | (code >> 12)), static_cast<char>(0x80 | ((code >> 6) & 0x3F)),
            static_cast<char>(0x80 | (code & 0x3F))};
}

std::optional<Expression> TextReader::expression(const std::string& text, Place place) const {
    std::vector<std::string> wrong, doubts;
    const std::optional<std::string> whole = with_lets(text, lets ? *lets : Lets{});
    if (!whole) {
        problems->push_back({place, fmt::format("an expression has {} characters at most, those that [let] puts in "
                                                "included",
                                                max_expression)});
        return std::nullopt;
    }
    auto compiled = Expression::compile(*whole, *registry, wrong, doubts);
    for (std::string& sentence : wrong) problems->push_back({place, std::move(sentence)});
    for (std::string& sentence : doubts) problems->push_back({place, std::move(sentence), true});
    return compiled;
}

Text TextReader::read(const std::string& markdown, int line) const {
    return read(markdown, [&markdown, line](std::size_t at) {
        return Place{line + lines_before(markdown, at), column_of(markdown, at)};
    });
}

Text TextReader::read_value(const std::string& written, Place start) const {
    const std::string markdown = without_lone_item(written);
    return read(markdown, [&markdown, start](std::size_t at) {
        return Place{start.line + lines_before(markdown, at), start.column};
    });
}

std::string TextReader::device_name(const std::string& session, Place place) const {
    try {
        return recorded_device(session);
    } catch (const Error& error) {
        problems->push_back({place, fmt::format("recorded_device: {}", error.what())});
        return {};
    }
}

Text TextReader::read(const std::string& markdown, const std::function<Place(std::size_t)>& place) const {
    for (const std::size_t at : tables(markdown)) problems->push_back(rejection("a table", place(at)));
    std::string plain;
    std::vector<std::optional<LiveValue>> values;
    std::size_t from = 0;
    std::vector<std::pair<std::size_t, std::size_t>> pieces{{0, 0}};  // where what follows a value stands in both texts
    for (std::size_t at = markdown.find("{="); at != std::string::npos; at = markdown.find("{=", from)) {
        plain += markdown.substr(from, at - from);
        const Place here = place(at);
        const std::size_t end = markdown.find('}', at);
        if (end == std::string::npos || values.size() == max_marks) {
            problems->push_back({here, "a live value begins with {= and does not end with }"});
            from = at + 2;
            continue;
        }
        const std::string inside = markdown.substr(at + 2, end - at - 2);
        if (const auto session = recorded_device_in(trimmed(inside))) {
            plain += device_name(*session, here);
            from = end + 1;
            pieces.emplace_back(plain.size(), from);
            continue;
        }
        // In "a || b | .0f" the last bar that stands alone begins the format.
        std::size_t bar = inside.rfind('|');
        if (bar != std::string::npos && bar > 0 && inside[bar - 1] == '|') bar = std::string::npos;
        const std::string format = bar == std::string::npos ? "" : trimmed(inside.substr(bar + 1));
        if (!is_format(format))
            problems->push_back(
                {here, fmt::format("'{}' is not a format of a number; accepted are {}", format, accepted_formats())});
        auto compiled = expression(trimmed(inside.substr(0, bar)), here);
        values.push_back(compiled && is_format(format) ? std::optional(LiveValue{*compiled, format}) : std::nullopt);
        plain += math_mark(values.size() - 1);
        // Lines stay lines, so that complaints behind a long value name the right one.
        plain += std::string(static_cast<std::size_t>(std::count(inside.begin(), inside.end(), '\n')), '\n');
        from = end + 1;
        pieces.emplace_back(plain.size(), from);
    }
    plain += markdown.substr(from);
    const std::function<Place(std::size_t)> in_file = [&](std::size_t at) {
        const auto next = std::ranges::upper_bound(pieces, at, {}, &std::pair<std::size_t, std::size_t>::first);
        const auto& [in_plain, in_markdown] = *std::prev(next);
        return place(std::min(in_markdown + (at - in_plain), markdown.size()));
    };
    return Builder(plain, in_file, values, *problems).run();
}

}  // namespace convscope::lessons
