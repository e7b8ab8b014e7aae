// Things to choose from, each with a small picture, what it is in a sentence, and where it comes from.
#pragma once

#include <imgui.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace convscope::app {

struct GalleryCard {
    std::string item_name;  ///< also its id
    std::string group;      ///< cards of one group follow each other, under its name
    std::string title, sentence;
    std::string facts;     ///< at the right: device and date, or the share of zeros
    bool present = false;  ///< what is open now
    std::function<void(ImDrawList&, ImVec2 from, ImVec2 to)> sketch;
    bool wraps = false;  ///< a title or a sentence that is wider than its card goes on in a second line
    /// A last line, of what the card is made from; 'facts' are then at its right.
    std::string source = {};
    /// A switch left of the facts, where there is more than one: what each place is called on the card and by tests.
    struct Choice {
        std::string item_name, label;
    };
    std::vector<Choice> choices = {};
    std::size_t chosen = 0;
    std::optional<bool> ticked = {};  ///< one of several to tick: a click leaves the list open
    bool dim = false;                 ///< its sentence says why it cannot be chosen with success
};

struct GallerySearch {
    const char* item_name;
    const char* hint;     ///< "search: vgg 512, mec, fig4"
    const char* name;     ///< "Search the presets"
    const char* meaning;  ///< on hover
};

/// A field for words at the head of a list of cards. Where the list appears it is emptied and takes the keyboard. True
/// when Enter is pressed in it.
bool gallery_search(const GallerySearch&, std::string& words, bool appearing);

struct GalleryClick {
    std::size_t card = 0;
    std::optional<std::size_t> choice = {};  ///< of the card's switch; else the card itself was clicked
};

/// Fills the present window downwards. 'appearing': in the first frame, in which the present one is brought into sight.
std::optional<GalleryClick> gallery(const std::vector<GalleryCard>&, bool appearing);

/// True when every word of 'search' occurs in 'text', whatever the case.
bool matches(const std::string& text, const std::string& search);

}  // namespace convscope::app
