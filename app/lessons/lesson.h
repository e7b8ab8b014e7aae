// A lesson as data: what its file says (docs/lessons.md). No ImGui, no OpenGL.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/lessons/markup.h"
#include "app/lessons/show.h"

namespace convscope::lessons {

/// One of the answers to choose from; right while its condition holds.
struct Option {
    std::string label;
    Expression condition;
};

/// A question. The right answer is what the expression gives in the live state when it is asked.
struct Ask {
    int line = 0;
    std::string key;  ///< its words: what its answer is remembered under
    Text question;
    std::optional<Expression> answer;  ///< unset: there are options
    std::vector<Option> options;
    double tolerance = 0;  ///< relative
    std::string unit;
    Text hint, right, wrong;
    bool predict = false;  ///< committed before what follows in the step is carried out
    bool final = false;    ///< counts for the check at the end
};

/// A task: done once the expression holds.
struct Task {
    int line = 0;
    std::string key;  ///< its words
    Text task;
    Expression until;
    Text hint;
    std::optional<Show> solve;  ///< what 'show me' does
};

using Block = std::variant<Text, Show, Ask, Task>;

struct Step {
    int line = 0;
    std::string title;
    std::vector<Block> blocks;
};
/// Whether a step has a 'show'; one that has none goes on with what is there.
bool shows_anything(const Step&);

/// A property that an own layer must have for the lesson's argument to hold.
struct Need {
    Expression holds;
    std::string sentence;  ///< why a layer without it does not suit, and which would
};

struct Lesson {
    std::filesystem::path file;
    std::string id;  ///< the file's name without its ending
    std::string title, summary, paper;
    std::string moral;  ///< what to keep of it: one sentence, shown at the end
    std::string part;   ///< of the course: lessons of one part that follow each other share a heading
    int minutes = 0;
    bool own_layer = true;
    std::string own_layer_why;  ///< why not
    std::vector<Need> needs;    ///< of an own layer
    std::vector<Step> steps;
};

/// The step that asks the question with this key, counted from 1; 0 where none does.
int step_of(const Lesson&, const std::string& key);
/// Why an own layer, of which these are the facts, does not suit the lesson; empty when it does.
std::string unsuited(const Lesson&, const FactSource& own_layer);

/// The result of reading a file. A lesson with problems that are not warnings is not to be opened.
struct ReadLesson {
    Lesson lesson;
    Problems problems;  ///< in the order of the file
    bool good() const {
        for (const Problem& problem : problems)
            if (!problem.warning) return false;
        return true;
    }
};

/// Reads a lesson with all that is wrong with it. Throws Error(file) when the file itself cannot be read.
ReadLesson read_lesson(const std::filesystem::path& file, const Registry&);
/// The same of a text.
ReadLesson read_lesson(const std::filesystem::path& file, const std::string& text, const Registry&);

}  // namespace convscope::lessons
