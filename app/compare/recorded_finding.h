// The answer of a recorded session to the question that it was recorded for, computed from its rows.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kernels/core/one_of.h"

namespace convscope::app {

struct CompareData;

/// Sentences without a full stop. Two times differ where they do by more than the 95 % interval of their ratio
/// (kernels/records/ratio_estimate.h).
struct RecordedFinding {
    std::string headline;  ///< "tensor3 wins 15 of 16 layers in FP32"; empty where the rows do not tell
    std::string detail;    ///< "cudnn 1; faster in less precision: cudnn-fp16 on 14"; may be empty
    bool known() const { return !headline.empty(); }
};

namespace finding {

// Each answers from the rows that count.
RecordedFinding zeros(const CompareData&);
RecordedFinding weights(const CompareData&);
RecordedFinding winners(const CompareData&);
RecordedFinding scopes(const CompareData&);
RecordedFinding launch(const CompareData&);

}  // namespace finding

struct RecordedQuestionInfo {
    const char* id;
    const char* text;
    RecordedFinding (*answer)(const CompareData&);
    const char* unknown;  ///< why there is no answer, where there is none
};
inline constexpr RecordedQuestionInfo recorded_question_table[] = {
    {"winners", "Which method is the fastest?", finding::winners, "no two methods have a time for the same case"},
    {"zeros", "Does skipping zeros pay?", finding::zeros, "the rows do not tell which methods skip zeros"},
    {"weights", "Do zeros of the weights pay?", finding::weights, "no method was timed with 2:4 weights and without"},
    {"scopes", "Does it depend on what is timed?", finding::scopes, "the vendor was timed in one scope at most"},
    {"launch", "How much does the launch matter?", finding::launch, "no method was timed with two launches"},
};
using RecordedQuestion = OneOf<recorded_question_table>;

/// "xu2022-scopes" of "xu2022-scopes-h100": the files of one session, each of another device, answer one question.
std::string session_of(const std::string& file_name);
/// The question of a session, by its name: a device's file may lack columns or scopes that another one has. Empty for a
/// session that is not of convscope.
std::optional<RecordedQuestion> question_of(std::string_view session);

}  // namespace convscope::app
