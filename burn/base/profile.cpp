#include <burn/base/profile.h>

#include <burn/base/profile_log.h>

#include <chrono>
#include <utility>

namespace burn::profile {

std::atomic<bool> detail::measuring{false};

Logs& logs() {
    static auto* all = new Logs;  // NOLINT: threads may outlive main
    return *all;
}

std::int64_t now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

namespace {

// Plain pointers, so that objects that are destroyed after the thread's others can still measure.
thread_local Log* mine = nullptr;
thread_local bool thread_ends = false;

struct HandBack {
    HandBack() = default;
    HandBack(const HandBack&) = delete;
    HandBack& operator=(const HandBack&) = delete;
    ~HandBack() {
        const std::lock_guard lock(logs().mutex);
        logs().idle.push_back(std::exchange(mine, nullptr));
        thread_ends = true;
    }
};

Log& log_of_thread() {
    if (mine != nullptr) return *mine;
    {
        const std::lock_guard lock(logs().mutex);
        if (logs().idle.empty()) {
            mine = new Log;  // NOLINT: lives as long as the program
            logs().all.push_back(mine);
            mine->thread = static_cast<std::uint32_t>(logs().all.size());
        } else {
            mine = logs().idle.back();
            logs().idle.pop_back();
        }
    }
    if (!thread_ends) {
        thread_local const HandBack hand_back;
        (void)hand_back;
    }
    return *mine;
}

}  // namespace

void Span::begin(Kind kind, const char* name, const Cost& cost) {
    log_ = &log_of_thread();
    {
        const std::lock_guard lock(log_->mutex);
        const auto [found, is_new] =
            log_->numbers.try_emplace({kind, name}, static_cast<std::uint32_t>(log_->names.size()));
        if (is_new) {
            log_->names.push_back(found->first);
            log_->sums.emplace_back();
        }
        name_ = found->second;
    }
    inside_ = 0;
    bytes_ = cost.bytes;
    operations_ = cost.operations;
    parent_ = std::exchange(log_->current, this);
    begin_ = now();
}

void Span::end() {
    const std::int64_t time = now() - begin_;
    log_->current = parent_;
    if (parent_ != nullptr) parent_->inside_ += time;
    if (begin_ < logs().begin.load(std::memory_order_relaxed)) return;
    const std::lock_guard lock(log_->mutex);
    Sums& sums = log_->sums[name_];
    ++sums.calls;
    sums.nanoseconds += time;
    sums.own_nanoseconds += time - inside_;
    sums.cost += {bytes_, operations_};
    if (!logs().traces.load(std::memory_order_relaxed)) return;
    if (logs().room.fetch_sub(1, std::memory_order_relaxed) > 0) {
        log_->events.push_back({name_, begin_, time, {bytes_, operations_}});
    } else {
        logs().left_out.fetch_add(1, std::memory_order_relaxed);
    }
}

}  // namespace burn::profile
