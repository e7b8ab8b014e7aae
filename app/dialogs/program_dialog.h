// File dialogs by zenity (GNOME and others) or kdialog (KDE), where one of them is on the PATH.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "app/dialogs/file_question.h"

namespace convscope::app {

/// Asks and waits for the answer: for a thread that nobody waits for. When stopped, it ends the program and answers
/// 'cancelled'. A program that fails otherwise than by a cancel is 'unavailable'.
FileAnswer ask_program(const FileQuestion&, const std::stop_token&);

/// The command lines, for each program.
std::vector<std::string> zenity_command(const FileQuestion&);
std::vector<std::string> kdialog_command(const FileQuestion&);

}  // namespace convscope::app
