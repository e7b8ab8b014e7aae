#include "tests/app/pictures/still_stations.h"

#include <algorithm>

#include "tests/app/pictures/frozen_figures.h"

namespace convscope::app {
namespace {

/// These sweep: the plots that they come to are pictured from a recorded sweep.
constexpr const char* left_out[] = {"sweep", "sweep-speedup", "sweep-launch"};

void freeze(Station& station, const Registry& registry) {
    station.live = false;
    station.prepare = [&registry, measure = station.prepare](Shell& shell) {
        measure(shell);
        const bool network = shell.live().network_wanted();
        Session& session = shell.session();
        shell.live().show_frozen(session, network ? frozen_network(session, registry) : frozen_live(session, registry));
    };
}

}  // namespace

std::string name_without_number(const Station& station) {
    return station.name.substr(station.name.find('-') + 1);
}

std::vector<Station> still_stations(const Registry& registry) {
    std::vector<Station> stations = tour_stations(registry);
    std::erase_if(stations, [](const Station& station) {
        return std::ranges::find(left_out, name_without_number(station)) != std::end(left_out);
    });
    for (Station& station : stations)
        if (station.live) freeze(station, registry);
    return stations;
}

const std::vector<std::string>& machine_dependent_items() {
    static const std::vector<std::string> items{"status/machine"};
    return items;
}

}  // namespace convscope::app
