// The job that the views' builders run on, without a window, so that ThreadSanitizer sees it.
#include "app/session/jobs/latest_job.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

namespace convscope::app {
namespace {

using Job = LatestJob<int, const int>;

constexpr int endless = 12'345;  // is made until it is given up

Job::Made square(const int& number, const Job::Made&, const std::stop_token& stop) {
    if (number < 0) throw std::runtime_error("below zero");
    for (int i = 0; (i < 100 || number == endless) && !stop.stop_requested(); ++i) std::this_thread::yield();
    return std::make_shared<const int>(number * number);
}

TEST(LatestJob, of_many_requests_the_last_is_met) {
    std::atomic<int> woken = 0;
    Job job(square, [&] { ++woken; });
    for (int number = 1; number <= 2000; ++number) {
        job.request(number);
        if (number % 7 == 0) job.forget();
        const Job::Made made = job.latest();
        EXPECT_TRUE(!made || *made <= number * number);
    }
    while (job.busy()) job.settle(1);
    EXPECT_EQ(*job.latest(), 2000 * 2000);
    EXPECT_EQ(job.busy_seconds(), 0);
    EXPECT_EQ(job.take_error(), "");
    while (woken == 0) std::this_thread::yield();
}

TEST(LatestJob, one_that_fails_or_is_given_up_leaves_the_last_good_one) {
    Job job(square, [] {});
    job.request(3);
    while (job.busy()) job.settle(1);
    job.request(-1);
    while (job.busy()) job.settle(1);
    EXPECT_EQ(job.take_error(), "below zero");
    EXPECT_EQ(job.take_error(), "") << "once";
    job.request(endless);
    job.cancel("stopped");
    while (job.busy()) job.settle(1);
    EXPECT_EQ(*job.latest(), 9);
    EXPECT_EQ(job.take_error(), "stopped");
}

TEST(LatestJob, ends_with_a_request_under_way) {
    for (int i = 0; i < 200; ++i) {
        Job job(square, [] {});
        job.request(i);
        if (i % 2 == 0) job.settle(0);
    }
}

}  // namespace
}  // namespace convscope::app
