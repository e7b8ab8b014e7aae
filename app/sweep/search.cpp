#include "app/sweep/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "app/sweep/runtime_surrogate.h"
#include "kernels/core/error.h"

namespace convscope {
namespace {

// How much an uncertain guess counts as a chance: least near the best point.
constexpr double exploration_weight_near = 0.6, exploration_weight_far = 1;

// As few as these are measured all.
constexpr std::size_t whole_space = 8;

class Search {
public:
    Search(const SearchSpace& space, const SearchPlan& plan, const TimeOf& time_of, const std::function<bool()>& stop)
        : space_(space),
          time_of_(time_of),
          stop_(stop),
          budget_(search_budget(plan, space.size())),
          random_(plan.seed),
          seen_(space.size(), false),
          guess_(space) {}

    SearchFound run(SearchStrategy strategy) {
        switch (strategy) {
            case SearchStrategy::all:
                for (std::size_t i = 0; i < space_.size(); ++i) measure(i);
                break;
            case SearchStrategy::random:
                for (const std::size_t i : shuffled()) measure(i);
                break;
            case SearchStrategy::local:
                local();
                break;
        }
        return std::move(found_);
    }

private:
    bool done() const { return found_.measured.size() >= budget_ || (stop_ && stop_()); }

    void measure(std::size_t i) {
        if (seen_[i] || done()) return;
        seen_[i] = true;
        const std::optional<double> time_us = time_of_(i);
        found_.measured.push_back(i);
        found_.times_us.push_back(time_us);
        if (!time_us) return;
        guess_.learn(i, *time_us);
        if (best_us_ > *time_us) {
            best_us_ = *time_us;
            found_.best = i;
        }
    }

    std::vector<std::size_t> shuffled() {
        std::vector<std::size_t> order(space_.size());
        std::iota(order.begin(), order.end(), 0);
        for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random_() % i]);
        return order;
    }

    /// Steps along the axes between two points, each axis counting by its length.
    double distance(std::size_t a, std::size_t b) const {
        double sum = 0;
        for (std::size_t axis = 0; axis < space_.axes().size(); ++axis) {
            const double part = space_.place(a)[axis] - space_.place(b)[axis];
            sum += part * part / space_.length(axis) / space_.length(axis);
        }
        return std::sqrt(sum);
    }

    /// The point farthest from all that were measured, among the unmeasured with the better half of the predicted
    /// occupancies.
    std::optional<std::size_t> farthest() {
        std::vector<std::size_t> order = shuffled();
        std::erase_if(order, [&](std::size_t i) { return seen_[i]; });
        if (order.empty()) return std::nullopt;
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return space_.point(a).occupancy_pct > space_.point(b).occupancy_pct;
        });
        const double middle = space_.point(order[order.size() / 2]).occupancy_pct;
        std::size_t chosen = order.front();
        double most = -1;
        for (const std::size_t i : order) {
            if (space_.point(i).occupancy_pct < middle) break;
            double nearest = std::numeric_limits<double>::infinity();
            for (const std::size_t j : found_.measured) nearest = std::min(nearest, distance(i, j));
            if (nearest <= most) continue;
            most = nearest;
            chosen = i;
        }
        return chosen;
    }

    /// The unmeasured neighbour, of the best points with any left, that is guessed to be the fastest.
    std::optional<std::size_t> best_neighbour() {
        std::vector<std::size_t> order(found_.measured.size());
        std::iota(order.begin(), order.end(), 0);
        const auto time = [&](std::size_t at) {
            return found_.times_us[at].value_or(std::numeric_limits<double>::infinity());
        };
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return time(a) < time(b); });
        for (const std::size_t at : order) {
            std::vector<std::size_t> near = space_.neighbours(found_.measured[at]);
            std::erase_if(near, [&](std::size_t i) { return seen_[i]; });
            if (!near.empty()) return guess_.fastest(near, exploration_weight_near);
        }
        return std::nullopt;
    }

    /// Starts spread over the space; then in turns a step from the best point found, and a jump to where the times so
    /// far let the fastest of all be expected: the way out of a valley that is not the deepest.
    void local() {
        if (space_.size() == 0) return;
        const std::size_t starts = std::max<std::size_t>(1, budget_ / 5);
        while (found_.measured.size() < starts && !done())
            if (const auto next = farthest()) measure(*next);
        for (int turn = 0; !done(); ++turn) {
            std::optional<std::size_t> next = turn % 2 == 0 ? best_neighbour() : jump();
            if (!next) next = farthest();
            if (!next) return;
            measure(*next);
        }
    }

    std::optional<std::size_t> jump() {
        const std::vector<std::size_t> left = unmeasured();
        if (left.empty()) return std::nullopt;
        return guess_.fastest(left, exploration_weight_far);
    }

    std::vector<std::size_t> unmeasured() {
        std::vector<std::size_t> left = shuffled();
        std::erase_if(left, [&](std::size_t i) { return seen_[i]; });
        return left;
    }

    const SearchSpace& space_;
    const TimeOf& time_of_;
    const std::function<bool()>& stop_;
    const std::size_t budget_;
    std::mt19937_64 random_;  // its numbers are the same on every machine; a distribution's need not be
    std::vector<bool> seen_;
    RuntimeSurrogate guess_;
    SearchFound found_;
    double best_us_ = std::numeric_limits<double>::infinity();
};

}  // namespace

const char* to_string(SearchStrategy strategy) {
    switch (strategy) {
        case SearchStrategy::all:
            return "all";
        case SearchStrategy::random:
            return "random";
        case SearchStrategy::local:
            break;
    }
    return "local";
}

SearchStrategy parse_search_strategy(const std::string& name) {
    for (const SearchStrategy strategy : {SearchStrategy::all, SearchStrategy::random, SearchStrategy::local})
        if (name == to_string(strategy)) return strategy;
    throw Error(ErrorKind::usage, fmt::format("--search: '{}' is not accepted; give all, random or local", name));
}

std::size_t search_budget(const SearchPlan& plan, std::size_t space) {
    const bool fifth = plan.points == 0 && plan.strategy == SearchStrategy::local;
    const std::size_t wanted = fifth ? std::max(whole_space, space / 5) : plan.points;
    return wanted == 0 ? space : std::min(wanted, space);
}

SearchFound search(const SearchSpace& space, const SearchPlan& plan, const TimeOf& time_of,
                   const std::function<bool()>& stop) {
    return Search(space, plan, time_of, stop).run(plan.strategy);
}

}  // namespace convscope
