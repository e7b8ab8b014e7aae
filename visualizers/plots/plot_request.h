// Requests of a plot's right-click menu to the app, besides those of any figure (picture_items.h).
#pragma once

namespace convscope {

enum class PlotRequest { none, save_csv, copy_csv, copy_command };

}  // namespace convscope
